\ axiom.4th: the words of the game language, on top of core.4th.  This file owns the constants, the
\ system variables, and the words that move words, hooks and engines use during play.
\ axiom-sections.4th owns the words that define a game.  The kernel builds moves, applies them and
\ searches; it finds the tables defined here by the names of the variables.

\ --- constants ------------------------------------------------------------------------------

(version) CONSTANT #Version ( -- n )  \ Library version: 140, 150 or 151.

128 CONSTANT #Directions ( -- n )  \ Maximum number of directions.
128 CONSTANT #Moves ( -- n )  \ Maximum number of words in a list of moves.
128 CONSTANT #MaxPriorities ( -- n )  \ Entries of the table of priorities, one per move type.
: $ChooseTurns ( -- n )  \ Maximum number of turns in this version.
	#Version 151 = IF 256 ELSE 128 ENDIF ;
$ChooseTurns CONSTANT #Turns ( -- n )  \ Maximum number of turns in the turn order.
32 CONSTANT #Players ( -- n )  \ Entries of the table of players.
1024 CONSTANT #Pieces ( -- n )  \ Entries of the table of piece types.

4 CONSTANT #PieceCells ( -- n )  \ Cells of a piece type's record: token, moves, drops, value.
1 CONSTANT #movesCell ( -- n )  \ Index of the cell with the list of moves.
2 CONSTANT #DropsCell ( -- n )  \ Index of the cell with the list of drops.
3 CONSTANT #ValueCell ( -- n )  \ Index of the cell with the value.
3 CONSTANT #TurnOrderCells ( -- n )  \ Cells of a turn: player, for-player, move type.

\ A board cell: bits 0-9 piece type, 10 neutral owner, 11-15 player number, 16-31 attribute.
0 CONSTANT #Empty ( -- n )  \ The cell of an empty position.
1023 CONSTANT #PieceType ( -- n )  \ Mask of the piece type.
64512 CONSTANT #Player ( -- n )  \ Mask of the owner: number and neutral bit.
63488 CONSTANT #PlayerNumber ( -- n )  \ Mask of the owner's number.
65535 CONSTANT #PiecePlayer ( -- n )  \ Mask of piece type and owner.
1024 CONSTANT #Neutral ( -- n )  \ The neutral bit.
2048 CONSTANT #PlayerBase ( -- n )  \ The first player; player number n is n * 2048.
11 CONSTANT #PlayerShift ( -- n )  \ Number of bits below the player number.

0 CONSTANT #NoMoveType ( -- n )  \ Type of a move word without move type; in $ofType, any type.
1000 CONSTANT #NoPriority ( -- n )  \ Rank of a move type that has no priority.

-2140000000 CONSTANT #UnknownScore ( -- n )  \ The game continues.
-2130000000 CONSTANT #LossScore ( -- n )  \ The player to move has lost.
0 CONSTANT #DrawScore ( -- n )  \ A draw.
2130000000 CONSTANT #WinScore ( -- n )  \ The player to move has won.
0 CONSTANT #KeepSearching ( -- n )  \ Search status: continue.
1 CONSTANT #StopSoon ( -- n )  \ Search status: stop after this iteration.
2 CONSTANT #StopNow ( -- n )  \ Search status: stop immediately.
3 CONSTANT #DepthLimit ( -- n )  \ A search depth of 3 plies; $depthLimit does not use it.
10 CONSTANT #ForeverDepth ( -- n )  \ A search depth that no search completes.
-1 CONSTANT ?? ( -- n )  \ No position; its name also stands for positions that have no name.

\ --- directives: ON or OFF in a script ------------------------------------------------------

