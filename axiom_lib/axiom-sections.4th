\ axiom-sections.4th: the words that define a game, section by section.  Loaded by axiom.4th.
\ Most opening words create a table and leave addresses or counts on the stack.  The words inside
\ the section use these values, and the closing word removes them.  A section replaces an earlier
\ section of the same kind.  In stack comments, 'dir and 'x are tokens of a direction and of a word.

VARIABLE $direction1CFA ( -- addr )  \ First direction of a symmetry.
VARIABLE $direction2CFA ( -- addr )  \ Second direction of a symmetry.
VARIABLE $direction1Index ( -- addr )  \ Number of the first direction.
VARIABLE $direction2Index ( -- addr )  \ Number of the second direction.
VARIABLE $symmetryPlayerCELLOffset ( -- addr )  \ Offset of the symmetry's player in a row.

\ --- hash keys ------------------------------------------------------------------------------

VARIABLE $zobristKeys ( -- addr )  \ Number of keys in the table $zobrist.
: $MakeZobristTable ( n -- )  \ Append n random keys of two cells.
	0 DO HERE 2 CELLS ALLOT $Rand64! LOOP ;
: $KeysNeeded ( -- n )  \ Number of keys: one for every piece type, player and position.
	$pieceCount @ $playerCount @ * $positions @ * ;
: $GeneratePiecePositionHash ( -- )  \ Make the keys of pieces on positions.
	HERE $zobrist ! $KeysNeeded DUP $zobristKeys ! $MakeZobristTable ;
: $GeneratePlayerToMoveHash ( -- )  \ Make the keys of the player to move.
	HERE $playerToMoveHash ! $playerCount @ $MakeZobristTable ;
: $GenerateZobristTables ( -- )  \ Make both tables, unless they exist.
	$zobrist @ NOT IF $GeneratePiecePositionHash $GeneratePlayerToMoveHash ENDIF ;
: $UpdateZobristTables ( -- )  \ Make the tables when more keys are needed than the tables contain.
	$KeysNeeded $zobristKeys @ > IF $zobrist OFF ENDIF
	$KeysNeeded IF $useAxiomEngine @ IF $GenerateZobristTables ENDIF ENDIF ;

\ --- {board ... board} ----------------------------------------------------------------------

: $LegalRow? ( n -- ? )  \ Is n a row of the grid?
	DUP -1 > SWAP $rows @ < AND ;
: $LegalColumn? ( n -- ? )  \ Is n a column of the grid?
	DUP -1 > SWAP $columns @ < AND ;
: $LegalPos? ( n -- ? )  \ Is n the index of a position?
	DUP -1 > SWAP $positions @ < AND ;
: $GridSize ( -- n )  \ Number of positions of the grid.
	$rows @ $columns @ * ;
: $RowColumnToIndex ( row col -- pos )  \ Index of a grid position, from 0 at the top left.
	SWAP $columns @ * + ;
: $PositionToIndex ( char row -- pos )  \ Convert a column letter and row number to an index.
	$flipGrid @ IF 1- ELSE $rows @ SWAP - ENDIF SWAP ASCII a - $RowColumnToIndex ;
: $IndexToPosition ( pos -- char row )  \ Convert an index to a column letter and row number.
	$columns @ /MOD $flipGrid @ IF 1+ ELSE $rows @ SWAP - ENDIF SWAP ASCII a + SWAP ;
: $CheckBoard ( -- )  \ Stop with an error if the board has been made already.
	$posNames @ ABORT" {grid} and {position} belong between {board and board}" ;
: $UpdateSize ( -- )  \ Set the board's size to a cell per position.
	$positions @ CELLS $boardSize ! ;

: $PosName ( pos -- addr )  \ Cell of a position in the table of names.
	CELLS $posNames @ + ;
: $GridName ( pos -- str )  \ Name of a grid position, such as a1.
	$IndexToPosition (NUMBER) $buffer C! PAD $buffer 1+ "MOVE $buffer ;
: $GenerateGridNames ( -- )  \ Make a constant for each position of the grid.
	$GridSize IF
		$GridSize 0 DO I I $GridName $MakeConstant LATEST @ I $PosName ! LOOP
	ENDIF ;
: $NamePosition ( nfa -- )  \ Enter a {position} into the table, unless its index is in the grid.
	DUP NFA>PFA @ DUP $GridSize >= IF $PosName SWAP @ SWAP ! ELSE 2DROP ENDIF ;
