\ core-ext.fth: CORE EXT, and words of CORE that Hayes' tests lack.
TESTING numbers
T{ #1289 -> 1289 }T
T{ #12346789. -> 12346789. }T
T{ #-1289 -> -1289 }T
T{ #-12346789. -> -12346789. }T
T{ $12eF -> 4847 }T
T{ $12aBcDeF. -> 313249263. }T
T{ $-12eF -> -4847 }T
T{ %10010110 -> 150 }T
T{ %-10010110. -> -150. }T
T{ 'z' -> 122 }T
T{ HEX 10 #10 $10 DECIMAL -> 16 10 16 }T
T{ : nmp #8327 $-2cbe %011010111 ''' ; nmp -> 8327 -11454 215 39 }T
T{ -1. -> -1 -1 }T

T{ -1 31 LSHIFT -1 32 LSHIFT -1 -1 LSHIFT -> -2147483648 0 0 }T
T{ -1 31 RSHIFT -1 32 RSHIFT -1 -1 RSHIFT -> 1 0 0 }T

TESTING stack and flags
T{ TRUE FALSE -> -1 0 }T
T{ 0 0<> 1 0<> -1 0> 1 0> -> 0 -1 0 -1 }T
T{ 1 2 <> 2 2 <> 1 2 U> -1 2 U> -> -1 0 0 -1 }T
T{ 1 2 NIP 1 2 TUCK -> 2 2 1 2 }T
T{ 1 2 3 0 PICK 1 PICK -> 1 2 3 3 3 }T
T{ 1 2 3 2 ROLL -> 2 3 1 }T
T{ 1 0 ROLL -> 1 }T
T{ 0 0 0 WITHIN 0 0 1 WITHIN 5 1 5 WITHIN 1 1 5 WITHIN -1 -2 1 WITHIN -> 0 -1 0 -1 -1 }T
T{ : rr 1 2 2>R 2R@ 2R> ; rr -> 1 2 1 2 }T

TESTING loops
T{ : qd ?DO I LOOP ; 789 789 qd -> }T
T{ -9876 -9876 qd -> }T
T{ 5 0 qd -> 0 1 2 3 4 }T
T{ : qd1 ?DO I 10 +LOOP ; 50 1 qd1 -> 1 11 21 31 41 }T
T{ : qd2 ?DO I 3 > IF LEAVE ELSE I THEN LOOP ; 5 -1 qd2 -> -1 0 1 2 3 }T
T{ : qd3 ?DO I 1 +LOOP ; 4 4 qd3 2 -1 qd3 -> -1 0 1 }T
T{ : qd4 ?DO I -1 +LOOP ; 4 4 qd4 1 4 qd4 -> 4 3 2 1 }T
T{ : ag 5 BEGIN 1- DUP 0= IF EXIT THEN DUP AGAIN ; ag -> 4 3 2 1 0 }T
T{ : nested 3 0 DO 2 0 DO J 10 * I + LOOP LOOP ; nested -> 0 1 10 11 20 21 }T
T{ : wraps 0 -2147483648 2147483647 DO 1+ LOOP ; wraps -> 1 }T

TESTING CASE
T{ : cs1 CASE 1 OF 111 ENDOF 2 OF 222 ENDOF >R 999 R> ENDCASE ; 1 cs1 2 cs1 3 cs1 -> 111 222 999 }T
T{ : cs2 >R CASE -1 OF CASE R@ 1 OF 100 ENDOF 2 OF 200 ENDOF >R -300 R> ENDCASE ENDOF
	-2 OF CASE R@ 1 OF -99 ENDOF >R -199 R> ENDCASE ENDOF >R 299 R> ENDCASE R> DROP ;
	-1 1 cs2 -1 2 cs2 -1 3 cs2 -2 1 cs2 -2 2 cs2 0 2 cs2 -> 100 200 -300 -99 -199 299 }T
T{ : cs5 CASE ENDCASE ; 1 cs5 -> }T
T{ : cs6 CASE 1 OF ENDOF 2 ENDCASE ; 1 cs6 -> }T

TESTING :NONAME RECURSE
VARIABLE nn1
VARIABLE nn2
:NONAME 1234 ; nn1 !
:NONAME 9876 ; nn2 !
T{ nn1 @ EXECUTE nn2 @ EXECUTE -> 1234 9876 }T
T{ :NONAME ( n -- 0 .. n ) DUP IF DUP >R 1- RECURSE R> THEN ; CONSTANT rn1 -> }T
T{ 0 rn1 EXECUTE 4 rn1 EXECUTE -> 0 0 1 2 3 4 }T
:NONAME ( n -- n1 ) 1- DUP CASE 0 OF EXIT ENDOF 1 OF 11 SWAP RECURSE ENDOF 2 OF 22 SWAP RECURSE ENDOF
	DROP ABS RECURSE EXIT ENDCASE ; CONSTANT rn2
T{ 1 rn2 EXECUTE 2 rn2 EXECUTE -> 0 11 0 }T

TESTING compiling words
T{ : c1 C" 123" ; c1 COUNT EVALUATE -> 123 }T
T{ : c2 C" " ; c2 COUNT NIP -> 0 }T
T{ :NONAME DUP + ; CONSTANT dup+ -> }T
T{ : q dup+ COMPILE, ; : as1 [ q ] ; 123 as1 -> 246 }T
T{ : [c1] [COMPILE] DUP ; IMMEDIATE 123 [c1] -> 123 123 }T
T{ 111 VALUE v1 -999 VALUE v2 v1 v2 -> 111 -999 }T
T{ 222 TO v1 v1 -> 222 }T
T{ : vd1 v1 ; : vd2 TO v2 ; vd1 -333 vd2 v2 v1 -> 222 -333 222 }T
T{ 123 VALUE v3 IMMEDIATE v3 -> 123 }T
T{ : vd3 v3 LITERAL ; vd3 -> 123 }T
T{ : v3! TO v3 ; 124 v3! v3 125 TO v3 v3 -> 124 125 }T
T{ DEFER d1 : is-d1 IS d1 ; ' * is-d1 2 3 d1 -> 6 }T
T{ ' + IS d1 1 2 d1 -> 3 }T
T{ ' d1 DEFER@ ACTION-OF d1 = : ad ACTION-OF d1 ; ad ' + = ' 1+ ' d1 DEFER! 5 d1 -> TRUE TRUE 6 }T
T{ 8 BUFFER: bf 111 bf ! 222 bf CELL+ ! bf @ bf CELL+ @ -> 111 222 }T
T{ : ma? BL WORD FIND NIP 0<> ; MARKER ma0 : ma1 111 ; MARKER ma2 : ma1 222 ; ma? ma0 ma? ma1 ma? ma2
	ma1 -> TRUE TRUE TRUE 222 }T
T{ ma2 ma? ma0 ma? ma1 ma? ma2 ma1 -> TRUE TRUE FALSE 111 }T
T{ ma0 ma? ma0 ma? ma1 ma? ma2 -> FALSE FALSE FALSE }T

TESTING POSTPONE of words that depend on STATE, in interpretation state
T{ : p-s" POSTPONE S" ; : ps1 [ p-s" text" ] ; ps1 NIP -> 4 }T
T{ : p-s\" POSTPONE S\" ; : ps2 [ p-s\" a\n" ] ; ps2 NIP -> 2 }T
T{ : p-abort" POSTPONE ABORT" ; : ps3 [ p-abort" no" ] 5 ; 0 ps3 -> 5 }T
T{ : p-is POSTPONE IS ; : ps4 [ p-is d1 ] ; ' - ps4 5 3 d1 -> 2 }T
T{ : p-to POSTPONE TO ; : ps5 [ p-to v1 ] ; 7 ps5 v1 -> 7 }T
T{ : p-; POSTPONE ; ; : ps6 5 [ p-; ps6 -> 5 }T
T{ SYNONYM s-s" S" : ps7 POSTPONE s-s" ; : ps8 [ ps7 text" ] ; ps8 NIP -> 4 }T
: s"-nt ( nt -- nt | ? ) DUP NAME>STRING S\" S\"" COMPARE 0= IF FALSE ELSE DROP TRUE THEN ;
T{ : ps9 [ ' s"-nt FORTH-WORDLIST TRAVERSE-WORDLIST NAME>COMPILE EXECUTE text" ] ; ps9 NIP -> 4 }T

TESTING the input
T{ : p1 [CHAR] ) PARSE SWAP DROP ; p1 abc) -> 3 }T
T{ p1 ) -> 0 }T
T{ PARSE-NAME abcd NIP -> 4 }T
T{ PARSE-NAME   abcde   NIP -> 5 }T
T{ S" 1 2" EVALUATE S" " EVALUATE -> 1 2 }T
T{ SOURCE-ID 0> S" SOURCE-ID" EVALUATE -> TRUE -1 }T
VARIABLE si-inc 0 si-inc !
: si1 si-inc @ >IN +! 15 si-inc ! ;
: s$ S" SAVE-INPUT si1 RESTORE-INPUT 12345" ;
T{ s$ EVALUATE si-inc @ -> 0 2345 15 }T
VARIABLE siv -1 siv !
: nevers? 2222 ;
T{ 11111 SAVE-INPUT
siv @
[IF]
	0 siv ! RESTORE-INPUT nevers?
[ELSE]
	33333
[THEN] -> 11111 0 33333 }T
T{ REFILL this is skipped
-> TRUE }T
T{ ( a comment
over
lines ) 1 -> 1 }T
T{ : ge1 S" 123" ; IMMEDIATE : ge2 EVALUATE ; IMMEDIATE : ge3 ge1 ge2 ; ge3 -> 123 }T
: scan1 >IN @ 1 ;

TESTING texts
T{ : s1 S\" \a\b\e\f\l\m\q\r\t\v\x0F0\x1Fa\xaBx\z\"\\" ; s1 SWAP DROP -> 20 }T
T{ s1 DROP C@ s1 DROP 5 + C@ s1 DROP 6 + C@ s1 DROP 11 + C@ s1 DROP 19 + C@ -> 7 13 10 15 92 }T
T{ : s2 S" abc" ; 0. <# s2 HOLDS #> s2 NIP = SWAP C@ -> TRUE CHAR a }T
T{ S" [DEFINED] DUP" EVALUATE -> TRUE }T
T{ PAD 20 BL FILL PAD C@ PAD 3 CHARS ERASE PAD C@ -> 32 0 }T
T{ UNUSED 0 , UNUSED - -> 4 }T
T{ S" MAX-N" ENVIRONMENT? S" no-such-query" ENVIRONMENT? -> 2147483647 TRUE FALSE }T
T{ S" /COUNTED-STRING" ENVIRONMENT? S" FLOORED" ENVIRONMENT? -> 255 TRUE FALSE TRUE }T
