\ axiom.4th: the words of the game language over core.4th.  This file owns the constants, the
\ system variables and what move words, events and engines use while a game is played;
\ axiom-sections.4th owns the words that define a game.  Neither builds moves, applies them
\ or searches: the kernel does, and finds the tables here by the names of the variables.

\ --- constants ------------------------------------------------------------------------------

(version) CONSTANT #Version ( -- n )  \ Library version: 140, 150 or 151.

128 CONSTANT #Directions ( -- n )  \ Directions a game may have.
128 CONSTANT #Moves ( -- n )  \ Words a moves list may have.
128 CONSTANT #MaxPriorities ( -- n )  \ Entries of the table of priorities, one per move type.
: $ChooseTurns ( -- n )  \ Turns an order may have in this version.
	#Version 151 = IF 256 ELSE 128 ENDIF ;
$ChooseTurns CONSTANT #Turns ( -- n )  \ Turns an order may have.
32 CONSTANT #Players ( -- n )  \ Entries of the table of players.
1024 CONSTANT #Pieces ( -- n )  \ Entries of the table of pieces.

4 CONSTANT #PieceCells ( -- n )  \ Cells of a piece's record: name, moves, drops, value.
1 CONSTANT #movesCell ( -- n )  \ Where its moves list is.
2 CONSTANT #DropsCell ( -- n )  \ Where its drops list is.
3 CONSTANT #ValueCell ( -- n )  \ Where its value is.
3 CONSTANT #TurnOrderCells ( -- n )  \ Cells of a turn: player, for-player, move type.

\ A board cell: bits 0-9 piece type, 10 neutral owner, 11-15 player number, 16-31 attribute.
0 CONSTANT #Empty ( -- n )  \ The cell of an empty position.
1023 CONSTANT #PieceType ( -- n )  \ Mask of the piece type.
64512 CONSTANT #Player ( -- n )  \ Mask of the owner, number and neutral mark.
63488 CONSTANT #PlayerNumber ( -- n )  \ Mask of the owner's number.
65535 CONSTANT #PiecePlayer ( -- n )  \ Mask of piece type and owner.
1024 CONSTANT #Neutral ( -- n )  \ The neutral mark.
2048 CONSTANT #PlayerBase ( -- n )  \ The first player; the second is twice that.
11 CONSTANT #PlayerShift ( -- n )  \ Bits below the player number.

0 CONSTANT #NoMoveType ( -- n )  \ Type of a move word without one; as a demand: any.
1000 CONSTANT #NoPriority ( -- n )  \ Rank of the types that have no priority.

-2140000000 CONSTANT #UnknownScore ( -- n )  \ The game goes on.
-2130000000 CONSTANT #LossScore ( -- n )  \ The player to move has lost.
0 CONSTANT #DrawScore ( -- n )  \ A draw.
2130000000 CONSTANT #WinScore ( -- n )  \ The player to move has won.
0 CONSTANT #KeepSearching ( -- n )  \ Search status: go on.
1 CONSTANT #StopSoon ( -- n )  \ Search status: stop after this iteration.
2 CONSTANT #StopNow ( -- n )  \ Search status: stop at once.
3 CONSTANT #DepthLimit ( -- n )  \ A modest search depth.
10 CONSTANT #ForeverDepth ( -- n )  \ A search depth that no search completes.
-1 CONSTANT ?? ( -- n )  \ No position; its name stands for positions without one.

\ --- directives: ON or OFF in a script ------------------------------------------------------

VARIABLE $gameLog ( -- addr )  \ On: output goes to the game's log.
VARIABLE $flipGrid ( -- addr )  \ On: a1 is the top left; off: the bottom left.
VARIABLE $passTurnForced ( -- addr )  \ On: a pass is added when there is no move.
VARIABLE $shareMovesList ( -- addr )  \ On: OnIsGameOver and OnEvaluate find the list of moves.
VARIABLE $combinePartial ( -- addr )  \ On: the search evaluates whole partial sequences only.
VARIABLE $gameResultBug ( -- addr )  \ On: work around a display fault of the old host.
VARIABLE $authoring ( -- addr )  \ On: the host reloads the script at each new game.
VARIABLE $useAxiomEngine ( -- addr )  \ On: hash keys are made and kept (read by version 140).
$shareMovesList ON
$combinePartial ON
$gameResultBug ON
$useAxiomEngine ON

\ --- tables of the game ---------------------------------------------------------------------

