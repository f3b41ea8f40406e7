\ Random numbers and time.  The numbers are from golden recordings and from a model of the original's
\ generator (axiom-observed.md, section g, notes on the original; in Python: tests/vm/vm_model.py).
: five-draws 5 0 DO 0 100 RAND-WITHIN LOOP ;
T{ five-draws -> 48 5 8 4 99 }T
T{ 0 SEED! five-draws -> 48 5 8 4 99 }T
T{ 42 SEED! 0 1000000 RAND-WITHIN 0 1000000 RAND-WITHIN 0 1000000 RAND-WITHIN -> 646893 257622 339094 }T
T{ 42 SEED! SEED@ 0 9 RAND-WITHIN DROP SEED@ -> 42 42 }T
T{ 4 4 RAND-WITHIN -> 4 }T
T{ 42 SEED! FRAND F. FRAND F. -> }T         \ expect: "0.6468933 0.2576226 "
\ If the first limit is greater, the numbers begin with the first limit and go down: 5 1 gives 3 to 5.
: within-low ( -- ? ) TRUE 500 0 DO 5 1 RAND-WITHIN DUP 3 < SWAP 5 > OR IF DROP FALSE ENDIF LOOP ;
T{ within-low -> -1 }T

\ With a negative seed every draw starts the stream again.
T{ -7 SEED! 0 99 RAND-WITHIN 0 99 RAND-WITHIN 0 99 RAND-WITHIN SEED@ -> 48 48 48 -7 }T
T{ -7 SEED! FRAND F. FRAND F. -> }T         \ expect: "0.4814089 0.4814089 "
T{ -1 SEED! 0 1000000 RAND-WITHIN 0 1000000 RAND-WITHIN -> 220982 220982 }T
T{ 7 SEED! 0 1000000 RAND-WITHIN 0 1000000 RAND-WITHIN -> 202879 331 }T

\ The second stream uses the same algorithm and is independent of the first.
: five-draws2 5 0 DO 0 100 RAND-WITHIN2 LOOP ;
T{ five-draws2 -> 48 5 8 4 99 }T
T{ 0 SEED2! 0 100 RAND-WITHIN2 0 SEED! 0 100 RAND-WITHIN -> 48 48 }T
T{ 0 SEED! 0 100 RAND-WITHIN 7 SEED2! 0 100 RAND-WITHIN2 DROP 0 100 RAND-WITHIN -> 48 5 }T
T{ -7 SEED2! 0 99 RAND-WITHIN2 0 99 RAND-WITHIN2 FRAND2 F. FRAND2 F. -> 48 48 }T \ expect: "0.4814089 0.4814089 "
T{ 0 SEED! 0 100 $RAND-WITHIN -> 48 }T
: always-7 2DROP 7 ;
T{ ' always-7 IS $RAND-WITHIN 0 100 $RAND-WITHIN ' RAND-WITHIN IS $RAND-WITHIN -> 7 }T

\ The clock of the tests is that of the golden recordings.
T{ SYSTEM-TIME -> 1199491200 }T
T{ RANDOMIZE SEED@ -> 1199491200 }T
T{ RANDOMIZE 0 1000000 RAND-WITHIN 1199491200 SEED! 0 1000000 RAND-WITHIN = -> -1 }T
T{ RANDOMIZE2 0 1000000 RAND-WITHIN2 1199491200 SEED2! 0 1000000 RAND-WITHIN2 = -> -1 }T
TIMER stopwatch
T{ stopwatch START-TIMER stopwatch READ-TIMER DUP 0 >= SWAP 60000 < AND -> -1 }T
CREATE bits 0 , 0 , 0 ,
T{ 5 bits 8 + ! bits $Rand64! bits @ bits 4 + @ OR 0<> bits 8 + @ -> -1 5 }T
CREATE more-bits 0 , 0 ,
T{ more-bits $Rand64! bits @ more-bits @ = bits 4 + @ more-bits 4 + @ = AND -> 0 }T
