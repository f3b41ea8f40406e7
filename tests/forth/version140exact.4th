\ vm: axiom=140-exact base=loaded/world.4th
\ An error that only 140-exact reproduces: the values of all piece types except the first are wrong.
fresh
T{ #Version -> 140 }T
T{ a1 piece-at piece-value -> 3 }T
T{ c3 piece-at piece-value 5 = -> 0 }T
\ As in version 140, the owner of b2 (N, 7168) is returned without the neutral bit, 1024.
T{ b2 player-at -> 6144 }T