VARIABLE $gameLog ( -- addr )  \ On: the host writes output to a log file.
VARIABLE $flipGrid ( -- addr )  \ On: a1 is at the top left; off: a1 is at the bottom left.
VARIABLE $passTurnForced ( -- addr )  \ On: a pass is added when there is no move.
VARIABLE $shareMovesList ( -- addr )  \ On: OnIsGameOver and OnEvaluate can read the list of moves.
VARIABLE $combinePartial ( -- addr )  \ On: the search evaluates no position after a partial move.
VARIABLE $gameResultBug ( -- addr )  \ On: the original's host avoids one of its display errors.
VARIABLE $authoring ( -- addr )  \ On: the host reloads the script at each new game.
VARIABLE $skipWords ( -- addr )  \ Set by a move word: number of words after it to be skipped.
VARIABLE $uniqueMoves ( -- addr )  \ On: a list contains no two moves with the same code.
VARIABLE $useAxiomEngine ( -- addr )  \ On: hash keys are computed. Only version 140 reads it.
$shareMovesList ON
$combinePartial ON
$gameResultBug ON
$useAxiomEngine ON

\ --- tables of the game ---------------------------------------------------------------------

VARIABLE $rows ( -- addr )  \ Number of rows of the grid, 0 without a grid.
VARIABLE $columns ( -- addr )  \ Number of columns of the grid, 0 without a grid.
VARIABLE $positions ( -- addr )  \ Number of positions, in the grid and outside of it.
VARIABLE $scanPositions ( -- addr )  \ Number of positions that move generation visits.
VARIABLE $posCount ( -- addr )  \ Number of positions made by {position}.
VARIABLE $lastPosNFA ( -- addr )  \ Header of the last position made by {position}.
VARIABLE $posNames ( -- addr )  \ Table with the name address of each position.
VARIABLE $anonymous ( -- addr )  \ Name address of ??, for positions without a name.
VARIABLE $board ( -- addr )  \ Address of the current board.
VARIABLE $boardSize ( -- addr )  \ Size of the board in bytes: positions, then variables and arrays.
VARIABLE $boardSetup ( -- addr )  \ Table of the set-up: count, then three names a piece; 0: none.
VARIABLE $zobrist ( -- addr )  \ Table of hash keys by piece type, player, position; 0: none.
VARIABLE $playerToMoveHash ( -- addr )  \ Table of hash keys by the player to move.
VARIABLE $directions ( -- addr )  \ Table with the token of each direction.
VARIABLE $directionCount ( -- addr )  \ Number of directions.
VARIABLE $currDirection ( -- addr )  \ Body of the newest direction.
VARIABLE $symmetries ( -- addr )  \ Table with a row per direction; a row has a token per player.
VARIABLE $pieces ( -- addr )  \ Table with the records of the piece types.
VARIABLE $pieceCount ( -- addr )  \ Number of piece types.
VARIABLE $scanPieceCount ( -- addr )  \ Number of piece types whose moves and drops are generated.
VARIABLE $nextPiece ( -- addr )  \ Number of the next piece type.
VARIABLE $players ( -- addr )  \ Table with the token of each player.
VARIABLE $playerCount ( -- addr )  \ Number of players.
VARIABLE $engines ( -- addr )  \ Table with the token of each player's engine.
VARIABLE $turnOrder ( -- addr )  \ Table with the records of the turns.
VARIABLE $turnLimit ( -- addr )  \ Length of $turnOrder in bytes.
VARIABLE $repeatOffset ( -- addr )  \ Offset in $turnOrder of the turn that follows the last turn.
VARIABLE $moveType ( -- addr )  \ Number of the newest move type.
VARIABLE $move-priorities ( -- addr )  \ Table with the rank of each move type, 1 best; 0: none.
VARIABLE $priority ( -- addr )  \ Rank that the next {move-priority} assigns.
' ?? CFA>NFA @ $anonymous !

\ --- the state of play ----------------------------------------------------------------------

