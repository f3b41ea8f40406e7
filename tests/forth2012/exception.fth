\ exception.fth: CATCH and THROW, and the throw codes of errors of the VM.
T{ : five 5 ; ' five CATCH -> 5 0 }T
T{ : nine 9 THROW ; 1 2 ' nine CATCH NIP NIP -> 9 }T
T{ 0 THROW -> }T
T{ : inner 7 THROW ; : outer ['] inner CATCH 10 + THROW ; ' outer CATCH -> 17 }T
T{ : returns >R 3 THROW R> ; 1 ' returns CATCH NIP -> 3 }T
T{ : divides 1 0 / ; ' divides CATCH -> -10 }T
T{ : divides2 1. 0 UM/MOD ; ' divides2 CATCH -> -10 }T
T{ : pops BEGIN DROP AGAIN ; ' pops CATCH -> -4 }T
T{ : pushes BEGIN 1 AGAIN ; ' pushes CATCH -> -3 }T
T{ : recurses RECURSE 1 DROP ; ' recurses CATCH -> -5 }T
T{ : reads 0 @ ; ' reads CATCH -> -9 }T
T{ : unknown S" no-such-word" EVALUATE ; ' unknown CATCH -> -13 }T
T{ : nothing S" CHAR" EVALUATE ; ' nothing CATCH -> -16 }T
T{ : missing S" no-such-file.fth" INCLUDED ; ' missing CATCH -> -38 }T
T{ : aborts ABORT ; ' aborts CATCH -> -1 }T
T{ : aborts" ABORT" not printed" ; TRUE ' aborts" CATCH NIP -> -2 }T
T{ FALSE ' aborts" CATCH -> 0 }T
DEFER unset-word
T{ ' unset-word CATCH -> -21 }T
\ CATCH restores the input.
T{ : t7 S" 333 $$qweqweqwert$$ 334" EVALUATE 335 ; ' t7 CATCH -> -13 }T
T{ : t8 S" 222 ' t7 CATCH 223" EVALUATE 224 ; t8 -> 222 -13 223 224 }T
VARIABLE depth-reached
: dive depth-reached @ 30 < IF 1 depth-reached +! RECURSE THEN depth-reached @ 30 = IF 77 THROW THEN ;
: dive-caught depth-reached @ 30 < IF 1 depth-reached +! ['] dive CATCH THROW THEN ;
T{ 0 depth-reached ! ' dive-caught CATCH -> 77 }T
\ CATCH can be nested 400 deep; deeper ones fail with -53, which is caught.
DEFER nested
:NONAME ( n -- code ) DUP 0= IF 7 THROW THEN 1- ['] nested CATCH DUP IF THROW THEN ; IS nested
T{ 300 ' nested CATCH NIP 100000 ' nested CATCH NIP -> 7 -53 }T
T{ : many 0 1000 0 DO ['] nine CATCH + LOOP ; many -> 9000 }T
\ Words that need a definition throw -14 outside of one.
T{ : interprets ( addr n -- code ) ['] EVALUATE CATCH NIP NIP ; -> }T
T{ S" IF" interprets S" 1 >R" interprets S" LOOP" interprets -> -14 -14 -14 }T
T{ S" EXIT" interprets S" ;" interprets S" ['] DUP" interprets -> -14 -14 -14 }T
T{ : bracketed [ BEGIN ] 5 EXIT [ AGAIN ] ; bracketed -> 5 }T
T{ 5 0 ABORT" no" S\" TRUE ABORT\" yes\"" interprets -> 5 -2 }T
\ `;` checks that a definition is open and that its control structures are complete.
VARIABLE code
: interprets! ( addr n -- ) interprets code ! ;
T{ S" ] ;" interprets! [ code @ -> -14 }T
T{ : open1 5 ; IMMEDIATE S" ] ;" interprets! [ : open4 open1 LITERAL ; open4 -> 5 }T
T{ S" : open2 IF ;" interprets! ; code @ -> -22 }T
T{ S" : open3 LEAVE ;" interprets! [ code @ -> -22 }T
T{ : defines : POSTPONE LITERAL POSTPONE ; ; 5 defines five2 five2 -> 5 }T
\ Locals are declared in definitions, outside of control structures.
T{ S" {: a :}" interprets S" LOCALS| a |" interprets -> -14 -14 }T
T{ S" : open5 IF {: a :}" interprets! [ code @ -> -22 }T
T{ S" : open6 BEGIN LOCALS| a |" interprets! [ code @ -> -22 }T
T{ : open7 {: a :} a IF a ELSE 5 THEN ; 0 open7 3 open7 -> 5 3 }T

TESTING words that only deferred words have
T{ ' DUP ' DROP ' DEFER! CATCH NIP NIP -> -32 }T
T{ ' DROP ' DEFER@ CATCH NIP -> -32 }T
T{ : is-dup IS DUP ; : of-dup ACTION-OF DUP ; 5 ' is-dup CATCH NIP ' of-dup CATCH -> -32 -32 }T
