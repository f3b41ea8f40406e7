\ vm: axiom=150 base=loaded/world.4th
\ Generation and the texts of moves.  The comments of loaded/world.4th explain the numbers of positions
\ and board cells.  99 is not a position.
\ All definitions are before the tests: a list of moves is allocated at HERE, and releasing the list
\ also removes later definitions.
: step-north n verify empty? verify from here move add-move ;
: step-or-capture-north n verify from here move add-move ;
: captures-three c3 capture-at b2 capture-at add-move c3 to capture add-move ;
: creates b1 create-at add-move c1 to create add-move ;
: creates-for-player B b1 create-player-at add-move c1 to B create-player add-move ;
: creates-type Q b1 create-piece-type-at add-move c1 to Q create-piece-type add-move ;
: creates-for-player-and-type B Q b1 create-player-piece-type-at add-move c1 to B Q create-player-piece-type add-move ;
: drops b1 to drop add-move Q drop-piece add-move Q c1 drop-piece-at add-move ;
: writes-text Q 1 $TextItem 1 0 $TextItem b1 3 $TextItem 12 4 $TextItem from b1 move add-move ;
: writes-text-late from b1 move 1 2 $TextItem add-move ;
: changes-types Q c3 change-type-at Q a1 change-type-at add-move ;
: moves-and-changes-type from here move Q change-type add-move ;
: changes-owners B a1 change-owner-at B b2 change-owner-at add-move ;
: captures-and-changes-owners c3 capture-at B a1 change-owner-at B b2 change-owner-at add-move ;
: moves-and-changes-owner b1 to from here move B change-owner add-move ;
: changes-created-piece b2 create-at B b2 change-owner-at Q b2 change-type-at add-move ;
: passes Pass ;
: passes-unless-partial PassNoPartial ;
: passes-always $Pass ;
: partial-before-move partial from b1 move add-move ;
: partial-type-after-move from b1 move 2 partial-move-type add-move ;
: refuses-only-move from b1 move FALSE verify add-move ;
: refuses-second-move from b1 move add-move from c1 move FALSE verify add-move ;
: refuse-in-loop 1 >R 3 0 DO FALSE verify LOOP ;
: refuses-second-move-in-loop from b1 move add-move refuse-in-loop ;
: leaves-three-cells 1 2 3 from b1 move add-move ;
: exits-after-move from b1 move add-move $Exit ;
\ m marks the run of a move word, d the run of a drop word.
: print-from ." m" from . ;
: print-here ." d" here . ;
: print-piece current-piece . current-piece-type . ;
: print-piece-at-a1 here a1 = IF current-piece . current-piece-type . ENDIF ;
: set-home-c1 c1 home ;
: print-from-and-here b1 to from . here . back here . ;
: b1-here-a1-from b1 to a1 home ;
: two-moves from b1 move add-move from c1 move add-move ;
CREATE text 64 ALLOT
: apply-first $CloneBoard $FirstMove .moveCFA EXECUTE ;
: generate-and-apply ( 'x -- ) gen $CloneBoard $FirstMove .moveCFA EXECUTE ;
: increment-counter counter ++ ;
: changes-counter COMPILE increment-counter 5 COMPILE-LITERAL COMPILE counter COMPILE +! from b1 move add-move ;
: add-and-remove-piece 2049 b1 (add-piece) b1 piece-at b1 (remove-piece) b1 piece-at ;
VARIABLE reserve
: reserve-cell reserve ;
: uses-reserve from b1 move remove-from-reserve add-move ;
: move-outside-board from 99 move add-move ;
: from-empty c1 b1 move add-move ;

T{ fresh ' step-north gen move-count texts -> 1 }T          \ expect: "P a1 - a2 | "
T{ fresh B P a2 place ' step-or-capture-north moves-of -> }T          \ expect: "P a1 x a2 | "
T{ fresh ' captures-three moves-of -> }T                     \ expect: "x c3 x b2 | x c3 | "
T{ fresh ' creates moves-of -> }T                     \ expect: "A P b1 | A P c1 | "
T{ fresh ' creates-for-player moves-of -> }T              \ expect: "B P b1 | B P c1 | "
T{ fresh ' creates-type moves-of -> }T                \ expect: "A Q b1 | A Q c1 | "
T{ fresh ' creates-for-player-and-type moves-of -> }T                \ expect: "B Q b1 | B Q c1 | "
T{ fresh ' drops moves-of -> }T                     \ expect: "A P b1 | A Q b1 | A Q c1 | "
T{ fresh ' changes-types moves-of -> }T                   \ expect: "= Q on c3 a1 | "
T{ fresh ' moves-and-changes-type moves-of -> }T                  \ expect: "P a1 x a1 = Q | "
T{ fresh ' captures-and-changes-owners moves-of -> }T              \ expect: "x c3 = B on a1 b2 | "
\ At the end of a move word, the engine keeps the square of its last edit but not the kind of that edit.  So after
\ moves-and-changes-type, whose last edit is on a1, `= B` on a1 is shown without this square: `= B b2`.
T{ fresh ' moves-and-changes-type moves-of ' changes-owners moves-of -> }T \ expect: "P a1 x a1 = Q | = B b2 | "
T{ fresh ' moves-and-changes-owner moves-of -> }T                   \ expect: "P a1 - b1 = B | "
T{ fresh ' changes-created-piece moves-of -> }T              \ expect: "A P b2 = B = Q on b2 | "
T{ fresh A P c1 place ' passes moves-of -> }T       \ expect: "Pass | "
T{ fresh ' passes-unless-partial moves-of -> }T                   \ expect: "Pass | "
T{ fresh $partial ON ' passes-unless-partial gen move-count $partial OFF -> 0 }T
T{ fresh A P c1 place ' passes-always gen move-count -> 2 }T
T{ $passed @ -> -1 }T
T{ fresh ' partial-before-move moves-of -> }T                    \ expect: "P a1 - b1 | "
T{ fresh ' partial-type-after-move moves-of -> }T                   \ expect: "P a1 - b1 | "
T{ fresh ' refuses-only-move gen move-count stalemate? -> 0 -1 }T
T{ fresh ' refuses-second-move moves-of -> }T                      \ expect: "P a1 - b1 | "
T{ fresh ' refuses-second-move-in-loop moves-of -> }T                      \ expect: "P a1 - b1 | "
T{ 7 fresh ' leaves-three-cells gen -> 7 }T
T{ fresh ' exits-after-move gen move-count -> 1 }T
T{ fresh ' step-north gen stalemate? -> 0 }T

\ The scan visits squares in ascending order.  For each square it runs first the move words of the piece on it,
\ then the drop words, also if the square is occupied.
T{ fresh A P c3 place ' print-here IS d1 ' print-from gen ' m-idle IS d1 -> }T \ expect: "d0 d1 m2 d2 d3 d4 d5 m6 d6 d7 d8 d9 "
T{ fresh ' print-piece gen -> }T                    \ expect: "2049 1 "
T{ fresh ' print-piece-at-a1 IS d1 ' m-idle gen ' m-idle IS d1 -> }T \ expect: "2051 3 "
T{ fresh ' set-home-c1 gen -> }T
T{ fresh ' print-from-and-here gen -> }T                    \ expect: "6 7 6 "
T{ fresh ' print-from IS m1 B FALSE 0 $GenerateMoves -> }T
T{ fresh B P b3 place ' print-from IS m1 A TRUE 0 $GenerateMoves -> }T \ expect: "m1 "
T{ fresh ' step-north gen $movesList @ ' step-north gen $movesList @ @ OVER = SWAP DROP -> -1 }T
T{ $DeallocateMoves move-count -> 1 }T
\ After a generation, `from` and `here` are the last position that the scan visited.
T{ fresh b1-here-a1-from from here ' step-north gen from here -> 6 7 9 9 }T

\ Version 150: a move record contains next, type, hash, code field.
T{ fresh ' refuses-second-move gen $movesList @ 4 + @ $movesList @ 8 + @ $FirstMove = -> 1 -1 }T
T{ fresh ' two-moves gen $FirstMove $NextMove $MoveString TYPE $FirstMove $NextMove $NextMove -> 0 }T \ expect: "P a1 - c1"
T{ $FirstMove .moveType $FirstMove - $FirstMove .moveCFA $FirstMove - -> 4 12 }T
T{ $FirstMove .moveType @ -> 0 }T
T{ $FirstMove text $DecompileMove text TYPE -> }T   \ expect: "P a1 - b1"
T{ $FirstMove $MoveString $buffer = -> -1 }T
T{ fresh ' two-moves gen $OutputMoves -> }T               \ expect: "[P a1 - b1]\n[P a1 - c1]\n"

\ Moves are applied on a cloned board; HERE is restored.
T{ fresh ' step-north gen HERE apply-first $DeallocateBoard HERE - -> 0 }T
T{ fresh ' step-north gen apply-first a1 piece-at a2 piece-at $DeallocateBoard a1 piece-at a2 piece-at -> 0 2049 2049 0 }T
T{ fresh ' step-north gen apply-first OnRetractMove a1 piece-at -> 2049 }T
T{ fresh ' partial-before-move gen apply-first $partial @ $DeallocateBoard $partial OFF -> -1 }T
T{ fresh ' partial-type-after-move gen apply-first $partial @ $ofType @ $DeallocateBoard $partial OFF 0 $ofType ! -> -1 2 }T
T{ fresh ' captures-three generate-and-apply c3 piece-at b2 piece-at $DeallocateBoard -> 0 0 }T
T{ fresh ' creates-for-player-and-type generate-and-apply b1 piece-at $DeallocateBoard -> 4098 }T
T{ fresh ' changes-types generate-and-apply c3 piece-at a1 piece-at $DeallocateBoard -> 4098 2050 }T
T{ fresh ' changes-owners generate-and-apply a1 piece-at b2 piece-at $DeallocateBoard -> 4097 4097 }T
T{ fresh ' changes-counter gen counter @ $CloneBoard $FirstMove .moveCFA EXECUTE counter @ $DeallocateBoard counter @ -> 0 6 0 }T
\ The items of a text replace the text that follows from the edits, if they come first.
T{ fresh ' writes-text moves-of -> }T                        \ expect: "Q x b1 12 | "
T{ fresh ' writes-text-late moves-of -> }T                   \ expect: "P a1 - b1 | "
T{ 0 0 $TextItem -> }T                                       \ expect error: ContextError
T{ fresh ' changes-counter moves-of -> }T                    \ expect: "P a1 - b1 | "
T{ fresh add-and-remove-piece -> 2049 0 }T
T{ fresh (partial) $partial @ $partial OFF -> -1 }T
T{ fresh 3 (partial-move-type) $ofType @ $partial @ $partial OFF 0 $ofType ! -> 3 -1 }T
T{ 5 reserve ! ' reserve-cell _amount-in-reserve ! remove-from-reserve, reserve @ -> 4 }T
T{ fresh ' uses-reserve generate-and-apply $DeallocateBoard reserve @ -> 3 }T
T{ fresh ' move-outside-board gen -> }T                        \ expect error: MoveBuildError
T{ fresh ' from-empty gen -> }T                     \ expect error: MoveBuildError
