\ axiom-sections.4th: the words that define a game, section by section.  Loaded by axiom.4th.
\ An opening word creates a new table and leaves values on the stack.  The words inside the section
\ use these values, and the closing word removes them.  A later section of the same kind replaces
\ an earlier one.

VARIABLE $direction1CFA ( -- addr )  \ First direction of a symmetry.
VARIABLE $direction2CFA ( -- addr )  \ Second direction of a symmetry.
VARIABLE $direction1Index ( -- addr )  \ Number of the first direction.
VARIABLE $direction2Index ( -- addr )  \ Number of the second direction.
VARIABLE $symmetryPlayerCELLOffset ( -- addr )  \ Offset of its player in rows of $symmetries.

\ --- hash keys ------------------------------------------------------------------------------

VARIABLE $zobristKeys ( -- addr )  \ Number of keys in the table $zobrist.
: $MakeZobristTable ( n -- )  \ Append n random pairs of cells.
	0 DO HERE 2 CELLS ALLOT $Rand64! LOOP ;
: $KeysNeeded ( -- n )  \ Number of keys: one for every piece type, player and position.
	$pieceCount @ $playerCount @ * $positions @ * ;
: $GeneratePiecePositionHash ( -- )  \ Make the keys of pieces on positions.
	HERE $zobrist ! $KeysNeeded DUP $zobristKeys ! $MakeZobristTable ;
: $GeneratePlayerToMoveHash ( -- )  \ Make the keys of the player to move.
	HERE $playerToMoveHash ! $playerCount @ $MakeZobristTable ;
: $GenerateZobristTables ( -- )  \ Make both tables, unless they exist.
	$zobrist @ NOT IF $GeneratePiecePositionHash $GeneratePlayerToMoveHash ENDIF ;
: $UpdateZobristTables ( -- )  \ Make the tables when all sizes are known, or when a size has grown.
	$KeysNeeded $zobristKeys @ > IF $zobrist OFF ENDIF
	$KeysNeeded IF $useAxiomEngine @ IF $GenerateZobristTables ENDIF ENDIF ;

\ --- {board ... board} ----------------------------------------------------------------------

: $LegalRow? ( n -- ? )  \ Is n a row of the grid?
	DUP -1 > SWAP $rows @ < AND ;
: $LegalColumn? ( n -- ? )  \ Is n a column of the grid?
	DUP -1 > SWAP $columns @ < AND ;
: $LegalPos? ( n -- ? )  \ Is n a position?
	DUP -1 > SWAP $positions @ < AND ;
: $GridSize ( -- n )  \ Number of positions of the grid.
	$rows @ $columns @ * ;
: $RowColumnToIndex ( row col -- pos )  \ Index of a grid position, from 0 at the top left.
	SWAP $columns @ * + ;
: $PositionToIndex ( char row -- pos )  \ Index of a column letter and row number.
	$flipGrid @ IF 1- ELSE $rows @ SWAP - ENDIF SWAP ASCII a - $RowColumnToIndex ;
: $IndexToPosition ( pos -- char row )  \ Column letter and row number of an index.
	$columns @ /MOD $flipGrid @ IF 1+ ELSE $rows @ SWAP - ENDIF SWAP ASCII a + SWAP ;
: $CheckBoard ( -- )  \ Stop with an error if the board has been made already.
	$posNames @ ABORT" {grid} and {position} belong between {board and board}" ;
: $UpdateSize ( -- )  \ Make the board as large as its positions.
	$positions @ CELLS $boardSize ! ;

: $PosName ( pos -- addr )  \ Cell of a position in the table of names.
	CELLS $posNames @ + ;
: $GridName ( pos -- str )  \ Text of a grid position, such as a1.
	$IndexToPosition (NUMBER) $buffer C! PAD $buffer 1+ "MOVE $buffer ;
