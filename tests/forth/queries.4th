\ vm: axiom=150 base=loaded/world.4th
\ Queries and constants.  The comments of loaded/world.4th explain the numbers of positions and board
\ cells.
fresh
T{ a1 board[] @ c3 board[] @ b2 board[] @ b1 board[] @ -> 2049 4098 7169 0 }T
T{ a1 board[] $board @ - -> 24 }T
T{ 0 $SetTurn current-player for-player -> A A }T
T{ a1 to here piece piece-type player -> 6 2049 1 2048 }T
T{ c3 piece-at c3 piece-type-at c3 player-at -> 4098 2 4096 }T
T{ b2 player-at b2 piece-type-at -> 7168 1 }T
T{ b1 to piece piece-type player -> 0 0 0 }T
T{ b1 empty-at? a1 empty-at? b1 not-empty-at? a1 not-empty-at? -> -1 0 0 -1 }T
T{ b1 to empty? not-empty? a1 to empty? not-empty? -> -1 0 0 -1 }T
T{ a1 friend-at? c3 friend-at? b2 friend-at? b1 friend-at? -> -1 0 0 0 }T
T{ a1 enemy-at? c3 enemy-at? b2 enemy-at? b1 enemy-at? -> 0 -1 -1 0 }T
T{ a1 to friend? enemy? c3 to friend? enemy? -> -1 0 0 -1 }T
T{ c3 B friend-of? c3 A friend-of? b1 A friend-of? b2 N friend-of? -> -1 0 0 -1 }T
T{ c3 B enemy-of? c3 A enemy-of? b1 A enemy-of? b2 A enemy-of? -> 0 -1 0 -1 }T
T{ b2 neutral-piece-at? a1 neutral-piece-at? b1 neutral-piece-at? -> -1 0 0 }T
T{ b2 to neutral-piece? a1 to neutral-piece? -> -1 0 }T
T{ a1 to 1 not-piece-type? 2 not-piece-type? -> 0 -1 }T
T{ c3 2 not-piece-type-at? c3 1 not-piece-type-at? -> 0 -1 }T
T{ a1 piece-at piece-value c3 piece-at piece-value T piece-value -> 3 5 1 }T
T{ a1 piece-at piece-index c3 piece-at piece-index -> 0 1 }T
T{ A material-balance B material-balance -> -2 2 }T
T{ A P c1 place A material-balance fresh -> 1 }T
T{ b1 to a1 home back here from fresh -> 6 6 }T
T{ A B OnFriends? A A OnFriends? -> 0 -1 }T
: OnFriends? 2DROP TRUE ;
T{ A B OnFriends? c3 friend-at? -> -1 0 }T
T{ a1 board[] DUP @ 65536 OR SWAP ! a1 piece-at a1 piece-type-at a1 player-at fresh -> 67585 1 2048 }T
T{ counter $board @ - 3 pots[] $board @ - 2 bits[] $board @ - -> 40 56 62 }T
\ $BoardHash depends on its cells only: 10 cells are less than the offset of counter.
: same-hash? ( n hash -- ? ) SWAP $BoardHash = ;
T{ 10 $BoardHash 11 $BoardHash 5 counter ! 11 SWAP same-hash? SWAP 10 SWAP same-hash? fresh -> 0 -1 }T
T{ 10 $BoardHash 7 2 bits[] C! 10 SWAP same-hash? fresh -> -1 }T
T{ 99 $BoardHash 1073741824 $BoardHash = -> -1 }T
T{ 99 $BoardHash 1 c1 board[] +! 99 SWAP same-hash? 0 $BoardHash -1 $BoardHash = fresh -> 0 -1 }T
\ Values by position for A's pieces of type 1 and B's of type 2; the other types have none.
CREATE worths 64 CELLS ALLOT worths 256 ERASE
CREATE tens 16 CELLS ALLOT
: fill-tens ( -- ) 16 0 DO I 10 * tens I CELLS + ! LOOP ;
fill-tens tens worths ! tens worths $pieceCount @ 1+ CELLS + !
T{ worths A $PlaceBalance worths B $PlaceBalance -> a1 c3 - 10 * c3 a1 - 10 * }T
T{ 0 worths ! worths A $PlaceBalance tens worths ! -> c3 -10 * }T
T{ -4 worths ! worths A $PlaceBalance -> }T                \ expect error: AddressError
tens worths !
T{ 5 counter ! counter @ $NewGame counter @ fresh -> 5 0 }T

T{ #UnknownScore #LossScore #DrawScore #WinScore -> -2140000000 -2130000000 0 2130000000 }T
T{ #KeepSearching #StopSoon #StopNow #DepthLimit #ForeverDepth -> 0 1 2 3 10 }T
T{ #PieceType #Player #PlayerNumber #PiecePlayer #Neutral #PlayerBase #PlayerShift #Empty -> 1023 64512 63488 65535 1024 2048 11 0 }T
T{ #Version #Directions #Moves #MaxPriorities #Turns #Players #Pieces -> 150 128 128 128 128 32 1024 }T
T{ #PieceCells #TurnOrderCells #movesCell #DropsCell #ValueCell #NoMoveType #NoPriority -> 4 3 1 2 3 0 1000 }T
T{ #MB_OK #MB_OKCANCEL #MB_ABORTRETRYIGNORE #MB_YESNOCANCEL #MB_YESNO #MB_RETRYCANCEL -> 0 1 2 3 4 5 }T
T{ #MB_ICONSTOP #MB_ICONQUESTION #MB_ICONEXCLAMATION #MB_ICONINFORMATION -> 16 32 48 64 }T
T{ #IDOK #IDCANCEL #IDABORT #IDRETRY #IDIGNORE #IDYES #IDNO #IDTRYAGAIN #IDCONTINUE -> 1 2 3 4 5 6 7 10 11 }T

\ Directives and their defaults.
T{ $gameLog @ $flipGrid @ $passTurnForced @ $authoring @ -> 0 0 0 0 }T
T{ $shareMovesList @ $combinePartial @ $gameResultBug @ -> -1 -1 -1 }T
T{ 7 $turnNumber ! turn-number 1 $turnNumber ! turn-number -> 7 1 }T
