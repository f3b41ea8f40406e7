\ Tests of the word sets LOCALS and LOCALS EXT.
DECIMAL
TESTING {: and LOCALS|
T{ : LT1 {: A B :} A B A ; 1 2 LT1 -> 1 2 1 }T
T{ : LT2 {: A B | C -- D :} A B + TO C C A ; 3 4 LT2 -> 7 3 }T
T{ : LT3 {: :} 5 ; LT3 -> 5 }T
T{ : LT4 {: A | B C :} B C A ; 9 LT4 -> 0 0 9 }T
T{ : LT5 {: A B -- ignored too :} B A ; 1 2 LT5 -> 2 1 }T
T{ : LT6 {: A
	B | C
	:} A B TO C C ; 1 2 LT6 -> 1 2 }T
T{ : LT7 LOCALS| X Y Z | X Y Z ; 1 2 3 LT7 -> 3 2 1 }T
T{ : LT8 LOCALS| X | X 1+ TO X X ; 1 LT8 -> 2 }T
T{ : LT9 ( a b ) {: A A2 :} 10 0 DO A I + TO A LOOP A A2 ; 5 6 LT9 -> 50 6 }T
T{ : LT10 {: N :} N 2 < IF N ELSE N 1- RECURSE N 2 - RECURSE + THEN ; 15 LT10 -> 610 }T
T{ : LT11 {: N :} N IF N 7 = IF 77 EXIT THEN N 1- RECURSE ELSE 0 THEN N DROP ; 20 LT11 -> 77 }T
T{ : LT12 {: A :} A >R 3 0 DO A I + LOOP R> ; 4 LT12 -> 4 5 6 4 }T
T{ : LT13 >R {: A B :} R@ A R> B ; 1 2 3 LT13 -> 3 1 3 2 }T
T{ : LT14 {: DUP :} DUP DUP 1+ ; 5 LT14 DUP -> 5 6 6 }T
T{ : LT15 {: a :} A ; 3 LT15 -> 3 }T
T{ : LT16 {: A B C D E F G H I1 J1 K L M N O P :} P A B + + ;
	1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 LT16 -> 19 }T
TESTING locals and other definitions
T{ : LT20 {: A :} A LT1 A ; 1 2 LT20 -> 1 2 1 2 }T
T{ : LT21 5 ; : LT22 {: LT21 :} LT21 ; LT21 3 LT22 LT21 -> 5 3 5 }T
T{ :NONAME {: A B :} B A - ; 10 3 ROT EXECUTE -> -7 }T
T{ : LT23 {: A :} CREATE A , DOES> @ 1+ ; 41 LT23 LT24 LT24 -> 42 }T
T{ : LT25 {: A :} A 0< IF -1 THROW THEN A ; : LT26 {: B :} B ['] LT25 CATCH B ; -> }T
T{ 5 LT26 -> 5 0 5 }T
T{ -5 LT26 ROT DROP -> -1 -5 }T
T{ : LT27 {: A | B :} 100 0 DO A 1- ['] LT25 CATCH NIP B + TO B LOOP A B ; 0 LT27 -> 0 -100 }T
T{ : LT28 {: A B :} A B BEGIN A WHILE A 1- TO A B 1+ TO B REPEAT A B ; 3 4 LT28 -> 3 4 0 7 }T
T{ 8 VALUE V8 : LT29 {: A :} A TO V8 V8 1+ TO A A ; 5 LT29 V8 -> 6 5 }T
\ (LOCAL) as in the reference implementation of LOCALS|.
: LOCAL ( "name" -- ) BL WORD COUNT (LOCAL) ; IMMEDIATE
: END-LOCALS ( -- ) 0 0 (LOCAL) ; IMMEDIATE
T{ : LT30 LOCAL X LOCAL Y LOCAL Z END-LOCALS X Y Z ; 1 2 3 LT30 -> 3 2 1 }T
T{ : LT31 {: A | B :} 5 TO B A B [ 2 ] LITERAL ; 1 LT31 -> 1 5 2 }T
\ Endless recursion ends with an error that leaves the stack of locals intact.
: LT40 {: A B C D E F G H :} A B C D E F G H RECURSE ;
T{ : LT41 1 2 3 4 5 6 7 8 ['] LT40 CATCH >R 2DROP 2DROP 2DROP 2DROP R> ; LT41 0= -> FALSE }T
T{ 1 2 LT1 -> 1 2 1 }T
: LT42 {: N | S :} N 0 ?DO S I + TO S LOOP S ;
T{ 10000 LT42 -> 49995000 }T
TESTING special cases
T{ : LA1 {: 10 :} 10 20 ; 5 LA1 -> 5 20 }T
T{ : LA2 {: a| b :} a| b ; 1 2 LA2 -> 1 2 }T
T{ : LA3 {: | a b :} 1 TO a 2 TO b a b ; LA3 -> 1 2 }T
T{ : LA4 {: a | :} a ; 9 LA4 -> 9 }T
T{ : LA5 {: -- x :} 3 ; LA5 -> 3 }T
T{ : LA6 {: a :} a CASE 1 OF 10 ENDOF 2 OF a ENDOF 77 SWAP ENDCASE ; 1 LA6 2 LA6 3 LA6 -> 10 2 77 }T
T{ : LA7 {: a b :} BEGIN a b < WHILE a 1+ TO a REPEAT a ; 1 5 LA7 -> 5 }T
T{ : LA8 {: xt n :} n 0 ?DO xt EXECUTE LOOP ; 1 ' 2* 4 LA8 -> 16 }T
T{ : LA9 {: n :} n 0> IF n 1- RECURSE n + ELSE 0 THEN ; 10 LA9 -> 55 }T
T{ : LA11 CREATE 3 , DOES> {: A :} A @ A @ + ; LA11 LA12 LA12 -> 6 }T
T{ : LA13 {: a b :} S" a b" EVALUATE ; -> }T
T{ : (LA14) {: a :} a 0= IF 99 THROW THEN a 1- RECURSE ; : LA14 {: x :} x ['] (LA14) CATCH NIP x ; 30 LA14 -> 99 30 }T
T{ : LA15 {: a :} 3 0 DO I a = IF I UNLOOP EXIT THEN LOOP -1 ; 2 LA15 7 LA15 -> 2 -1 }T
T{ : LA16 {: a b c d e f g h i j k l m n o p q r s t :} t a ; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 LA16 -> 20 1 }T
T{ : LA17 {: this-is-a-rather-long-local-name-of-more-than-31-characters :} this-is-a-rather-long-local-name-of-more-than-31-characters ; 4 LA17 -> 4 }T
T{ : LA18 {: d1 d2 :} d1 d2 D2* ; 1 0 LA18 -> 2 0 }T
T{ : LA19 {: A :} POSTPONE A ; IMMEDIATE -> }T
T{ : LA20 {: x y :} x y 2>R 2R@ 2R> x y ; 1 2 LA20 -> 1 2 1 2 1 2 }T
T{ : LA21 ( a b -- ) LOCALS| b a | a b TO a a ; 4 9 LA21 -> 4 9 }T
T{ 5 VALUE vv : LA22 {: vv :} vv 1+ TO vv vv ; 1 LA22 vv -> 2 5 }T
T{ 0 INVERT 1 RSHIFT CONSTANT max-int : LA23 {: a :} a IF a ELSE EXIT THEN ; 0 LA23 1 LA23 -> 1 }T
