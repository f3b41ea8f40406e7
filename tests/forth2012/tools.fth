\ tools.fth: TOOLS EXT; what .S, DUMP, WORDS and SEE print is tested in test_vm.py.
T{ : ahead1 AHEAD 1 THEN 2 ; ahead1 -> 2 }T
T{ : ?done ( dest -- orig dest ) POSTPONE IF 1 CS-ROLL ; IMMEDIATE -> }T
T{ : sum-to ( n -- sum ) >R 0 BEGIN R@ ?done R@ + R> 1- >R REPEAT R> DROP ; 4 sum-to -> 10 }T
T{ : repeats ( n -- ) 0 SWAP BEGIN SWAP 1+ SWAP 1- DUP 0= [ 0 CS-PICK ] UNTIL DUP 0= UNTIL DROP ; 3 repeats -> 3 }T
T{ TRUE [IF] 1 [ELSE] 2 [THEN] -> 1 }T
T{ FALSE [IF] 1 [ELSE] 2 [THEN] -> 2 }T
T{ FALSE [IF] 1 TRUE [IF] 2 [ELSE] 3 [THEN] 4 [ELSE] 5 [THEN] -> 5 }T
T{ TRUE [IF] 1 FALSE [IF] 2 [ELSE] 3 [THEN] 4 [ELSE] 5 [THEN] -> 1 3 4 }T
T{ FALSE [if] 1
	TRUE [if] 2
	[else] 3 [then]
[else] 5
[then] -> 5 }T
T{ [DEFINED] DUP -> TRUE }T
T{ [UNDEFINED] DUP -> FALSE }T
T{ [DEFINED] no-such-word -> FALSE }T
T{ : tnr1 N>R SWAP NR> ; -> }T
T{ 1 2 10 20 30 3 tnr1 -> 2 1 10 20 30 3 }T
T{ : tnr2 N>R N>R SWAP NR> NR> ; -> }T
T{ 1 2 10 20 30 3 40 50 2 tnr2 -> 2 1 10 20 30 3 40 50 2 }T
T{ SYNONYM plus + 1 2 plus -> 3 }T
T{ : three 1 2 plus ; three -> 3 }T
T{ SYNONYM wenn IF SYNONYM dann THEN : sign? 0< wenn -1 dann ; 1 sign? -2 sign? -> -1 }T
T{ ' plus ' + = -> TRUE }T
T{ SYNONYM from-r R> : rr 5 >R from-r ; rr -> 5 }T
T{ : forgotten 1 ; : after 2 ; FORGET forgotten [DEFINED] after [DEFINED] forgotten -> 0 0 }T
T{ : count-names DROP 1+ TRUE ; 0 ' count-names -> 0 ' count-names }T