VARIABLE $turnOffset ( -- addr )  \ The current turn, in bytes from $turnOrder.
VARIABLE $turnNumber ( -- addr )  \ Number of the current turn, from 1.
VARIABLE $player ( -- addr )  \ Player to move in the current position.
VARIABLE $playerName ( -- addr )  \ Name of the player to move.
VARIABLE $playerOffset ( -- addr )  \ Offset of the player to move in tables with a cell per player.
VARIABLE $playerToMove ( -- addr )  \ Player to move where the search began.
VARIABLE $forPlayer ( -- addr )  \ Player whose pieces move.
VARIABLE $ofType ( -- addr )  \ The only move type allowed; 0: all types.
VARIABLE $movesList ( -- addr )  \ Newest list of moves: link to previous list, count, first move.
VARIABLE $from ( -- addr )  \ Position that move generation visits.
VARIABLE $pos ( -- addr )  \ Position that queries and directions use.
VARIABLE $piece ( -- addr )  \ Piece for which the move word runs.
VARIABLE $partial ( -- addr )  \ TRUE after a partial move.
VARIABLE $passed ( -- addr )  \ TRUE when the list of moves contains a pass.
VARIABLE $lastMoveType ( -- addr )  \ Move type of the last move made.
VARIABLE $add-move ( -- addr )  \ Token of the word by which $Pass adds a pass: add-move.
VARIABLE $moveAddr ( -- addr )  \ Address of the move that the host is making.
VARIABLE $moveString ( -- addr )  \ Text of the move that the host is making.
CREATE $buffer ( -- addr )  \ Buffer for the text of a move.
	1024 ALLOT
' add-move $add-move !

\ --- the search -----------------------------------------------------------------------------

VARIABLE $depthLimit ( -- addr )  \ The host sets it: maximum depth of a search in plies.
VARIABLE $searchTime ( -- addr )  \ The host sets it: maximum time of a search in milliseconds.
VARIABLE $variety ( -- addr )  \ The host sets it: random noise in evaluations, 0 to 10.
VARIABLE $timeCheckFrequency ( -- addr )  \ Evaluations between two reads of the clock.
VARIABLE $searchStatus ( -- addr )  \ Result of SearchStatus@.
VARIABLE $searching ( -- addr )  \ On while an engine runs.
VARIABLE $iterationDepth ( -- addr )  \ Depth of the running iteration.
VARIABLE $ply ( -- addr )  \ Depth in the tree, 1 after the first move.
VARIABLE $rootMoveCount ( -- addr )  \ Number of moves at the root.
VARIABLE $rootMoveIndex ( -- addr )  \ Index of the root move that is being searched.
VARIABLE $evals ( -- addr )  \ Table with the last evaluation of each player.
TIMER $searchTimer ( -- addr )  \ A stopwatch for engines.
100 $timeCheckFrequency !

\ --- words for tables -----------------------------------------------------------------------