: $GenerateGridNames ( -- )  \ Make a constant for each position of the grid.
	$GridSize IF
		$GridSize 0 DO I I $GridName $MakeConstant LATEST @ I $PosName ! LOOP
	ENDIF ;
: $NamePosition ( nfa -- )  \ Enter a {position} into the table, unless a grid covers it.
	DUP NFA>PFA @ DUP $GridSize >= IF $PosName SWAP @ SWAP ! ELSE 2DROP ENDIF ;
: $NamePositions ( -- )  \ Enter all positions made by {position}, the last first.
	$lastPosNFA @ $posCount @ BEGIN DUP WHILE
		SWAP DUP $NamePosition NFA>PFA CELLSIZE + @ SWAP 1-
	REPEAT 2DROP ;
: $DefinePosNames ( -- )  \ Make the table of names, and the constants of the grid.
	HERE $posNames ! $anonymous @ $positions @ $CommaCells
	$GenerateGridNames $NamePositions ;

: {board ( -- )  \ Begin the board: clear positions, move types, priorities, set-up and keys.
	$rows OFF $columns OFF $positions OFF $scanPositions OFF $posCount OFF
	$board OFF $posNames OFF $boardSetup OFF $zobrist OFF $zobristKeys OFF
	$moveType OFF $move-priorities OFF 1 $priority ! ;
: {grid} ( rows cols -- )  \ Positions 0 to rows * cols - 1, named when the board ends.
	$CheckBoard $columns ! $rows ! $GridSize $positions ! $UpdateSize ;
: {position} ( -- )  \ Make the next name a further position.
	\ a constant, whose body also contains the header of the previous {position}
	$CheckBoard $positions @ CONSTANT $lastPosNFA @ , LATEST $lastPosNFA !
	$positions ++ $posCount ++ $UpdateSize ;
: {dummy-positions} ( -- )  \ Positions defined after this are not visited by move generation.
	$positions @ $scanPositions ! ;
: {variable} ( -- )  \ Make the next name a cell of the board: ( -- addr ) in the current board.
	<BUILDS $boardSize @ , CELLSIZE $boardSize +! DOES> @ $board @ + ;
: {array} ( n -- )  \ Make the next name n cells of the board: ( i -- addr ).
	<BUILDS $boardSize @ , DUP , CELLS $boardSize +! DOES> @ SWAP 4 * + $board @ + ;
: {carray} ( n -- )  \ Make the next name n bytes of the board: ( i -- addr ).
	<BUILDS $boardSize @ , DUP , $boardSize +! DOES> @ + $board @ + ;
: $MakeBoard ( -- )  \ Append a link cell and the board; continue at a cell boundary.
	0 , HERE $board ! $boardSize @ 3 + -4 AND ALLOT $board @ $boardSize @ ERASE ;
: board} ( -- )  \ End the board: make its names and its memory.
	$DefinePosNames $MakeBoard
	$scanPositions @ NOT IF {dummy-positions} ENDIF ;

\ --- {directions ... directions} ------------------------------------------------------------
\ The body of a direction has a cell per position: the index of the neighbour, or -1.