VARIABLE $rows ( -- addr )  \ Rows of the grid, 0 without one.
VARIABLE $columns ( -- addr )  \ Columns of the grid, 0 without one.
VARIABLE $positions ( -- addr )  \ Positions so far, of the grid and others.
VARIABLE $scanPositions ( -- addr )  \ Positions that move generation visits.
VARIABLE $posCount ( -- addr )  \ Positions made by {position}.
VARIABLE $lastPosNFA ( -- addr )  \ Header of the last of them.
VARIABLE $posNames ( -- addr )  \ Name address of each position.
VARIABLE $anonymous ( -- addr )  \ Name address of positions without a name.
VARIABLE $board ( -- addr )  \ Address of the current board.
VARIABLE $boardSize ( -- addr )  \ Its bytes: positions, then variables and arrays.
VARIABLE $boardSetup ( -- addr )  \ Count and triples of names; 0: none.
VARIABLE $zobrist ( -- addr )  \ Hash keys by piece type, player and position; 0: none.
VARIABLE $playerToMoveHash ( -- addr )  \ Hash keys of the player to move.
VARIABLE $directions ( -- addr )  \ Token of each direction.
VARIABLE $directionCount ( -- addr )  \ Number of directions.
VARIABLE $currDirection ( -- addr )  \ Body of the direction that is being linked.
VARIABLE $symmetries ( -- addr )  \ For each direction a row with a token per player.
VARIABLE $pieces ( -- addr )  \ Records of the piece types.
VARIABLE $pieceCount ( -- addr )  \ Number of piece types.
VARIABLE $scanPieceCount ( -- addr )  \ Piece types whose moves and drops are run.
VARIABLE $nextPiece ( -- addr )  \ Number of the next piece type.
VARIABLE $players ( -- addr )  \ Token of each player.
VARIABLE $playerCount ( -- addr )  \ Number of players.
VARIABLE $engines ( -- addr )  \ Token of each player's engine.
VARIABLE $turnOrder ( -- addr )  \ Records of the turns.
VARIABLE $turnLimit ( -- addr )  \ Their length in bytes.
VARIABLE $repeatOffset ( -- addr )  \ Where the order begins again, in bytes.
VARIABLE $moveType ( -- addr )  \ Number of the newest move type.
VARIABLE $move-priorities ( -- addr )  \ Rank of each move type, 1 best; 0: none are ranked.
VARIABLE $priority ( -- addr )  \ Rank that the next {move-priority} gives.
' ?? CFA>NFA @ $anonymous !

\ --- the state of play ----------------------------------------------------------------------

VARIABLE $turnOffset ( -- addr )  \ The current turn, in bytes from $turnOrder.
VARIABLE $turnNumber ( -- addr )  \ 1 in the first turn.
VARIABLE $player ( -- addr )  \ Whose turn it is.
VARIABLE $playerName ( -- addr )  \ His name.
VARIABLE $playerOffset ( -- addr )  \ His index in tables, in bytes.
VARIABLE $playerToMove ( -- addr )  \ For whom the search runs.
VARIABLE $forPlayer ( -- addr )  \ Whose pieces move.
VARIABLE $ofType ( -- addr )  \ Move type demanded, 0 any.
VARIABLE $movesList ( -- addr )  \ Newest list of moves: previous list, count, first move.
VARIABLE $from ( -- addr )  \ Position that generation visits.
VARIABLE $pos ( -- addr )  \ Position that queries and directions use.
VARIABLE $piece ( -- addr )  \ Piece that the move word runs for.
VARIABLE $partial ( -- addr )  \ TRUE after a partial move.
VARIABLE $passed ( -- addr )  \ TRUE when the list has a pass.
VARIABLE $lastMoveType ( -- addr )  \ Type of the move that was made last.
VARIABLE $add-move ( -- addr )  \ Token that finishes a pass; the kernel sets it.
VARIABLE $moveAddr ( -- addr )  \ Move that the host is making.
VARIABLE $moveString ( -- addr )  \ Its text.
CREATE $buffer ( -- addr )  \ Room for the text of a move.
	1024 ALLOT
' add-move $add-move !

\ --- the search -----------------------------------------------------------------------------

VARIABLE $depthLimit ( -- addr )  \ Host's limit: plies.
VARIABLE $searchTime ( -- addr )  \ Host's limit: milliseconds.
VARIABLE $variety ( -- addr )  \ Host's wish for noise in evaluations, 0 to 10.
VARIABLE $timeCheckFrequency ( -- addr )  \ Evaluations between two looks at the clock.
VARIABLE $searchStatus ( -- addr )  \ What SearchStatus@ answers.
VARIABLE $searching ( -- addr )  \ On while an engine runs.
VARIABLE $iterationDepth ( -- addr )  \ Depth of the running iteration.
VARIABLE $ply ( -- addr )  \ Depth in the tree, 1 after the first move.
VARIABLE $rootMoveCount ( -- addr )  \ Moves at the root.
VARIABLE $rootMoveIndex ( -- addr )  \ The one that is being searched.
VARIABLE $evals ( -- addr )  \ Last evaluation per player.
TIMER $searchTimer ( -- addr )  \ A stopwatch for engines.
100 $timeCheckFrequency !