: $NamePositions ( -- )  \ Enter all positions made by {position}, the last first.
	$lastPosNFA @ $posCount @ BEGIN DUP WHILE
		SWAP DUP $NamePosition NFA>PFA CELLSIZE + @ SWAP 1-
	REPEAT 2DROP ;
: $DefinePosNames ( -- )  \ Make the table of names, and the constants of the grid.
	HERE $posNames ! $anonymous @ $positions @ $CommaCells
	$GenerateGridNames $NamePositions ;

: {board ( -- )  \ Begin the board; discard positions, move types, priorities, set-up and keys.
	$rows OFF $columns OFF $positions OFF $scanPositions OFF $posCount OFF
	$board OFF $posNames OFF $boardSetup OFF $zobrist OFF $zobristKeys OFF
	$moveType OFF $move-priorities OFF 1 $priority ! ;
: {grid} ( rows cols -- )  \ Add the positions of a grid, from 0 on; board} names them.
	$CheckBoard $columns ! $rows ! $GridSize $positions ! $UpdateSize ;
: {position} ( -- )  \ Make the next name a further position.
	\ The position is a constant; a second body cell is the NFA of the previous {position}.
	$CheckBoard $positions @ CONSTANT $lastPosNFA @ , LATEST $lastPosNFA !
	$positions ++ $posCount ++ $UpdateSize ;
: {dummy-positions} ( -- )  \ Positions defined after this are not visited by move generation.
	$positions @ $scanPositions ! ;
: {variable} ( -- )  \ Add a cell to the board; the next name returns its address: ( -- addr ).
	<BUILDS $boardSize @ , CELLSIZE $boardSize +! DOES> @ $board @ + ;
: {array} ( n -- )  \ Add n cells to the board; the next name returns an address: ( i -- addr ).
	<BUILDS $boardSize @ , DUP , CELLS $boardSize +! DOES> @ SWAP 4 * + $board @ + ;
: {carray} ( n -- )  \ Add n bytes to the board; the next name returns an address: ( i -- addr ).
	<BUILDS $boardSize @ , DUP , $boardSize +! DOES> @ + $board @ + ;
