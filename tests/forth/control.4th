\ Control structures and compiling words.
: ?if IF 1 ENDIF 2 ;
T{ TRUE ?if -> 1 2 }T
T{ FALSE ?if -> 2 }T
T{ 17 ?if -> 1 2 }T
: ?else IF 1 ELSE 2 THEN 3 ;
T{ -1 ?else -> 1 3 }T
T{ 0 ?else -> 2 3 }T
: sign DUP 0< IF DROP -1 ELSE 0> IF 1 ELSE 0 ENDIF ENDIF ;
T{ -9 sign 0 sign 9 sign -> -1 0 1 }T
: count-up 0 BEGIN 1+ DUP 5 = UNTIL ;
T{ count-up -> 5 }T
: count-down 5 BEGIN DUP 0> WHILE 1- REPEAT ;
T{ count-down -> 0 }T
: never 0 BEGIN DUP WHILE 1- REPEAT ;
T{ never -> 0 }T

\ A DO loop runs at least once and ends when the index reaches or passes the limit.
: indexes DO I LOOP ;
T{ 3 0 indexes -> 0 1 2 }T
T{ 0 0 indexes -> 0 }T
T{ 0 5 indexes -> 5 }T
T{ -2 -4 indexes -> -4 -3 }T
T{ -2147483647 -2147483648 indexes -> -2147483648 }T
: by3 DO I 3 +LOOP ;
T{ 10 0 by3 -> 0 3 6 9 }T
T{ 9 0 by3 -> 0 3 6 }T
: down3 DO I -3 +LOOP ;
T{ 0 10 down3 -> 10 7 4 1 }T
T{ 0 9 down3 -> 9 6 3 0 }T
T{ 5 0 down3 -> 0 }T
: by0 0 3 0 DO 1+ DUP 3 = IF LEAVE ENDIF 0 +LOOP ;
T{ by0 -> 3 }T
: pairs 2 0 DO 2 0 DO J 10 * I + LOOP LOOP ;
T{ pairs -> 0 1 10 11 }T
: triples 2 0 DO 2 0 DO 2 0 DO K 100 * J 10 * + I + LOOP LOOP LOOP ;
T{ triples -> 0 1 10 11 100 101 110 111 }T

\ After LEAVE the current iteration is the last one; LEAVE does not jump.
: leaving 5 0 DO I I 2 = IF LEAVE ENDIF 55 LOOP ;
T{ leaving -> 0 55 1 55 2 55 }T
: leaving-down -9 9 DO I I 3 = IF LEAVE ENDIF -3 +LOOP ;
T{ leaving-down -> 9 6 3 }T
: inner-leave 2 0 DO 3 0 DO J I LEAVE LOOP LOOP ;
T{ inner-leave -> 0 0 1 0 }T

: early 1 EXIT 2 ;
T{ early 3 -> 1 3 }T
: early-if IF 1 EXIT ENDIF 2 ;
T{ TRUE early-if FALSE early-if -> 1 2 }T
: early-begin 0 BEGIN 1+ DUP 4 = IF EXIT ENDIF FALSE UNTIL ;
T{ early-begin -> 4 }T
: factorial DUP 2 < IF DROP 1 ELSE DUP 1- RECURSE * ENDIF ;
T{ 10 factorial -> 3628800 }T
: fib DUP 2 < NOT IF DUP 1- RECURSE SWAP 2- RECURSE + ENDIF ;
T{ 20 fib -> 6765 }T