: $DirectionCFA ( n -- 'dir )  \ Token of direction n.
	CELLS $directions @ + @ ;
: $SameDirection? ( str n -- ? )  \ Is str the name of direction n?
	$DirectionCFA CFA>NFA @ "= ;
: $DirectionCFAToIndex ( 'dir -- n )  \ Number of the direction with the name of 'dir, 0 if unknown.
	CFA>NFA @ $directionCount @ BEGIN
		1- DUP 0> IF 2DUP $SameDirection? ELSE TRUE ENDIF
	UNTIL SWAP DROP 0 MAX ;

: $BuildDirection ( -- )  \ Append the body of a direction without links.
	HERE $currDirection ! -1 $positions @ $CommaCells ;
: $CreateDirectionFromString ( str -- )  \ Make a direction word with a text as its name.
	HEADER $BuildDirection DOES> $DoDirection ;
: $CreateDirection ( -- )  \ Make the next name a direction word.
	-FIND DROP PAD $CreateDirectionFromString ;
: $EnterDirection ( addr -- addr' )  \ Put the newest word into the table of directions.
	$directionCount @ #Directions >= ABORT" too many directions: the limit is 128"
	LATEST NFA>CFA $addr, $directionCount ++ ;

: $Link ( from to pfa -- )  \ Link two positions.
	ROT CELLS + ! ;
: $LinkPlace ( drow dcol row col -- )  \ Link a grid position if its neighbour is in the grid.
	2DUP $RowColumnToIndex >R ROT + >R + R>
	2DUP $LegalColumn? SWAP $LegalRow? AND IF
		$RowColumnToIndex R> SWAP $currDirection @ $Link
	ELSE
		2DROP R> DROP
	ENDIF ;
: $MakeLinks ( drow dcol -- )  \ Link all grid positions.
	$GridSize IF
		$rows @ 0 DO $columns @ 0 DO 2DUP J I $LinkPlace LOOP LOOP
	ENDIF 2DROP ;

: {directions ( -- addr )  \ Begin the directions; discard earlier ones.
	$positions @ 0= ABORT" {directions needs a board"
	$directionCount OFF HERE DUP $directions ! #Directions CELLS ALLOT ;
: {direction} ( addr drow dcol -- addr' )  \ Make the next name a step over the grid.
	$CreateDirection $MakeLinks $EnterDirection ;
: $BodyEnd ( cfa -- addr )  \ End of a word's body: the name of the next word, or HERE.
	HERE LATEST BEGIN DUP 3 PICK > WHILE SWAP DROP DUP @ SWAP NFA>LFA @ REPEAT
	DROP SWAP DROP ;
: $HasCell? ( n cfa -- ? )  \ Does the word's body have a cell n?
	DUP $BodyEnd SWAP CFA>PFA - CELLSIZE / OVER > SWAP -1 > AND ;
: $Relink ( from to cfa -- )  \ Link two positions in the body of any word.
	2 PICK OVER $HasCell? NOT
	ABORT" the word to link exists and has no cell for that position: choose another name"
	CFA>PFA $Link ;
: {link} ( -- )  \ Link positions; next names: direction (maybe new), position, its neighbour.
	-FIND DUP 0= IF DROP PAD $CreateDirectionFromString $EnterDirection LATEST ENDIF
	NFA>CFA ' EXECUTE ' EXECUTE ROT $Relink ;
: {unlink} ( -- )  \ Remove a link; next names: direction and position.
	' ' EXECUTE -1 ROT $Relink ;
: directions} ( addr -- )  \ End the directions.
	DROP ;

\ --- {players ... players} ------------------------------------------------------------------

: $player-count ( -- str )  \ Name of the constant that players} makes.
	S" player-count" ;
: $DefinePlayer ( addr n player -- addr' n' )  \ Make the next name a player.
	OVER #Players >= ABORT" too many players: the limit is 31"
	CONSTANT SWAP LATEST NFA>CFA $addr, SWAP 1+ ;
: $CompileEngine ( n 'x -- n )  \ Make 'x the engine of player n - 1.
	OVER 2- CELLS $engines @ + ! ;

: {players ( -- addr n )  \ Begin the players; discard earlier ones and their engines.
	HERE $engines ! ['] $NegamaxMove #Players $CommaCells
	HERE DUP $players ! #Players CELLS ALLOT 1 ;
: {player} ( addr n -- addr' n' )  \ Make the next name a player.
	DUP $EncodePlayer $DefinePlayer ;
: {neutral} ( addr n -- addr' n' )  \ Make the next name a neutral player.
	DUP $EncodePlayer #Neutral + $DefinePlayer ;
: {search-engine} ( n -- n )  \ Make the next name the engine of the last player.
	' $CompileEngine ;
: {random} ( n -- n )  \ The last player moves at random.
	['] $RandomMoveEngine $CompileEngine ;
: {first} ( n -- n )  \ The last player makes the first move of the list.
	['] $FirstMoveEngine $CompileEngine ;
$if-known $UCTMove : {UCT} ( n -- n )  \ The last player searches by playouts.
	['] $UCTMove $CompileEngine ;
: players} ( addr n -- )  \ End the players.
	SWAP DROP 1- DUP 0=
	ABORT" Error: No players are defined. Add a {player} between {players and players}."
	$playerCount !
	$playerCount @ $player-count $MakeConstant
	HERE $evals ! 0 $playerCount @ $CommaCells
	$UpdateZobristTables ;

\ --- move types, {moves ... moves}, {move-priorities ... move-priorities} --------------------

: $DefineMoveType ( -- mtype )  \ Number of the type named next; a new name gets a new number.
	-FIND DUP IF
		NFA>CFA EXECUTE
	ELSE
		DROP $moveType ++ $moveType @ PAD $MakeConstant $moveType @
	ENDIF ;

: {moves ( -- addr n addr' )  \ Begin a list of move words with the next name.
	CREATE HERE 0 , 0 HERE #Moves 2* CELLS ALLOT ;
: {move} ( addr n addr' -- addr n' addr' )  \ Add the next name to the list.
	OVER #Moves >= ABORT" too many moves in a list: the limit is 128"
	' $addr, #NoMoveType $addr, SWAP 1+ SWAP ;
: {move-type} ( addr -- addr )  \ Give the last move word the type named next.
	$DefineMoveType OVER CELLSIZE - ! ;
: moves} ( addr n addr' -- )  \ End the list.
	DROP DUP 0= ABORT" Error: No moves defined. Add a {move} between {moves and moves}."
	SWAP ! ;

: {move-priorities ( -- addr )  \ Begin the order of move types, best first.
	HERE DUP $move-priorities ! #NoPriority #MaxPriorities $CommaCells ;
: {move-priority} ( addr -- addr )  \ Give the next rank to the type named next.
	$DefineMoveType
	DUP #MaxPriorities >= ABORT" too many move types with priorities: the limit is 127"
	CELLS OVER + $priority @ SWAP ! $priority ++ ;
: move-priorities} ( addr -- )  \ End the order.
	DROP ;

\ --- {turn-order ... turn-order} ------------------------------------------------------------

: {turn-order ( -- addr )  \ Begin the order of turns.
	$repeatOffset OFF HERE DUP $turnOrder ! #Turns #TurnOrderCells * CELLS ALLOT ;
: {turn} ( addr -- addr' )  \ Add a turn of the player named next.
	DUP $turnOrder @ - #Turns #TurnOrderCells * CELLS >= IF
		#Version 151 = ABORT" too many turns: the limit is 256"
		TRUE ABORT" too many turns: the limit is 128 (256 in version 151)"
	ENDIF
	' SWAP OVER $addr, SWAP $addr, #NoMoveType $addr, ;
: {for-player} ( addr -- addr )  \ The last turn moves the pieces of the player named next.
	' OVER 2 CELLS - ! ;
: {of-type} ( addr -- addr )  \ The last turn allows only moves of the type named next.
	$DefineMoveType OVER CELLSIZE - ! ;
: {repeat} ( addr -- addr )  \ After the last turn, continue with the turn that follows {repeat}.
	DUP $turnOrder @ - $repeatOffset ! ;
: turn-order} ( addr -- )  \ End the order.
	$turnOrder @ - $turnLimit ! ;

\ --- {symmetries ... symmetries} ------------------------------------------------------------
\ Each direction has a row with a token per player: the direction that the player uses instead.

: $SymmetryBase ( n -- addr )  \ Row of direction n in $symmetries.
	$playerCount @ * CELLS $symmetries @ + ;
: $ParseSymmetry ( player -- )  \ Read two directions and store all operands.
	player-index CELLS $symmetryPlayerCELLOffset !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index ! ;
: $ReplaceDirection ( n m -- )  \ Store direction m in row n, for the player of the symmetry.
	$DirectionCFA SWAP $SymmetryBase $symmetryPlayerCELLOffset @ + ! ;
: $RedefineDirection ( addr 'dir -- )  \ Define a word named like 'dir that uses the row at addr.
	CFA>NFA @ HEADER , DOES> $DoIndirectDirection ;
: $RedefineDirection1 ( -- )  \ Redefine the first direction.
	$direction1Index @ $SymmetryBase $direction1CFA @ $RedefineDirection ;
: $RedefineDirection2 ( -- )  \ Redefine the second direction.
	$direction2Index @ $SymmetryBase $direction2CFA @ $RedefineDirection ;

: {symmetries ( -- )  \ Begin the symmetries; at first, directions are the same for all players.
	$directionCount @ 0= ABORT" {symmetries needs directions"
	$playerCount @ 0= ABORT" {symmetries needs players"
	HERE $symmetries !
	$directionCount @ 0 DO I $DirectionCFA $playerCount @ $CommaCells LOOP ;
: {symmetry} ( player -- )  \ Exchange the two directions named next, for the player.
	$ParseSymmetry
	$direction1Index @ $direction2Index @ 2DUP $ReplaceDirection SWAP $ReplaceDirection
	$RedefineDirection1 $RedefineDirection2 ;
: {asymmetry} ( player -- )  \ For the player, replace the next direction by the one after it.
	$ParseSymmetry
	$direction1Index @ $direction2Index @ $ReplaceDirection $RedefineDirection1 ;
: symmetries} ( -- )  \ End the symmetries.
	;

\ --- {pieces ... pieces} --------------------------------------------------------------------

: $PieceCell! ( addr x n -- addr )  \ Store x in cell n of the last piece.
	#PieceCells - CELLS SWAP >R OVER + R> SWAP ! ;
: {pieces ( -- addr )  \ Begin the piece types; discard earlier ones.
	$pieceCount OFF $scanPieceCount OFF 1 $nextPiece !
	HERE DUP $pieces ! #Pieces #PieceCells * CELLS ALLOT ;
: {piece} ( addr -- addr' )  \ Make the next name a piece type.
	$pieceCount @ #PieceType >= ABORT" too many pieces: the limit is 1023"
	$nextPiece @ CONSTANT LATEST NFA>CFA $addr, 0 $addr, 0 $addr, 1 $addr,
	$nextPiece ++ $pieceCount ++ ;
: {moves} ( addr -- addr )  \ The last piece moves by the list named next.
	' #movesCell $PieceCell! ;
: {drops} ( addr -- addr )  \ The last piece is dropped by the list named next.
	' #DropsCell $PieceCell! ;
: {value} ( addr n -- addr )  \ Value of the last piece.
	#ValueCell $PieceCell! ;
: {dummy-pieces} ( -- )  \ Piece types defined after this make no moves.
	$pieceCount @ $scanPieceCount ! ;
: pieces} ( addr -- )  \ End the piece types.
	DROP $pieceCount @ 0= ABORT" Error: No pieces defined. Add a {piece} between {pieces and pieces}."
	$scanPieceCount @ NOT IF {dummy-pieces} ENDIF
	$UpdateZobristTables ;

\ --- {board-setup ... board-setup} ----------------------------------------------------------

: $CommaName ( -- )  \ Append the address of the next name's text.
	' CFA>NFA @ , ;
: {board-setup ( -- addr )  \ Begin the set-up of the board.
	HERE DUP $boardSetup ! 0 , ;
: {setup} ( -- )  \ Add a piece to the set-up; next names: player, piece type, position.
	$CommaName $CommaName $CommaName ;
: board-setup} ( addr -- )  \ End the set-up.
	DUP HERE $CellCount 3 / SWAP ! ;
