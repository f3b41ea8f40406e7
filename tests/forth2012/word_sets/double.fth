\ Tests of the word sets DOUBLE and DOUBLE EXT.
DECIMAL
0 INVERT CONSTANT MAX-U
MAX-U 1 RSHIFT CONSTANT MAX-N
MAX-N NEGATE 1- CONSTANT MIN-N
MAX-U MAX-N 2CONSTANT MAX-D
0 MIN-N 2CONSTANT MIN-D
MAX-D D2/ 2CONSTANT HI-D
MIN-D D2/ 2CONSTANT LO-D

TESTING constants and variables
T{ 1 2 2CONSTANT 2C1 -> }T
T{ 2C1 -> 1 2 }T
T{ : CD2 2C1 ; -> }T
T{ CD2 -> 1 2 }T
T{ : CD3 2CONSTANT ; -> }T
T{ -1 -2 CD3 2C2 -> }T
T{ 2C2 -> -1 -2 }T
T{ 4 5 2CONSTANT 2C3 IMMEDIATE 2C3 -> 4 5 }T
T{ : CD6 2C3 2LITERAL ; CD6 -> 4 5 }T
T{ : CD1 [ MAX-D ] 2LITERAL ; CD1 -> MAX-D }T
T{ 2VARIABLE 2V1 -> }T
T{ 0. 2V1 2! -> }T
T{ 2V1 2@ -> 0. }T
T{ -1 -2 2V1 2! -> }T
T{ 2V1 2@ -> -1 -2 }T
T{ : CD7 2VARIABLE ; CD7 2V2 -> }T
T{ : CD8 2V2 2! ; -2 -1 CD8 2V2 2@ -> -2 -1 }T
T{ 2VARIABLE 2V3 IMMEDIATE 5 6 2V3 2! -> }T
T{ 2V3 2@ -> 5 6 }T

TESTING 2VALUE
T{ 1 2 2VALUE T2VAL -> }T
T{ T2VAL -> 1 2 }T
T{ 3 4 TO T2VAL -> }T
T{ T2VAL -> 3 4 }T
T{ : SETT2VAL T2VAL 2SWAP TO T2VAL ; -> }T
T{ 5 6 SETT2VAL T2VAL -> 3 4 5 6 }T
T{ 7 VALUE V7 8 TO V7 V7 -> 8 }T

TESTING D+ D- DNEGATE M+
T{ 0. 5. D+ -> 5. }T
T{ -5. 0. D+ -> -5. }T
T{ 1. 2. D+ -> 3. }T
T{ 1. -2. D+ -> -1. }T
T{ -1. -2. D+ -> -3. }T
T{ -1. 1. D+ -> 0. }T
T{ 0 0 0 5 D+ -> 0 5 }T
T{ -1 5 0 0 D+ -> -1 5 }T
T{ MAX-U 0 1 0 D+ -> 0 1 }T
T{ MAX-D 1. D+ -> MIN-D }T
T{ MIN-D 2DUP D+ -> 0. }T
T{ 0. 5. D- -> -5. }T
T{ 5. 0. D- -> 5. }T
T{ 1. -2. D- -> 3. }T
T{ -1. -2. D- -> 1. }T
T{ 0 0 1 0 D- -> -1 -1 }T
T{ MIN-D 1. D- -> MAX-D }T
T{ MAX-D MIN-D D- -> -1. }T
T{ 0. DNEGATE -> 0. }T
T{ 1. DNEGATE -> -1. }T
T{ MAX-D DNEGATE -> MIN-D 1. D+ }T
T{ HI-D 1 M+ -> HI-D 1. D+ }T
T{ MAX-D -1 M+ -> MAX-D -1. D+ }T
T{ MIN-D 1 M+ -> MIN-D 1. D+ }T

TESTING comparison
T{ 0. D0< -> FALSE }T
T{ 0 MIN-N D0< -> TRUE }T
T{ MAX-D D0< -> FALSE }T
T{ -1. D0< -> TRUE }T
T{ 1. D0= -> FALSE }T
T{ 0 MIN-N D0= -> FALSE }T
T{ 0. D0= -> TRUE }T
T{ -1. -1. D= -> TRUE }T
T{ -1. 0. D= -> FALSE }T
T{ 0 -1 -1 -1 D= -> FALSE }T
T{ MAX-D MIN-D D= -> FALSE }T
T{ 0. 1. D< -> TRUE }T
T{ 0. 0. D< -> FALSE }T
T{ 1. 0. D< -> FALSE }T
T{ -1. 1. D< -> TRUE }T
T{ 1. -1. D< -> FALSE }T
T{ 2 -1 1 -1 D< -> FALSE }T
T{ MIN-D MAX-D D< -> TRUE }T
T{ MAX-D MIN-D D< -> FALSE }T
T{ 1 1 0 1 D< -> FALSE }T
T{ 1. 1. DU< -> FALSE }T
T{ 1. -1. DU< -> TRUE }T
T{ -1. 1. DU< -> FALSE }T
T{ MAX-D MIN-D DU< -> TRUE }T
T{ 1. 2. DMAX -> 2. }T
T{ 1. -1. DMAX -> 1. }T
T{ MAX-D MIN-D DMAX -> MAX-D }T
T{ 1. 2. DMIN -> 1. }T
T{ 1. -1. DMIN -> -1. }T
T{ MAX-D MIN-D DMIN -> MIN-D }T
T{ -1. DABS -> 1. }T
T{ MIN-D 1. D+ DABS -> MAX-D }T

TESTING D2* D2/ D>S 2ROT M*/
T{ 0. D2* -> 0. }T
T{ MIN-N 0 D2* -> 0 1 }T
T{ HI-D D2* -> MAX-D 1. D- }T
T{ LO-D D2* -> MIN-D }T
T{ 1. D2/ -> 0. }T
T{ 0 1 D2/ -> MIN-N 0 }T
T{ -1. D2/ -> -1. }T
T{ MAX-D D2/ -> HI-D }T
T{ 1234 0 D>S -> 1234 }T
T{ -1 -1 D>S -> -1 }T
T{ 1. 2. 3. 2ROT -> 2. 3. 1. }T
T{ MAX-D MIN-D 1. 2ROT -> MIN-D 1. MAX-D }T
T{ 5. 7 11 M*/ -> 3. }T
T{ 5. -7 11 M*/ -> -3. }T
T{ -5. -7 11 M*/ -> 3. }T
T{ MAX-D 8 8 M*/ -> MAX-D }T
T{ MAX-D 2 4 M*/ -> HI-D }T
T{ MAX-D MAX-N MAX-N M*/ -> MAX-D }T
T{ LO-D MAX-N MAX-N M*/ -> LO-D }T
T{ MIN-D 3 3 M*/ -> MIN-D }T

TESTING output
: COMPARES ( -- ) ; \ The host's test compares the output.
T{ 12345. D. -> }T
T{ -7. 5 D.R -> }T
T{ MIN-D D. -> }T
