\ Game sections, players, turns, directions.
T{ {directions -> }T                    \ expect error: ScriptMessage
{board
	3 4 {grid}
	{position} x
	{position} y
	{variable} v
	2 {array} cells[]
	3 {carray} bytes[]
board}
T{ $rows @ $columns @ $positions @ $posCount @ -> 3 4 14 2 }T
\ 14 positions and a variable of 4 bytes each, the array of 8 bytes, 3 bytes.
T{ $boardSize @ -> 71 }T
T{ $scanPositions @ -> 14 }T
T{ a3 d3 a2 d2 a1 d1 x y -> 0 3 4 7 8 11 12 13 }T
T{ $posNames @ @ TYPE $posNames @ 11 CELLS + @ TYPE $posNames @ 12 CELLS + @ TYPE -> }T \ expect: "a3d1x"
T{ v $board @ - -> 56 }T
T{ 1 cells[] $board @ - -> 64 }T
T{ 2 bytes[] $board @ - -> 70 }T
T{ ' a1 CFA>PFA @ ' a1 DUP CFA>PFA SWAP - -> 8 8 }T
T{ ' x CFA>NFA $lastPosNFA @ = ' y CFA>NFA $lastPosNFA @ = -> 0 -1 }T
\ 97 and 100 are the codes of the column letters a and d.
T{ 97 1 $PositionToIndex 100 3 $PositionToIndex -> 8 3 }T
T{ 0 $IndexToPosition 11 $IndexToPosition -> 97 3 100 1 }T
T{ 2 3 $RowColumnToIndex 0 0 $RowColumnToIndex -> 11 0 }T
T{ 0 $LegalRow? 2 $LegalRow? 3 $LegalRow? -1 $LegalRow? -> -1 -1 0 0 }T
T{ 0 $LegalColumn? 3 $LegalColumn? 4 $LegalColumn? -1 $LegalColumn? -> -1 -1 0 0 }T
T{ 0 $LegalPos? 13 $LegalPos? 14 $LegalPos? -1 $LegalPos? -> -1 -1 0 0 }T
T{ ?? $anonymous @ TYPE -> -1 }T        \ expect: "??"
T{ 3 3 {grid} -> }T                     \ expect error: ScriptMessage

{directions
	-1  0 {direction} n
	 1  0 {direction} s
	 0  1 {direction} e
	 0 -1 {direction} w
	{link} jump a1 x
	{link} jump x y
	{unlink} e a1
directions}
T{ $directionCount @ -> 5 }T
T{ a1 to n here -> -1 4 }T
T{ a3 to n here -> 0 0 }T
T{ a1 to e here -> 0 8 }T
T{ b1 to e here b1 to w here -> -1 10 -1 8 }T
T{ d1 to e here -> 0 11 }T
T{ a1 to jump here jump here jump here -> -1 12 -1 13 0 13 }T
T{ x to n here -> 0 12 }T
T{ ' e CFA>PFA b1 CELLS + @ ' e CFA>PFA a1 CELLS + @ -> 10 -1 }T
T{ ' e $DirectionCFAToIndex ' s $DirectionCFAToIndex -> 2 1 }T
T{ $directions @ 2 CELLS + @ ' e = -> -1 }T
T{ a1 to ' n CFA>PFA $DoDirection here -> -1 4 }T
T{ b2 d3 ' n CFA>PFA $Link b2 to n here b2 b3 ' n CFA>PFA $Link -> -1 3 }T
T{ {link} jump y a3 y to jump here {unlink} jump y y to jump -> -1 0 0 }T

\ {link} and {unlink} write into the body of the word named next, of any kind. {link} makes a direction only of a new name.
CREATE cells-of 14 CELLS ALLOT
T{ {link} cells-of y a1 cells-of 13 CELLS + @ {unlink} cells-of y cells-of 13 CELLS + @ -> 8 -1 }T
T{ 5 CONSTANT five {link} five a3 b3 five -> 1 }T
T{ $directionCount @ ' five CFA>PFA 4 + ' five $BodyEnd = -> 5 -1 }T
T{ b2 d3 ' n $Relink b2 to n here b2 b3 ' n $Relink -> -1 3 }T
T{ {unlink} nosuch a1 -> }T             \ expect error: UndefinedWord nosuch
T{ {link} five b3 a1 -> }T              \ expect error: ScriptMessage has no cell for that position
T{ {unlink} five b3 -> }T               \ expect error: ScriptMessage has no cell for that position
T{ -1 0 ' n $Relink -> }T               \ expect error: ScriptMessage has no cell for that position
T{ 1073741824 0 ' n $Relink -> }T       \ expect error: ScriptMessage has no cell for that position

{players
	{player} A
	{player} B {random}
	{player} C {first}
	{player} D {UCT}
	{player} E {search-engine} my-engine
	{neutral} R
players}                                \ expect error: UndefinedWord my-engine
: my-engine ;
{players
	{player} A
	{player} B {random}
	{player} C {first}
	{player} D {UCT}
	{player} E {search-engine} my-engine
	{neutral} R
players}
\ Player n is n times 2048; a neutral player has 1024 more.
T{ A B C R -> 2048 4096 6144 13312 }T
T{ player-count $playerCount @ -> 6 6 }T
T{ $player-count TYPE -> }T             \ expect: "player-count"
T{ $engines @ @ ' $NegamaxMove = -> -1 }T
T{ $engines @ 4 + @ ' $RandomMoveEngine = -> -1 }T
T{ $engines @ 8 + @ ' $FirstMoveEngine = -> -1 }T
T{ $engines @ 12 + @ ' $UCTMove = -> -1 }T
T{ $engines @ 16 + @ ' my-engine = -> -1 }T
T{ $players @ 4 + @ ' B = -> -1 }T
T{ A player-index R player-index B 5 OR player-index -> 0 5 1 }T
T{ 3 $EncodePlayer -> 6144 }T

{turn-order
	{turn} A
	{repeat}
	{turn} B {of-type} calm
	{turn} C {for-player} R {of-type} wild
turn-order}
\ Offsets of turns are in bytes; a turn has three cells.
T{ $turnLimit @ $repeatOffset @ -> 36 12 }T
T{ calm wild -> 1 2 }T
T{ $moveType @ -> 2 }T
T{ $turnOrder @ 3 CELLS + @ ' B = $turnOrder @ 6 CELLS + @ ' C = $turnOrder @ 7 CELLS + @ ' R = -> -1 -1 -1 }T
T{ $turnOrder @ 5 CELLS + @ $turnOrder @ 8 CELLS + @ -> 1 2 }T
T{ 0 $SetTurn turn-offset current-player for-player of-type -> 0 2048 2048 0 }T
T{ 24 $SetTurn turn-offset current-player for-player of-type -> 24 6144 13312 2 }T
T{ $player @ $forPlayer @ $ofType @ $turnOffset @ $playerOffset @ -> 6144 13312 2 24 8 }T
T{ $playerName @ TYPE -> }T             \ expect: "C"
T{ 0 next-turn-offset 12 next-turn-offset 24 next-turn-offset -> 12 24 12 }T
T{ 0 turn-offset-to-player 24 turn-offset-to-player -> 2048 6144 }T
T{ 0 $SetTurn next-player 24 $SetTurn next-player -> 4096 4096 }T
T{ ' B $SetPlayer current-player $playerOffset @ 0 $SetTurn -> 4096 4 }T

\ Symmetries redefine the direction words; code compiled earlier still calls the plain direction.
: plain-n n ;
{symmetries
	B {symmetry} n s
	C {asymmetry} n e
symmetries}
T{ 0 $SetTurn b2 to n here -> -1 1 }T
T{ 12 $SetTurn b2 to n here b2 to s here -> -1 9 -1 1 }T
T{ 24 $SetTurn b2 to n here b2 to e here b2 to s here -> -1 6 -1 6 -1 9 }T
T{ 12 $SetTurn b2 to plain-n here 0 $SetTurn -> -1 1 }T
T{ ' n CFA>PFA @ 0 $SymmetryBase = -> -1 }T
\ Numbers of directions are found by name, also for words redefined by a symmetry (in version 140 of the library: 0).
T{ ' s $DirectionCFAToIndex ' e $DirectionCFAToIndex ' plain-n $DirectionCFAToIndex -> 1 2 0 }T
T{ 12 $SetTurn b2 to ' n CFA>PFA $DoIndirectDirection here 0 $SetTurn -> -1 9 }T

: step ;
: leap ;
{moves some-moves
	{move} step
	{move} leap {move-type} wild
	{move} step {move-type} newtype
moves}
\ A list contains its number of move words, then the token and type of each word.
T{ newtype $moveType @ -> 3 3 }T
T{ some-moves @ -> 3 }T
T{ some-moves 4 + @ ' step = some-moves 8 + @ -> -1 0 }T
T{ some-moves 12 + @ ' leap = some-moves 16 + @ -> -1 2 }T
T{ some-moves 24 + @ -> 3 }T
T{ {moves nothing moves} -> }T          \ expect error: ScriptMessage No moves defined.
{move-priorities
	{move-priority} wild
	{move-priority} calm
move-priorities}
\ The ranks by move type; 1000 is the rank of types without priority.
T{ $move-priorities @ 2 CELLS + @ $move-priorities @ 1 CELLS + @ $move-priorities @ 3 CELLS + @ $move-priorities @ @ -> 1 2 1000 1000 }T
T{ $priority @ -> 3 }T
{pieces
	{piece} Man {moves} some-moves {drops} some-moves 7 {value}
	{piece} King
	{dummy-pieces}
	{piece} Token
pieces}
T{ Man King Token -> 1 2 3 }T
\ The record of a piece type contains its name, moves, drops and value.
T{ $pieceCount @ $scanPieceCount @ $nextPiece @ -> 3 2 4 }T
T{ $pieces @ @ ' Man = $pieces @ 4 + @ ' some-moves = $pieces @ 8 + @ ' some-moves = $pieces @ 12 + @ -> -1 -1 -1 7 }T
T{ $pieces @ 16 + @ ' King = $pieces @ 20 + @ $pieces @ 24 + @ $pieces @ 28 + @ -> -1 0 0 1 }T
T{ $zobrist @ 0<> $playerToMoveHash @ 0<> -> -1 -1 }T
{board-setup
	{setup} A Man a1
	{setup} R Token x
board-setup}
T{ $boardSetup @ @ -> 2 }T
T{ $boardSetup @ 4 + @ TYPE $boardSetup @ 8 + @ TYPE $boardSetup @ 12 + @ TYPE -> }T \ expect: "AMana1"
T{ $boardSetup @ 24 + @ TYPE -> }T      \ expect: "x"

\ A second {turn-order replaces the turns and keeps the players. A second {board also clears the move types, their
\ priorities, the board set-up and the Zobrist numbers.
{turn-order {turn} B turn-order}
T{ $turnLimit @ $repeatOffset @ $playerCount @ -> 12 0 6 }T
{board
	2 2 {grid}
	{dummy-positions}
	{position} z
board}
T{ $positions @ $scanPositions @ z -> 5 4 4 }T
T{ $moveType @ $move-priorities @ $boardSetup @ $zobrist @ $priority @ -> 0 0 0 0 1 }T
$flipGrid ON
{board 2 2 {grid} board}
$flipGrid OFF
T{ a1 b1 a2 b2 -> 0 1 2 3 }T
T{ {players players} -> }T              \ expect error: ScriptMessage No players are defined.
T{ {pieces pieces} -> }T                \ expect error: ScriptMessage No pieces defined.
T{ board} -> }T                         \ expect error: SectionError