: $MakeBoard ( -- )  \ Append a link cell and the zeroed board, rounded up to a whole cell.
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
: $DirectionCFAToIndex ( 'dir -- n )  \ Number from 0 of the direction named like 'dir; 0 if none.
	CFA>NFA @ $directionCount @ BEGIN
		1- DUP 0> IF 2DUP $SameDirection? ELSE TRUE ENDIF
	UNTIL SWAP DROP 0 MAX ;

: $BuildDirection ( -- )  \ Append the body of a direction without links.
	HERE $currDirection ! -1 $positions @ $CommaCells ;
: $CreateDirectionFromString ( str -- )  \ Make a direction word whose name is str.
	HEADER $BuildDirection DOES> $DoDirection ;
: $CreateDirection ( -- )  \ Make the next name a direction word.
	-FIND DROP PAD $CreateDirectionFromString ;
: $EnterDirection ( addr -- addr' )  \ Put the newest word into the table of directions.
	$directionCount @ #Directions >= ABORT" too many directions: the limit is 128"
	LATEST NFA>CFA $addr, $directionCount ++ ;

: $Link ( from to pfa -- )  \ Make position `to` the neighbour of position `from`.
	ROT CELLS + ! ;
: $LinkPlace ( drow dcol row col -- )  \ Link a grid position if its neighbour is in the grid.
	2DUP $RowColumnToIndex >R ROT + >R + R>
	2DUP $LegalColumn? SWAP $LegalRow? AND IF
		$RowColumnToIndex R> SWAP $currDirection @ $Link
	ELSE
		2DROP R> DROP
	ENDIF ;
: $MakeLinks ( drow dcol -- )  \ Link each grid position to the one drow rows, dcol columns away.
	$GridSize IF
		$rows @ 0 DO $columns @ 0 DO 2DUP J I $LinkPlace LOOP LOOP
	ENDIF 2DROP ;

: {directions ( -- addr )  \ Begin the directions; discard earlier ones.
	$positions @ 0= ABORT" {directions needs a board"
	$directionCount OFF HERE DUP $directions ! #Directions CELLS ALLOT ;
: {direction} ( addr drow dcol -- addr' )  \ Make the next name a direction: drow down, dcol right.
	$CreateDirection $MakeLinks $EnterDirection ;
: $BodyEnd ( cfa -- addr )  \ End of a word's body: the name address of the next word, or HERE.
	HERE LATEST BEGIN DUP 3 PICK > WHILE SWAP DROP DUP @ SWAP NFA>LFA @ REPEAT
	DROP SWAP DROP ;
: $HasCell? ( n cfa -- ? )  \ Does the word's body have a cell n?
	DUP $BodyEnd SWAP CFA>PFA - CELLSIZE / OVER > SWAP -1 > AND ;
: $Relink ( from to cfa -- )  \ Make `to` the neighbour of `from` in the body of any word.
	2 PICK OVER $HasCell? NOT
	ABORT" the word to link exists and has no cell for that position: choose another name"
	CFA>PFA $Link ;
: {link} ( -- )  \ Add a link; next names: a direction, new or not, a position, its neighbour.
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
: $CompileEngine ( n 'x -- n )  \ Make 'x the engine of the last player, whose number is n - 1.
	OVER 2- CELLS $engines @ + ! ;

: {players ( -- addr n )  \ Begin the players; discard earlier ones and their engines.
	HERE $engines ! ['] $NegamaxMove #Players $CommaCells
	HERE DUP $players ! #Players CELLS ALLOT 1 ;
: {player} ( addr n -- addr' n' )  \ Make the next name a player.
	DUP $EncodePlayer $DefinePlayer ;
: {neutral} ( addr n -- addr' n' )  \ Make the next name a neutral player.
	DUP $EncodePlayer #Neutral + $DefinePlayer ;
: {search-engine} ( n -- n )  \ Make the word named next the engine of the last player.
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

\ --- {scratch ... scratch} --------------------------------------------------------------------
\ Scratch memory is what a script uses while it generates a list or judges a game.  With the first
\ section a script promises: the values that are there when a list begins, when a move word begins,
\ or when OnIsGameOver begins, influence nothing; and move words change nothing else.

16 CONSTANT #ScratchRanges ( -- n )  \ Maximum number of sections.
CREATE $scratch ( -- addr )  \ Number of ranges of scratch memory, then begin and end of each.
	0 , #ScratchRanges 2* CELLS ALLOT
: $ScratchEnd ( -- addr )  \ Cell of the begin of the range after the last one.
	$scratch @ 2* 1+ CELLS $scratch + ;
: {scratch ( -- )  \ Begin scratch memory: the variables and arrays that follow.
	$scratch @ #ScratchRanges >= ABORT" too many sections {scratch"
	HERE 3 + -4 AND $ScratchEnd ! ;
: scratch} ( -- )  \ End scratch memory.
	HERE -4 AND $ScratchEnd CELLSIZE + ! $scratch ++ ;

\ --- move types, {moves ... moves}, {move-priorities ... move-priorities} --------------------

: $DefineMoveType ( -- mtype )  \ Number of the move type named next; an unknown name is defined.
	-FIND DUP IF
		NFA>CFA EXECUTE
	ELSE
		DROP $moveType ++ $moveType @ PAD $MakeConstant $moveType @
	ENDIF ;

: {moves ( -- addr n addr' )  \ Begin a list of move words; the next name becomes its name.
	CREATE HERE 0 , 0 HERE #Moves 2* CELLS ALLOT ;
: {move} ( addr n addr' -- addr n' addr' )  \ Add the move word named next to the list.
	OVER #Moves >= ABORT" too many moves in a list: the limit is 128"
	' $addr, #NoMoveType $addr, SWAP 1+ SWAP ;
: {move-type} ( addr -- addr )  \ Give the last move word the type named next.
	$DefineMoveType OVER CELLSIZE - ! ;
: moves} ( addr n addr' -- )  \ End the list.
	DROP DUP 0= ABORT" Error: No moves defined. Add a {move} between {moves and moves}."
	SWAP ! ;

: {move-priorities ( -- addr )  \ Begin the order of move types, best first.
	HERE DUP $move-priorities ! #NoPriority #MaxPriorities $CommaCells ;
: {move-priority} ( addr -- addr )  \ Rank the move type named next below the types before it.
	$DefineMoveType
	DUP #MaxPriorities >= ABORT" too many move types with priorities: the limit is 127"
	CELLS OVER + $priority @ SWAP ! $priority ++ ;
: move-priorities} ( addr -- )  \ End the order.
	DROP ;

\ --- {turn-order ... turn-order} ------------------------------------------------------------

: {turn-order ( -- addr )  \ Begin the order of turns.
	$repeatOffset OFF HERE DUP $turnOrder ! #Turns #TurnOrderCells * CELLS ALLOT ;
: {turn} ( addr -- addr' )  \ Add a turn of the player named next, with that player's own pieces.
	DUP $turnOrder @ - #Turns #TurnOrderCells * CELLS >= IF
		#Version 151 = ABORT" too many turns: the limit is 256"
		TRUE ABORT" too many turns: the limit is 128 (256 in version 151)"
	ENDIF
	' SWAP OVER $addr, SWAP $addr, #NoMoveType $addr, ;
: {for-player} ( addr -- addr )  \ The last turn moves the pieces of the player named next.
	' OVER 2 CELLS - ! ;
: {of-type} ( addr -- addr )  \ The last turn allows only moves of the type named next.
	$DefineMoveType OVER CELLSIZE - ! ;
: {repeat} ( addr -- addr )  \ The turn order repeats from the turn that follows {repeat}.
	DUP $turnOrder @ - $repeatOffset ! ;
: turn-order} ( addr -- )  \ End the order.
	$turnOrder @ - $turnLimit ! ;

\ --- {symmetries ... symmetries} ------------------------------------------------------------
\ $symmetries has a row per direction.  A row has a token per player: the direction that this
\ player uses in place of the row's direction.

: $SymmetryBase ( n -- addr )  \ Row of direction n in $symmetries.
	$playerCount @ * CELLS $symmetries @ + ;
: $ParseSymmetry ( player -- )  \ Store the player's offset and the two directions named next.
	player-index CELLS $symmetryPlayerCELLOffset !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index ! ;
: $ReplaceDirection ( n m -- )  \ Store direction m in row n, for the player of the symmetry.
	$DirectionCFA SWAP $SymmetryBase $symmetryPlayerCELLOffset @ + ! ;
: $RedefineDirection ( addr 'dir -- )  \ Define a word named like 'dir that uses the row at addr.
	CFA>NFA @ HEADER , DOES> $DoIndirectDirection ;
: $RedefineDirection1 ( -- )  \ Make the name of the first direction use its row.
	$direction1Index @ $SymmetryBase $direction1CFA @ $RedefineDirection ;
: $RedefineDirection2 ( -- )  \ Make the name of the second direction use its row.
	$direction2Index @ $SymmetryBase $direction2CFA @ $RedefineDirection ;

: {symmetries ( -- )  \ Begin the symmetries; at first, directions are the same for all players.
	$directionCount @ 0= ABORT" {symmetries needs directions"
	$playerCount @ 0= ABORT" {symmetries needs players"
	HERE $symmetries !
	$directionCount @ 0 DO I $DirectionCFA $playerCount @ $CommaCells LOOP ;
: {symmetry} ( player -- )  \ For the player, exchange the two directions named next.
	$ParseSymmetry
	$direction1Index @ $direction2Index @ 2DUP $ReplaceDirection SWAP $ReplaceDirection
	$RedefineDirection1 $RedefineDirection2 ;
: {asymmetry} ( player -- )  \ For the player, the direction named first means the second.
	$ParseSymmetry
	$direction1Index @ $direction2Index @ $ReplaceDirection $RedefineDirection1 ;
: symmetries} ( -- )  \ End the symmetries.
	;

\ --- {pieces ... pieces} --------------------------------------------------------------------

: $PieceCell! ( addr x n -- addr )  \ Store x in cell n of the record of the last piece.
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
: {value} ( addr n -- addr )  \ Set the value of the last piece to n.
	#ValueCell $PieceCell! ;
: {dummy-pieces} ( -- )  \ Piece types defined after this make no moves.
	$pieceCount @ $scanPieceCount ! ;
: pieces} ( addr -- )  \ End the piece types.
	DROP $pieceCount @ 0= ABORT" Error: No pieces defined. Add a {piece} between {pieces and pieces}."
	$scanPieceCount @ NOT IF {dummy-pieces} ENDIF
	$UpdateZobristTables ;

\ --- {board-setup ... board-setup} ----------------------------------------------------------

: $CommaName ( -- )  \ Append the name address of the word named next.
	' CFA>NFA @ , ;
: {board-setup ( -- addr )  \ Begin the set-up of the board.
	HERE DUP $boardSetup ! 0 , ;
: {setup} ( -- )  \ Add a piece to the set-up; next names: player, piece type, position.
	$CommaName $CommaName $CommaName ;
: board-setup} ( addr -- )  \ End the set-up.
	DUP HERE $CellCount 3 / SWAP ! ;
