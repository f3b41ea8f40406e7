\ vm: library=none axiom=150
1 .                             \ expect: "1 "
-1 .                            \ expect: "-1 "
2 3 .                           \ expect: "3 "
2147483647 .                    \ expect: "2147483647 "
-2147483648 .                   \ expect: "-2147483648 "
2147483648                      \ expect error: UndefinedWord 2147483648
-2147483649                     \ expect error: UndefinedWord -2147483649
65 EMIT                         \ expect: "A"
1 2 + .                         \ expect: "3 "
7 DUP . .                       \ expect: "7 7 "
1 2 SWAP . .                    \ expect: "1 2 "
1 DROP 2 .                      \ expect: "2 "
DEPTH .                         \ expect: "0 "
1 2 DEPTH .                     \ expect: "2 "
: five 5 ; five .               \ expect: "5 "
: twice DUP + ; five twice .    \ expect: "10 "
: hidden 1 ;
: hidden hidden 1 + ; hidden .  \ expect: "2 "
nosuchword                      \ expect error: UndefinedWord nosuchword
dup                             \ expect error: UndefinedWord dup
DROP                            \ expect error: StackUnderflow
DEPTH .                         \ expect: "0 "
