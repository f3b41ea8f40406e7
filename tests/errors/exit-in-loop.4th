: first-over ( n -- n )
  10 0 DO
    DUP I < IF I EXIT ENDIF
  LOOP ;
3 first-over   \ expect error: unbalanced control structure: EXIT inside DO … LOOP, or DO without LOOP
