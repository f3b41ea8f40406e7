\ vm: axiom=150 base=loaded/world.4th
\ $CatchExit.  The comments of loaded/world.4th explain the numbers of
\ positions and board cells.
\ All definitions are before the tests: releasing a list of moves also removes later definitions.
: ends 11 DROP ;
: exits 22 $Exit ;
: exits-deep exits 33 ;
: exits-in-loop 5 0 DO I 2 = IF $Exit ENDIF LOOP ;
: pops 2DROP ;
: leaves 7 8 9 ;
: replaces DROP + 6 5 ;
: pushes-return 1 >R 2 >R $Exit ;
: caught ( 'x -- ) $CatchExit . ;
: in-loop 3 0 DO I . ['] exits caught LOOP ;
: outer ['] exits caught ['] ends caught $Exit ;
: walks c1 to b1 home 4096 $piece ! 7 $lastMoveType ! 2 (partial-move-type) $Exit ;
: turns ['] B $SetPlayer B $forPlayer ! ;
: writes 5 counter ! 2050 c1 board[] ! $Exit ;
: clones $CloneBoard a1 (remove-piece) $Exit ;
: generates A FALSE 0 $GenerateMoves $CloneBoard $Exit ;
: step-north n verify empty? verify from here move add-move ;
: defines S" : made-inside 5 ;" DROP 1 ALLOT ;
: edits from c1 move a1 capture-at COMPILE m-idle 9 , c1 to $Exit ;
: edits-inside from b1 move ['] edits $CatchExit DROP B here change-owner-at add-move ;
: refused-inside ['] edits $CatchExit verify from b1 move add-move ;
: adds from c1 move add-move ;
: adds-inside ['] adds $CatchExit DROP ;
: passes-inside ['] Pass $CatchExit DROP $passed @ . ;
: generates-inside ['] generates $CatchExit DROP ;
: nested ['] edits $CatchExit from b1 move DROP $Exit ;
: nests ['] nested $CatchExit . from b1 move add-move ;
DEFER again
VARIABLE levels
: deep levels -- levels @ IF ['] again $CatchExit DROP ELSE $Exit ENDIF 9 ;
' deep IS again

T{ ' ends $CatchExit -> 0 }T
T{ ' exits $CatchExit -> -1 }T
T{ ' exits-deep $CatchExit -> -1 }T
T{ ' exits-in-loop $CatchExit -> -1 }T
T{ 1 2 3 ' pops $CatchExit -> 1 2 3 0 }T
T{ 1 2 3 ' leaves $CatchExit -> 1 2 3 0 }T
T{ 1 2 3 ' exits $CatchExit -> 1 2 3 -1 }T
T{ 1 2 3 ' replaces $CatchExit -> 1 2 3 0 }T
T{ 5 ' pushes-return $CatchExit -> 5 -1 }T
T{ in-loop -> }T                                        \ expect: "0 -1 1 -1 2 -1 "
T{ ' outer $CatchExit -> -1 }T                          \ expect: "-1 0 "
T{ 0 $CatchExit -> }T                                   \ expect error: BadCodeError

\ Variables that the words of generation change.
T{ fresh a2 to a1 home 0 $piece ! ' walks $CatchExit here from $piece @ $ofType @ $partial @ -> -1 3 6 0 0 0 }T
T{ $lastMoveType @ -> 0 }T
T{ fresh ' turns $CatchExit current-player for-player $playerOffset @ $playerName @ TYPE -> 0 2048 2048 0 }T \ expect: "A"
\ Other variables and the board keep their values.
T{ fresh ' writes $CatchExit counter @ c1 piece-at 0 c1 board[] ! -> -1 5 2050 }T

\ Boards and lists that the word leaves are freed.
T{ fresh ' m-idle gen $board @ HERE ' clones $CatchExit ROT $board @ = ROT HERE = a1 piece-at clear-list -> -1 -1 -1 2049 }T
T{ fresh ' step-north gen $movesList @ HERE ' generates $CatchExit ROT $movesList @ = ROT HERE = move-count clear-list -> -1 -1 -1 1 }T
\ Without lists and boards, words defined inside remain.
T{ HERE ' defines $CatchExit HERE ROT - -1 ALLOT -> 0 1 }T
\ The word may free its caller's list.
T{ fresh ' step-north gen ' clear-list $CatchExit $movesList @ -> 0 0 }T

\ In a move word: the move under construction is as before, and edits inside have no effect.
T{ fresh ' edits-inside moves-of -> }T                  \ expect: "P a1 - b1 = B on a1 | "
T{ fresh ' refused-inside moves-of -> }T                \ expect: "P a1 - b1 | "
T{ fresh ' adds-inside gen move-count -> 0 }T
T{ fresh ' passes-inside gen move-count -> 0 }T         \ expect: "0 "
T{ fresh ' generates-inside gen -> }T                   \ expect error: ContextError inside a move word
T{ fresh ' nests moves-of -> }T                         \ expect: "-1 P a1 - b1 | "
T{ 20 levels ! ' deep $CatchExit levels @ -> 0 0 }T
T{ 1 levels ! ' deep $CatchExit levels @ -> -1 0 }T
T{ 1000 levels ! ' deep $CatchExit -> }T                \ expect error: NestingTooDeep