T{ 3 4 ' + EXECUTE -> 7 }T
: apply EXECUTE ;
T{ 3 4 ' - apply -> -1 }T
T{ 5 EXECUTE -> }T              \ expect error: BadCodeError
T{ 0 EXECUTE -> }T              \ expect error: BadCodeError

\ The words from which the library makes its control words.  The operand of a branch is the address of
\ the target.  Below, HERE is the operand's own address: HERE 12 + skips the operand and `LIT 1`.
: by-hand [ ' LIT , 42 , ] ;
T{ by-hand -> 42 }T
: skip [ ' BRANCH , HERE 12 + , ] 1 2 ;
T{ skip -> 2 }T
: jump BRANCH [ HERE 12 + , ] 1 2 ;
T{ jump -> 2 }T
: choose 0BRANCH [ HERE 16 + , ] 1 EXIT 2 ;
T{ 1 choose -> 1 }T
: here-if [ ' 0BRANCH , HERE 0 , ] 11 [ HERE SWAP ! ] 22 ;
T{ TRUE here-if -> 11 22 }T
T{ FALSE here-if -> 22 }T
: here-do (DO) [ HERE ] I (LOOP) [ , ] ;
T{ 3 0 here-do -> 0 1 2 }T
: here-plus (DO) [ HERE ] I 2 (+LOOP) [ , ] ;
T{ 5 0 here-plus -> 0 2 4 }T

: five-literal [ 2 3 + ] LITERAL ;
T{ five-literal -> 5 }T
T{ 5 LITERAL -> 5 }T
: add-literal 7 COMPILE-LITERAL ; IMMEDIATE
: uses add-literal 1 ;
T{ uses -> 7 1 }T
: add-dup COMPILE DUP ; IMMEDIATE
: uses2 3 add-dup ;
T{ uses2 -> 3 3 }T
: my-if [COMPILE] IF ; IMMEDIATE
: uses3 my-if 1 ENDIF 2 ;
T{ TRUE uses3 FALSE uses3 -> 1 2 2 }T
T{ 5 [COMPILE] DUP -> 5 5 }T
: plus-token ['] + ;
T{ plus-token ' + = -> -1 }T
T{ 1 2 plus-token EXECUTE -> 3 }T
: state@ STATE @ 0<> ; IMMEDIATE
T{ state@ -> 0 }T
: compiled-state STATE @ 0<> [COMPILE] LITERAL ; IMMEDIATE
: state-in-definition compiled-state ;
T{ state-in-definition -> -1 }T
: inside [ 1 2 + COMPILE-LITERAL ] ;
T{ inside -> 3 }T
: immediate-five 5 ; IMMEDIATE
: uses4 immediate-five LITERAL 6 ;
T{ uses4 -> 5 6 }T
T{ ASCII A ASCII B -> 65 66 }T
: ascii-compiled ASCII Zebra ;
T{ ascii-compiled -> 90 }T

\ Control words outside of a definition have no effect.
1 IF 2 . ENDIF 3 .              \ expect: "2 3 "
T{ ; 5 -> 5 }T

T{ ABORT -> }T                  \ expect error: Aborted
T{ QUIT -> }T                   \ expect error: ScriptQuit
T{ S" my error" ERROR -> }T     \ expect error: ScriptMessage
: complain S" my error" ERROR ;
T{ complain -> }T               \ expect error: ScriptMessage my error
: lookup-fails S" zork" UNDEFINED ;
T{ lookup-fails -> }T           \ expect error: UndefinedWord zork
: guarded ABORT" oops" 5 ;
T{ FALSE guarded -> 5 }T
T{ TRUE guarded -> }T           \ expect error: ScriptMessage oops
\ The cell 28535 is the text "wo" in line: the bytes 119 and 111, then zeros.
: guarded2 (ABORT") [ 28535 , ] 5 ;
T{ FALSE guarded2 -> 5 }T
T{ TRUE guarded2 -> }T          \ expect error: ScriptMessage wo
\ Interpreted, ABORT" prints its text and calls ABORT, so that the error has no message.
T{ 1 ABORT" aloud" -> }T        \ expect error: Aborted
T{ ' nosuch -> }T               \ expect error: UndefinedWord nosuch

\ Words of standard Forth that ForthScript does not have.
T{ ?DUP -> }T                   \ expect error: UndefinedWord ?DUP
T{ NIP -> }T                    \ expect error: UndefinedWord NIP
T{ LSHIFT -> }T                 \ expect error: UndefinedWord LSHIFT
T{ AGAIN -> }T                  \ expect error: UndefinedWord AGAIN
T{ CASE -> }T                   \ expect error: UndefinedWord CASE
T{ VALUE -> }T                  \ expect error: UndefinedWord VALUE
T{ POSTPONE -> }T               \ expect error: UndefinedWord POSTPONE
T{ ?DO -> }T                    \ expect error: UndefinedWord ?DO
