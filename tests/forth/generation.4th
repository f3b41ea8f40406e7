\ vm: axiom=150 base=loaded/world.4th
\ Generation and the texts of moves.
\ All definitions are before the tests: a list of moves is allocated at HERE, and releasing the list
\ also removes later definitions.
: up n verify empty? verify from here move add-move ;
: any n verify from here move add-move ;
: takes c3 capture-at b2 capture-at add-move c3 to capture add-move ;
: makes b1 create-at add-move c1 to create add-move ;
: makes-player B b1 create-player-at add-move c1 to B create-player add-move ;
: makes-type Q b1 create-piece-type-at add-move c1 to Q create-piece-type add-move ;
: makes-both B Q b1 create-player-piece-type-at add-move c1 to B Q create-player-piece-type add-move ;
: drops b1 to drop add-move Q drop-piece add-move Q c1 drop-piece-at add-move ;
: retypes Q c3 change-type-at Q a1 change-type-at add-move ;
: retypes2 from here move Q change-type add-move ;
: reowns B a1 change-owner-at B b2 change-owner-at add-move ;
: reowns-after c3 capture-at B a1 change-owner-at B b2 change-owner-at add-move ;
: reowns2 b1 to from here move B change-owner add-move ;
: text-b2-last b2 create-at B b2 change-owner-at Q b2 change-type-at add-move ;
: passes Pass ;
: passes2 PassNoPartial ;
: passes3 $Pass ;
: partly partial from b1 move add-move ;
: partly2 from b1 move 2 partial-move-type add-move ;
: refused from b1 move FALSE verify add-move ;
: half from b1 move add-move from c1 move FALSE verify add-move ;
: deep-refusal 1 >R 3 0 DO FALSE verify LOOP ;
: deep from b1 move add-move deep-refusal ;
: leaks 1 2 3 from b1 move add-move ;
: exits from b1 move add-move $Exit ;
: trace-move ." m" from . ;
: trace-drop ." d" here . ;
: trace-piece current-piece . current-piece-type . ;
: trace-drop2 here a1 = IF current-piece . current-piece-type . ENDIF ;
: trace-home c1 home ;
: nested-home b1 to from . here . back here . ;
: b1-now b1 to a1 home ;
: two from b1 move add-move from c1 move add-move ;
CREATE text 64 ALLOT
: apply-first $CloneBoard $FirstMove .moveCFA EXECUTE ;
: applied-count ( 'x -- ) gen $CloneBoard $FirstMove .moveCFA EXECUTE ;
: bump counter ++ ;
: counts COMPILE bump 5 COMPILE-LITERAL COMPILE counter COMPILE +! from b1 move add-move ;
: by-hand $board @ 7 CELLS + DROP 2049 b1 (add-piece) b1 piece-at b1 (remove-piece) b1 piece-at ;
VARIABLE reserve
: reserve-cell reserve ;
: uses-reserve from b1 move remove-from-reserve add-move ;
: outside from 99 move add-move ;
: from-empty c1 b1 move add-move ;

T{ fresh ' up gen move-count texts -> 1 }T          \ expect: "P a1 - a2 | "
T{ fresh B P a2 place ' any moves-of -> }T          \ expect: "P a1 x a2 | "
T{ fresh ' takes moves-of -> }T                     \ expect: "x c3 x b2 | x c3 | "
T{ fresh ' makes moves-of -> }T                     \ expect: "A P b1 | A P c1 | "
T{ fresh ' makes-player moves-of -> }T              \ expect: "B P b1 | B P c1 | "
T{ fresh ' makes-type moves-of -> }T                \ expect: "A Q b1 | A Q c1 | "
T{ fresh ' makes-both moves-of -> }T                \ expect: "B Q b1 | B Q c1 | "
T{ fresh ' drops moves-of -> }T                     \ expect: "A P b1 | A Q b1 | A Q c1 | "
T{ fresh ' retypes moves-of -> }T                   \ expect: "= Q on c3 a1 | "
T{ fresh ' retypes2 moves-of -> }T                  \ expect: "P a1 x a1 = Q | "
T{ fresh ' reowns-after moves-of -> }T              \ expect: "x c3 = B on a1 b2 | "
\ For the text of the next move, the square edited last is preserved; the last change is not.
T{ fresh ' retypes2 moves-of ' reowns moves-of -> }T \ expect: "P a1 x a1 = Q | = B b2 | "
T{ fresh ' reowns2 moves-of -> }T                   \ expect: "P a1 - b1 = B | "
T{ fresh ' text-b2-last moves-of -> }T              \ expect: "A P b2 = B = Q on b2 | "
T{ fresh A P c1 place ' passes moves-of -> }T       \ expect: "Pass | "
T{ fresh ' passes2 moves-of -> }T                   \ expect: "Pass | "
T{ fresh $partial ON ' passes2 gen move-count $partial OFF -> 0 }T
T{ fresh A P c1 place ' passes3 gen move-count -> 2 }T
T{ $passed @ -> -1 }T
T{ fresh ' partly moves-of -> }T                    \ expect: "P a1 - b1 | "
T{ fresh ' partly2 moves-of -> }T                   \ expect: "P a1 - b1 | "
T{ fresh ' refused gen move-count stalemate? -> 0 -1 }T
T{ fresh ' half moves-of -> }T                      \ expect: "P a1 - b1 | "
T{ fresh ' deep moves-of -> }T                      \ expect: "P a1 - b1 | "
T{ 7 fresh ' leaks gen -> 7 }T
T{ fresh ' exits gen move-count -> 1 }T
T{ fresh ' up gen stalemate? -> 0 }T

\ The scan visits squares in ascending order: first the pieces' moves, then all drops, including
\ occupied squares.
T{ fresh A P c3 place ' trace-drop IS d1 ' trace-move gen ' m-idle IS d1 -> }T \ expect: "d0 d1 m2 d2 d3 d4 d5 m6 d6 d7 d8 d9 "
T{ fresh ' trace-piece gen -> }T                    \ expect: "2049 1 "
T{ fresh ' trace-drop2 IS d1 ' m-idle gen ' m-idle IS d1 -> }T \ expect: "2051 3 "
T{ fresh ' trace-home gen -> }T
T{ fresh ' nested-home gen -> }T                    \ expect: "6 7 6 "
T{ fresh ' trace-move IS m1 B FALSE 0 $GenerateMoves -> }T
T{ fresh B P b3 place ' trace-move IS m1 A TRUE 0 $GenerateMoves -> }T \ expect: "m1 "
T{ fresh ' up gen $movesList @ ' up gen $movesList @ @ OVER = SWAP DROP -> -1 }T
T{ $DeallocateMoves move-count -> 1 }T
\ After a generation, `from` and `here` are the last position that the scan visited.
T{ fresh b1-now from here ' up gen from here -> 6 7 9 9 }T

\ Version 150: a move record contains next, type, hash, code field.
T{ fresh ' half gen $movesList @ 4 + @ $movesList @ 8 + @ $FirstMove = -> 1 -1 }T
T{ fresh ' two gen $FirstMove $NextMove $MoveString TYPE $FirstMove $NextMove $NextMove -> 0 }T \ expect: "P a1 - c1"
T{ $FirstMove .moveType $FirstMove - $FirstMove .moveCFA $FirstMove - -> 4 12 }T
T{ $FirstMove .moveType @ -> 0 }T
T{ $FirstMove text $DecompileMove text TYPE -> }T   \ expect: "P a1 - b1"
T{ $FirstMove $MoveString $buffer = -> -1 }T
T{ fresh ' two gen $OutputMoves -> }T               \ expect: "[P a1 - b1]\n[P a1 - c1]\n"

\ Moves are applied on a cloned board; HERE is restored.
T{ fresh ' up gen HERE apply-first $DeallocateBoard HERE - -> 0 }T
T{ fresh ' up gen apply-first a1 piece-at a2 piece-at $DeallocateBoard a1 piece-at a2 piece-at -> 0 2049 2049 0 }T
T{ fresh ' up gen apply-first OnRetractMove a1 piece-at -> 2049 }T
T{ fresh ' partly gen apply-first $partial @ $DeallocateBoard $partial OFF -> -1 }T
T{ fresh ' partly2 gen apply-first $partial @ $ofType @ $DeallocateBoard $partial OFF 0 $ofType ! -> -1 2 }T
T{ fresh ' takes applied-count c3 piece-at b2 piece-at $DeallocateBoard -> 0 0 }T
T{ fresh ' makes-both applied-count b1 piece-at $DeallocateBoard -> 4098 }T
T{ fresh ' retypes applied-count c3 piece-at a1 piece-at $DeallocateBoard -> 4098 2050 }T
T{ fresh ' reowns applied-count a1 piece-at b2 piece-at $DeallocateBoard -> 4097 4097 }T
T{ fresh ' counts gen counter @ $CloneBoard $FirstMove .moveCFA EXECUTE counter @ $DeallocateBoard counter @ -> 0 6 0 }T
T{ fresh ' counts moves-of -> }T                    \ expect: "P a1 - b1 | "
T{ fresh by-hand -> 2049 0 }T
T{ fresh (partial) $partial @ $partial OFF -> -1 }T
T{ fresh 3 (partial-move-type) $ofType @ $partial @ $partial OFF 0 $ofType ! -> 3 -1 }T
T{ 5 reserve ! ' reserve-cell _amount-in-reserve ! remove-from-reserve, reserve @ -> 4 }T
T{ fresh ' uses-reserve applied-count $DeallocateBoard reserve @ -> 3 }T
T{ fresh ' outside gen -> }T                        \ expect error: MoveBuildError
T{ fresh ' from-empty gen -> }T                     \ expect error: MoveBuildError