\ --- words for tables -----------------------------------------------------------------------

: $addr, ( addr n -- addr' )  \ Store n and step a cell on.
	OVER ! CELLSIZE + ;
: $CommaCells ( x n -- )  \ Append x n times, once for 0.
	0 DO DUP , LOOP DROP ;
: $CellCount ( addr addr' -- n )  \ Cells between a count cell and addr'.
	SWAP - CELLSIZE - CELLSIZE / ;
: $MakeConstant ( n str -- )  \ Make a constant named by text.
	HEADER , DOES> @ ;
: $EncodePlayer ( n -- player )  \ The player with that number.
	#PlayerBase * ;

\ --- the board as move words see it ---------------------------------------------------------

: from ( -- pos )  \ Position that generation visits, or that home named.
	$from @ ;
: here ( -- pos )  \ Current position.
	$pos @ ;
: to ( pos -- )  \ Make pos the current position.
	$pos ! ;
: back ( -- )  \ Make from the current position again.
	$from @ $pos ! ;
: home ( pos -- )  \ Change from, also for later words on the same position.
	$from ! ;

: $ChooseMask ( -- n )  \ In version 140 player hides the neutral mark.
	#Version 140 = IF #PlayerNumber ELSE #Player ENDIF ;
$ChooseMask CONSTANT $playerMask ( -- n )  \ Bits that player and player-at show.

: current-player ( -- player )  \ Whose turn it is.
	$player @ ;
: for-player ( -- player )  \ Whose pieces move.
	$forPlayer @ ;
: of-type ( -- mtype )  \ Move type demanded, 0 any.
	$ofType @ ;
: current-piece ( -- piece )  \ Piece that the word runs for; in drops its type and for-player.
	$piece @ ;
: current-piece-type ( -- type )  \ Its type.
	$piece @ #PieceType AND ;

: piece-at ( pos -- piece )  \ Whole cell at pos, 0 when empty.
	board[] @ ;
: piece ( -- piece )  \ Whole cell here.
	$pos @ board[] @ ;
: piece-type-at ( pos -- type )  \ Piece type at pos.
	board[] @ #PieceType AND ;
: piece-type ( -- type )  \ Piece type here.
	$pos @ board[] @ #PieceType AND ;
: not-piece-type-at? ( pos type -- ? )  \ Is another type at pos?
	SWAP piece-type-at <> ;
: not-piece-type? ( type -- ? )  \ Is another type here?
	piece-type <> ;
: player-at ( pos -- player )  \ Owner at pos.
	board[] @ $playerMask AND ;
: player ( -- player )  \ Owner here.
	$pos @ board[] @ $playerMask AND ;
: empty-at? ( pos -- ? )  \ Is pos empty?
	board[] @ 0= ;
: empty? ( -- ? )  \ Is it empty here?
	$pos @ board[] @ 0= ;
: not-empty-at? ( pos -- ? )  \ Does anything stand at pos?
	board[] @ 0<> ;
: not-empty? ( -- ? )  \ Does anything stand here?
	$pos @ board[] @ 0<> ;

\ These ask the kernel's OnFriends? (the same owner), never one that a script defines later.  In
\ version 140 a neutral player, whose mark the owner lacks there, has no friends.
: friend-of? ( pos player -- ? )  \ Is the owner at pos that player?
	SWAP board[] @ $playerMask AND OnFriends? ;
: enemy-of? ( pos player -- ? )  \ Does a piece of anybody else stand at pos?
	OVER not-empty-at? ROT ROT friend-of? NOT AND ;
: friend-at? ( pos -- ? )  \ Is the piece at pos the current player's?
	board[] @ $playerMask AND $player @ OnFriends? ;
: friend? ( -- ? )  \ Is the piece here the current player's?
	$pos @ board[] @ $playerMask AND $player @ OnFriends? ;
: enemy-at? ( pos -- ? )  \ Does a piece of anybody else stand at pos, neutral ones included?
	board[] @ DUP $playerMask AND $player @ OnFriends? NOT SWAP 0<> AND ;
: enemy? ( -- ? )  \ Does a piece of anybody else stand here, neutral ones included?
	$pos @ board[] @ DUP $playerMask AND $player @ OnFriends? NOT SWAP 0<> AND ;
: neutral-piece-at? ( pos -- ? )  \ Is the piece at pos neutral?
	board[] @ #Neutral AND 0<> ;
: neutral-piece? ( -- ? )  \ Is the piece here neutral?
	$pos @ neutral-piece-at? ;

: piece-index ( piece -- n )  \ Index of its type, from 0.
	#PieceType AND 1- ;
: player-index ( player -- n )  \ Index of the player, from 0; works on any cell.
	#PlayerNumber AND #PlayerBase / 1- ;

\ --- directions -----------------------------------------------------------------------------

: $DoDirection ( pfa -- ? )  \ Take the link of the current position, if there is one.
	\ adding 1 makes the -1 of no link the FALSE to leave
	$pos @ 4 * + @ 1+ DUP IF 1- $pos ! TRUE ENDIF ;
: $DoIndirectDirection ( pfa -- ? )  \ Take the direction that the current player has in this row.
	@ $playerOffset @ + @ EXECUTE ;

\ --- making moves ---------------------------------------------------------------------------
\ Between two calls of add-move a word lays code down at HERE: that code is the move.

: verify ( ? -- )  \ Give the move word up when the flag is 0.
	NOT IF $Exit ENDIF ;
: (partial) ( -- )  \ The same player goes on.
	$partial ON ;
: (partial-move-type) ( mtype -- )  \ The same player goes on, with moves of that type.
	$ofType ! $partial ON ;
: partial ( -- )  \ Make the move a partial one.
	COMPILE (partial) ;
: partial-move-type ( mtype -- )  \ Make the move a partial one, to be continued by that type.
	COMPILE-LITERAL COMPILE (partial-move-type) ;
: $Pass ( -- )  \ Add a pass.
	$add-move @ EXECUTE $passed ON ;
: Pass ( -- )  \ Add a pass, unless the list has one.
	$passed @ NOT IF $Pass ENDIF ;
: PassNoPartial ( -- )  \ The same, but not inside a partial sequence.
	$partial @ $passed @ OR NOT IF $Pass ENDIF ;

: (^") ( -- )  \ Append the text in line to the text of the move.
	R> DUP DUP "SIZE + >R ^string ;
: ^" ( -- )  \ Append the text up to the next quote to the move's; interpreted, print it.
	34 WORD STATE @ IF COMPILE (^") "PAD, ELSE PAD TYPE ENDIF ; IMMEDIATE

VARIABLE _amount-in-reserve ( -- addr )  \ Token of the script's word that finds the amount.
: remove-from-reserve, ( -- )  \ Take 1 from the amount in reserve.
	_amount-in-reserve @ EXECUTE -- ;
: remove-from-reserve ( -- )  \ Let the move take 1 from the amount in reserve.
	COMPILE remove-from-reserve, ;

\ --- lists of moves -------------------------------------------------------------------------
\ Since 150 a move is: next, type, hash, code field.  Version 140 has the text's address after next.

: $ChooseLayout ( -- n )  \ Bytes that version 140 has more in a move.
	#Version 140 = IF CELLSIZE ELSE 0 ENDIF ;
$ChooseLayout CONSTANT $moveExtra ( -- n )  \ Bytes between a move's link and its type.

: $FirstMove ( -- move )  \ First move of the newest list.
	$movesList @ [ 2 CELLS ] LITERAL + @ ;
: $NextMove ( move -- move' )  \ The move after it, 0 at the end.
	@ ;
: .moveType ( move -- addr )  \ Cell that holds its type.
	[ 1 CELLS $moveExtra + ] LITERAL + ;
: .moveCFA ( move -- 'x )  \ Token that applies it to the current board.
	[ 3 CELLS $moveExtra + ] LITERAL + ;
: $MoveString ( move -- str )  \ Its text, valid until the next call.
	#Version 140 = IF CELLSIZE + @ ELSE $buffer $DecompileMove $buffer ENDIF ;
: move-count ( -- n )  \ Moves in the newest list.
	$movesList @ CELLSIZE + @ ;
: stalemate? ( -- ? )  \ Is the newest list empty?
	$shareMovesList @ NOT ABORT" stalemate? needs $shareMovesList ON" move-count 0= ;
: $OutputMoves ( -- )  \ Print the newest list, a move in brackets on each line.
	move-count IF
		$FirstMove BEGIN ." [" DUP $MoveString TYPE ." ]" CR $NextMove DUP 0= UNTIL DROP
	ENDIF ;

\ --- turns ----------------------------------------------------------------------------------

: turn-number ( -- n )  \ 1 in the first turn; partial moves do not count.
	$turnNumber @ ;
: turn-offset ( -- off )  \ The current turn.
	$turnOffset @ ;
: next-turn-offset ( off -- off' )  \ The turn after it.
	[ #TurnOrderCells CELLS ] LITERAL + DUP $turnLimit @ >= IF DROP $repeatOffset @ ENDIF ;
: turn-offset-to-player ( off -- player )  \ Whose turn that is.
	$turnOrder @ + @ EXECUTE ;
: next-player ( -- player )  \ Player of the next turn.
	turn-offset next-turn-offset turn-offset-to-player ;
: player-to-move ( -- player )  \ For whom the search runs.
	$playerToMove @ ;
: $SetPlayer ( 'player -- )  \ Make him the current player.
	DUP CFA>NFA @ $playerName !
	EXECUTE DUP $player ! player-index CELLS $playerOffset ! ;
: $SetTurn ( off -- )  \ Make it the current turn.
	DUP $turnOffset ! $turnOrder @ +
	DUP @ $SetPlayer
	DUP CELLSIZE + @ EXECUTE $forPlayer !
	2 CELLS + @ $ofType ! ;

\ --- events: a script defines them anew -----------------------------------------------------

: $NewGame ( -- )  \ Begin a game: zero the board and its variables, first turn.
	$board @ $boardSize @ ERASE 0 $SetTurn $partial OFF ;
: OnNewGame ( -- )  \ A game begins, the set-up has not been put up yet.
	;
: OnEditRemove ( pos -- )  \ The host takes a piece off the board.
	(remove-piece) ;
: OnEditAdd ( player type pos -- )  \ The host puts a piece on the board.
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	ROT ROT OR SWAP (add-piece) ;
: OnIsGameOver ( -- score )  \ Result for the player to move, whose list is there.
	stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;
: OnEvaluate ( -- score )  \ Value of the position for the current player.
	0 ;
: OnIsTerminal? ( -- ? )  \ May the search end here, at depth 0?
	TRUE ;
: OnRetractMove ( -- )  \ The search takes a move back.
	$DeallocateBoard ;
: OnNextTurn ( -- )  \ A move has ended the turn: the next one begins.
	current-player turn-offset next-turn-offset $SetTurn $EngineSetTurn ;

\ --- engines --------------------------------------------------------------------------------

DEFER $RAND-WITHIN ( low high -- n )  \ Random number for $RandomMoveEngine.
' RAND-WITHIN IS $RAND-WITHIN
: searching? ( -- ? )  \ Is an engine running?
	$searching @ ;
: $ClearEvals ( -- )  \ Zero the evaluations of all players.
	$evals @ $playerCount @ CELLS ERASE ;
: $ReportUnsearched ( -- )  \ Report a move that was found without a search.
	1 Nodes! 0 Score! 0 Depth! ;
: $Nth ( n -- move )  \ Move n of the newest list, from 0; the first for less.
	$FirstMove BEGIN OVER 0> WHILE $NextMove SWAP 1- SWAP REPEAT SWAP DROP ;
: $RandomIndex ( -- n )  \ Index of a random move; version 140 prefers the first one.
	#Version 140 = IF 0 move-count $RAND-WITHIN 1- ELSE 0 move-count 1- $RAND-WITHIN ENDIF ;
: $RandomMoveEngine ( -- )  \ Engine: a random move.
	$RandomIndex $Nth $MoveString BestMove! $ReportUnsearched ;
: $FirstMoveEngine ( -- )  \ Engine: the first move.
	$FirstMove $MoveString BestMove! #Version 140 = IF $ReportUnsearched ENDIF ;
: OnSearch ( -- )  \ The host wants a move: run the current player's engine.
	#Version 150 = IF $searching ON ENDIF
	$engines @ $playerOffset @ + @ EXECUTE
	#Version 150 = IF $searching OFF ENDIF ;

\ --- queues ---------------------------------------------------------------------------------

: ringbuffer-dump ( -- )  \ Remove and print all that is in the queue.
	CR BEGIN ringbuffer-empty? NOT WHILE ringbuffer-remove-item . REPEAT ;
$if-known ringbuffer2-empty? : ringbuffer2-dump ( -- )  \ Remove and print all that is in the second queue.
	CR BEGIN ringbuffer2-empty? NOT WHILE ringbuffer2-remove-item . REPEAT ;

\ --- the sections ---------------------------------------------------------------------------

LOAD axiom-sections.4th

: axiomFence ( -- )  \ The last word of the library: games lie after it.
	;