: $addr, ( addr n -- addr' )  \ Store n and advance the address by one cell.
	OVER ! CELLSIZE + ;
: $CommaCells ( x n -- )  \ Append x n times, but at least once.
	0 DO DUP , LOOP DROP ;
: $CellCount ( addr addr' -- n )  \ Number of cells after the cell at addr, up to addr'.
	SWAP - CELLSIZE - CELLSIZE / ;
: $MakeConstant ( n str -- )  \ Define a constant with the value n and the name str.
	HEADER , DOES> @ ;
: $EncodePlayer ( n -- player )  \ The player with number n.
	#PlayerBase * ;

\ --- the board as move words see it ---------------------------------------------------------

: from ( -- pos )  \ Position that move generation visits, or the position that `home` has set.
	$from @ ;
: here ( -- pos )  \ Current position.
	$pos @ ;
: to ( pos -- )  \ Make pos the current position.
	$pos ! ;
: back ( -- )  \ Make the position `from` the current position.
	$from @ $pos ! ;
: home ( pos -- )  \ Set `from`; it stays set for the next move words on the same position.
	$from ! ;

: $ChooseMask ( -- n )  \ Mask for `player`, without the neutral bit in version 140.
	#Version 140 = IF #PlayerNumber ELSE #Player ENDIF ;
$ChooseMask CONSTANT $playerMask ( -- n )  \ Bits of a board cell that player and player-at return.

: current-player ( -- player )  \ Player to move.
	$player @ ;
: for-player ( -- player )  \ Player whose pieces move.
	$forPlayer @ ;
: of-type ( -- mtype )  \ The only move type allowed; 0: all types.
	$ofType @ ;
: current-piece ( -- piece )  \ Piece for which the move word runs; in drops, the piece to drop.
	$piece @ ;
: current-piece-type ( -- type )  \ Piece type for which the move word runs.
	$piece @ #PieceType AND ;

: piece-at ( pos -- piece )  \ Board cell at pos, 0 if empty.
	board[] @ ;
: piece ( -- piece )  \ Board cell at the current position, 0 if empty.
	$pos @ board[] @ ;
: piece-type-at ( pos -- type )  \ Piece type at pos.
	board[] @ #PieceType AND ;
: piece-type ( -- type )  \ Piece type at the current position.
	$pos @ board[] @ #PieceType AND ;
: not-piece-type-at? ( pos type -- ? )  \ Does the piece type at pos differ from type?
	SWAP piece-type-at <> ;
: not-piece-type? ( type -- ? )  \ Does the piece type at the current position differ from type?
	piece-type <> ;
: player-at ( pos -- player )  \ Owner of the piece at pos, 0 if pos is empty.
	board[] @ $playerMask AND ;
: player ( -- player )  \ Owner of the piece at the current position, 0 if it is empty.
	$pos @ board[] @ $playerMask AND ;
: empty-at? ( pos -- ? )  \ Is pos empty?
	board[] @ 0= ;
: empty? ( -- ? )  \ Is the current position empty?
	$pos @ board[] @ 0= ;
: not-empty-at? ( pos -- ? )  \ Is there a piece at pos?
	board[] @ 0<> ;
: not-empty? ( -- ? )  \ Is there a piece at the current position?
	$pos @ board[] @ 0<> ;

\ The next six words call the kernel's OnFriends?, which compares owners.  They do not call an
\ OnFriends? that a script defines.  In version 140, $playerMask removes the neutral bit of owners.
: friend-of? ( pos player -- ? )  \ Is player the owner of the piece at pos?
	SWAP board[] @ $playerMask AND OnFriends? ;
: enemy-of? ( pos player -- ? )  \ Is there a piece at pos whose owner is not player?
	OVER not-empty-at? ROT ROT friend-of? NOT AND ;
: friend-at? ( pos -- ? )  \ Is the piece at pos the current player's?
	board[] @ $playerMask AND $player @ OnFriends? ;
: friend? ( -- ? )  \ Is the piece at the current position the current player's?
	$pos @ board[] @ $playerMask AND $player @ OnFriends? ;
: enemy-at? ( pos -- ? )  \ Is there a piece of another owner, or a neutral one, at pos?
	board[] @ DUP $playerMask AND $player @ OnFriends? NOT SWAP 0<> AND ;
: enemy? ( -- ? )  \ Is there a piece of another owner, or a neutral one, at the current position?
	$pos @ board[] @ DUP $playerMask AND $player @ OnFriends? NOT SWAP 0<> AND ;
: neutral-piece-at? ( pos -- ? )  \ Is the piece at pos neutral?
	board[] @ #Neutral AND 0<> ;
: neutral-piece? ( -- ? )  \ Is the piece at the current position neutral?
	$pos @ neutral-piece-at? ;

: piece-index ( piece -- n )  \ Index of a board cell's piece type, from 0.
	#PieceType AND 1- ;
: player-index ( player -- n )  \ Index of a player or of a board cell's owner, from 0.
	#PlayerNumber AND #PlayerBase / 1- ;

\ --- directions -----------------------------------------------------------------------------

: $DoDirection ( pfa -- ? )  \ Follow the link of the current position; FALSE if there is none.
	\ If there is no link, the cell is -1, and 1+ changes it to FALSE.
	$pos @ 4 * + @ 1+ DUP IF 1- $pos ! TRUE ENDIF ;
: $DoIndirectDirection ( pfa -- ? )  \ Run the current player's direction in the row stored at pfa.
	@ $playerOffset @ + @ EXECUTE ;

\ --- making moves ---------------------------------------------------------------------------
\ A move word compiles the code of a move at HERE and then calls add-move.  COMPILE appends to this
\ code.

: verify ( ? -- )  \ End the move word if the flag is 0.
	NOT IF $Exit ENDIF ;
: (partial) ( -- )  \ The same player continues.
	$partial ON ;
: (partial-move-type) ( mtype -- )  \ The same player continues, with moves of that type.
	$ofType ! $partial ON ;
: partial ( -- )  \ Make the move partial.
	COMPILE (partial) ;
: partial-move-type ( mtype -- )  \ Make the move partial; only moves of that type may follow.
	COMPILE-LITERAL COMPILE (partial-move-type) ;
: $Pass ( -- )  \ Add a pass to the list of moves.
	$add-move @ EXECUTE $passed ON ;
: Pass ( -- )  \ Add a pass, unless the list contains a pass.
	$passed @ NOT IF $Pass ENDIF ;
: PassNoPartial ( -- )  \ Add a pass, unless the list contains a pass or a partial move was made.
	$partial @ $passed @ OR NOT IF $Pass ENDIF ;

: (^") ( -- )  \ Append the text that follows the call of (^") to the text of the move.
	R> DUP DUP "SIZE + >R ^string ;
: ^" ( -- )  \ Append text up to a quote to the move's text; outside definitions, print it.
	34 WORD STATE @ IF COMPILE (^") "PAD, ELSE PAD TYPE ENDIF ; IMMEDIATE

\ A reserve contains the pieces that may be dropped.
VARIABLE _amount-in-reserve ( -- addr )  \ Token of a script's word for the address of an amount.
: remove-from-reserve, ( -- )  \ Run-time word of remove-from-reserve: subtract 1 from the amount.
	_amount-in-reserve @ EXECUTE -- ;
: remove-from-reserve ( -- )  \ Make the move subtract 1 from the amount in reserve.
	COMPILE remove-from-reserve, ;

\ --- lists of moves -------------------------------------------------------------------------
\ Cells of a move since version 150: next move, type, hash, code field.  In version 140, the address
\ of the move's text follows the first cell.

: $ChooseLayout ( -- n )  \ Additional bytes of a move in version 140.
	#Version 140 = IF CELLSIZE ELSE 0 ENDIF ;
$ChooseLayout CONSTANT $moveExtra ( -- n )  \ Bytes between the first cell and the type of a move.

: $FirstMove ( -- move )  \ First move of the newest list.
	$movesList @ [ 2 CELLS ] LITERAL + @ ;
: $NextMove ( move -- move' )  \ Next move of the list, 0 at the end.
	@ ;
: .moveType ( move -- addr )  \ Cell that contains the type of a move.
	[ 1 CELLS $moveExtra + ] LITERAL + ;
: .moveCFA ( move -- 'x )  \ Token that applies a move to the current board.
	[ 3 CELLS $moveExtra + ] LITERAL + ;
: $MoveString ( move -- str )  \ Text of a move, valid until the next call.
	#Version 140 = IF CELLSIZE + @ ELSE $buffer $DecompileMove $buffer ENDIF ;
: move-count ( -- n )  \ Number of moves in the newest list of moves.
	$movesList @ CELLSIZE + @ ;
: stalemate? ( -- ? )  \ Is the newest list of moves empty?
	\ The text of ABORT" would take time at each call, so it is skipped.
	$shareMovesList @ NOT IF TRUE ABORT" stalemate? needs $shareMovesList ON" ENDIF
	move-count 0= ;
: $OutputMoves ( -- )  \ Print the newest list: on each line, the text of a move in brackets.
	move-count IF
		$FirstMove BEGIN ." [" DUP $MoveString TYPE ." ]" CR $NextMove DUP 0= UNTIL DROP
	ENDIF ;

\ --- turns ----------------------------------------------------------------------------------

: turn-number ( -- n )  \ Number of the turn, from 1; a partial move does not begin a new turn.
	$turnNumber @ ;
: turn-offset ( -- off )  \ Offset of the current turn.
	$turnOffset @ ;
: next-turn-offset ( off -- off' )  \ Offset of the turn after the one at off.
	[ #TurnOrderCells CELLS ] LITERAL + DUP $turnLimit @ >= IF DROP $repeatOffset @ ENDIF ;
: turn-offset-to-player ( off -- player )  \ Player of the turn at an offset.
	$turnOrder @ + @ EXECUTE ;
: next-player ( -- player )  \ Player of the next turn.
	turn-offset next-turn-offset turn-offset-to-player ;
: player-to-move ( -- player )  \ Player to move where the search began.
	$playerToMove @ ;
: $SetPlayer ( 'player -- )  \ Set the current player.
	DUP CFA>NFA @ $playerName !
	EXECUTE DUP $player ! player-index CELLS $playerOffset ! ;
: $SetTurn ( off -- )  \ Set the current turn.
	DUP $turnOffset ! $turnOrder @ +
	DUP @ $SetPlayer
	DUP CELLSIZE + @ EXECUTE $forPlayer !
	2 CELLS + @ $ofType ! ;

\ --- hooks: a script may redefine them ------------------------------------------------------

: $NewGame ( -- )  \ Begin a game: zero the board and its variables; set the first turn.
	$board @ $boardSize @ ERASE 0 $SetTurn $partial OFF ;
: OnNewGame ( -- )  \ Called when a game begins, before the board set-up.
	;
: OnEditRemove ( pos -- )  \ Called by a host that takes a piece off the board.
	(remove-piece) ;
: OnEditAdd ( player type pos -- )  \ Called by a host that puts a piece on the board.
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	ROT ROT OR SWAP (add-piece) ;
: OnIsGameOver ( -- score )  \ Result for the player to move; called after its moves are generated.
	stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;
: OnEvaluate ( -- score )  \ Value of the position for the current player.
	0 ;
: OnIsTerminal? ( -- ? )  \ At depth 0, may the search evaluate the position and end?
	TRUE ;
: OnRetractMove ( -- )  \ Called when the search unmakes a move.
	$DeallocateBoard ;
: OnNextTurn ( -- )  \ Begin the next turn, after a move that ends the turn.
	current-player turn-offset next-turn-offset $SetTurn $EngineSetTurn ;

\ --- engines --------------------------------------------------------------------------------

DEFER $RAND-WITHIN ( low high -- n )  \ Random number for $RandomMoveEngine.
' RAND-WITHIN IS $RAND-WITHIN
: searching? ( -- ? )  \ Is an engine running?
	$searching @ ;
: $ClearEvals ( -- )  \ Zero the evaluations of all players.
	$evals @ $playerCount @ CELLS ERASE ;
: $ReportUnsearched ( -- )  \ Report one node, score 0 and depth 0: a move without a search.
	1 Nodes! 0 Score! 0 Depth! ;
: $Nth ( n -- move )  \ Move n of the newest list, from 0; the first if n is negative.
	$FirstMove BEGIN OVER 0> WHILE $NextMove SWAP 1- SWAP REPEAT SWAP DROP ;
: $RandomIndex ( -- n )  \ Index of a random move; in version 140 also -1, which means the first.
	#Version 140 = IF 0 move-count $RAND-WITHIN 1- ELSE 0 move-count 1- $RAND-WITHIN ENDIF ;
: $RandomMoveEngine ( -- )  \ Engine: a random move.
	$RandomIndex $Nth $MoveString BestMove! $ReportUnsearched ;
: $FirstMoveEngine ( -- )  \ Engine: the first move.
	$FirstMove $MoveString BestMove! #Version 140 = IF $ReportUnsearched ENDIF ;
: OnSearch ( -- )  \ Run the current player's engine, for a host that needs a move.
	#Version 150 = IF $searching ON ENDIF
	$engines @ $playerOffset @ + @ EXECUTE
	#Version 150 = IF $searching OFF ENDIF ;

\ --- queues: the kernel has two, for its words ringbuffer-… and ringbuffer2-… ---------------

: ringbuffer-dump ( -- )  \ Remove and print all items of the queue.
	CR BEGIN ringbuffer-empty? NOT WHILE ringbuffer-remove-item . REPEAT ;
$if-known ringbuffer2-empty? : ringbuffer2-dump ( -- )  \ Remove and print the second queue's items.
	CR BEGIN ringbuffer2-empty? NOT WHILE ringbuffer2-remove-item . REPEAT ;

\ --- the sections ---------------------------------------------------------------------------

LOAD axiom-sections.4th

: axiomFence ( -- )  \ The last word of the library; the words of a game follow.
	;
