\ axiom of the "v151" test library: the game words of version 151, written differently from axiom_lib.
\ It owns tables, sections, queries and hooks; the kernel generates and applies moves and searches.
151 CONSTANT #Version
128 CONSTANT #Directions    128 CONSTANT #Moves      128 CONSTANT #MaxPriorities
256 CONSTANT #Turns         32 CONSTANT #Players     1024 CONSTANT #Pieces
4 CONSTANT #PieceCells      3 CONSTANT #TurnOrderCells
1 CONSTANT #movesCell       2 CONSTANT #DropsCell    3 CONSTANT #ValueCell
HEX
03FF CONSTANT #PieceType    FC00 CONSTANT #Player    F800 CONSTANT #PlayerNumber
FFFF CONSTANT #PiecePlayer  0400 CONSTANT #Neutral   0800 CONSTANT #PlayerBase
DECIMAL
11 CONSTANT #PlayerShift    0 CONSTANT #Empty        -1 CONSTANT ??
0 CONSTANT #NoMoveType      1000 CONSTANT #NoPriority
-2140000000 CONSTANT #UnknownScore    -2130000000 CONSTANT #LossScore
2130000000 CONSTANT #WinScore         0 CONSTANT #DrawScore
0 CONSTANT #KeepSearching   1 CONSTANT #StopSoon     2 CONSTANT #StopNow
3 CONSTANT #DepthLimit      10 CONSTANT #ForeverDepth

VARIABLE $rows VARIABLE $columns VARIABLE $positions VARIABLE $scanPositions
VARIABLE $posCount VARIABLE $lastPosNFA VARIABLE $posNames VARIABLE $anonymous VARIABLE $board
VARIABLE $boardSize VARIABLE $boardSetup VARIABLE $zobrist VARIABLE $playerToMoveHash
VARIABLE $directions VARIABLE $directionCount VARIABLE $currDirection VARIABLE $symmetries
VARIABLE $pieces VARIABLE $pieceCount VARIABLE $scanPieceCount VARIABLE $nextPiece
VARIABLE $players VARIABLE $playerCount VARIABLE $playerName VARIABLE $playerOffset
VARIABLE $engines VARIABLE $evals VARIABLE $turnOrder VARIABLE $turnOffset VARIABLE $turnLimit
VARIABLE $repeatOffset VARIABLE $turnNumber VARIABLE $ofType VARIABLE $forPlayer
VARIABLE $player VARIABLE $moveType VARIABLE $move-priorities VARIABLE $priority
VARIABLE $movesList VARIABLE $from VARIABLE $pos VARIABLE $piece VARIABLE $partial
VARIABLE $passed VARIABLE $lastMoveType VARIABLE $add-move VARIABLE $moveAddr
VARIABLE $moveString VARIABLE $depthLimit VARIABLE $searchTime VARIABLE $variety
VARIABLE $timeCheckFrequency VARIABLE $searchStatus VARIABLE $searching
VARIABLE $iterationDepth VARIABLE $ply VARIABLE $rootMoveCount VARIABLE $rootMoveIndex
VARIABLE $gameLog VARIABLE $flipGrid VARIABLE $passTurnForced VARIABLE $shareMovesList
VARIABLE $combinePartial VARIABLE $gameResultBug VARIABLE $authoring VARIABLE $playerToMove
$shareMovesList ON    $combinePartial ON    $gameResultBug ON    100 $timeCheckFrequency !
' add-move $add-move !     ' ?? CFA>NFA @ $anonymous !
TIMER $searchTimer   HERE 1024 ALLOT CONSTANT $buffer

\ push stores n at addr and advances addr by a cell; nth is the address of cell n.
: append-copies ( x n -- ) BEGIN DUP 0> WHILE OVER , 1- REPEAT 2DROP ;
: nth ( n addr -- addr' ) SWAP CELLS + ;
: push ( addr n -- addr' ) SWAP 2DUP ! SWAP DROP 4 + ;
: newest ( -- cfa ) LATEST NFA>CFA ;
: next-name ( -- str ) ' CFA>NFA @ ;
: next-value ( -- n ) ' EXECUTE ;
: within ( n limit -- ? ) OVER > SWAP -1 > AND ;

: from $from @ ;        : here $pos @ ;         : to $pos ! ;
: back from to ;        : home $from ! ;
: current-player $player @ ;     : for-player $forPlayer @ ;     : of-type $ofType @ ;
: current-piece $piece @ ;       : current-piece-type current-piece #PieceType AND ;
: turn-number $turnNumber @ ;    : searching? $searching @ ; : player-to-move $playerToMove @ ;
: piece-at board[] @ ;           : piece here piece-at ;
: piece-type-at piece-at #PieceType AND ;    : piece-type here piece-type-at ;
: player-at piece-at #Player AND ;           : player here player-at ;
: empty-at? piece-at #Empty = ;              : empty? here empty-at? ;
: not-empty-at? empty-at? NOT ;              : not-empty? here not-empty-at? ;
: not-piece-type-at? SWAP piece-type-at = NOT ;   : not-piece-type? here SWAP not-piece-type-at? ;
: friend-of? SWAP player-at OnFriends? ;
: enemy-of? OVER empty-at? IF 2DROP FALSE ELSE friend-of? NOT ENDIF ;
: friend-at? current-player friend-of? ;     : friend? here friend-at? ;
: enemy-at? current-player enemy-of? ;       : enemy? here enemy-at? ;
: neutral-piece-at? piece-at #Neutral AND 0= NOT ;    : neutral-piece? here neutral-piece-at? ;
: piece-index #PieceType AND 1- ;
: player-index #PlayerShift 0 DO 2/ LOOP 31 AND 1- ;

: verify NOT IF $Exit ENDIF ;

: (partial) TRUE $partial ! ;
: (partial-move-type) $ofType ! (partial) ;
: partial COMPILE (partial) ;
: partial-move-type COMPILE-LITERAL COMPILE (partial-move-type) ;
: $Pass $add-move @ EXECUTE $passed ON ;
: Pass $passed @ IF EXIT ENDIF $Pass ;
: PassNoPartial $partial @ IF EXIT ENDIF Pass ;
: (^") text ^string ;
: ^" STATE @ IF 34 WORD COMPILE (^") text, ELSE 34 WORD PAD TYPE ENDIF ; IMMEDIATE

\ A move: +0 next, +4 type, +8 hash, +12 code field.  A list: +0 previous, +4 count, +8 first.
: $FirstMove $movesList @ 8 + @ ;    : $NextMove @ ;
: .moveType 4 + ;                    : .moveCFA 12 + ;
: $MoveString $buffer $DecompileMove $buffer ;
: move-count $movesList @ 4 + @ ;
: stalemate? move-count 0= ;
: $OutputMoves
	$FirstMove BEGIN DUP WHILE ASCII [ EMIT DUP $MoveString TYPE ASCII ] EMIT CR @ REPEAT DROP ;

: turn-offset $turnOffset @ ;
: next-turn-offset 12 + DUP $turnLimit @ < NOT IF DROP $repeatOffset @ ENDIF ;
: turn-offset-to-player $turnOrder @ + @ EXECUTE ;
: next-player turn-offset next-turn-offset turn-offset-to-player ;
: $SetPlayer
	DUP CFA>NFA @ $playerName ! EXECUTE DUP $player ! player-index CELLS $playerOffset ! ;
: $SetTurn
	DUP $turnOffset ! $turnOrder @ + DUP 4 + @ EXECUTE $forPlayer ! DUP 8 + @ $ofType !
	@ $SetPlayer ;

\ The body of a direction has the neighbour of each position, -1 for none.
: $DoDirection ( pfa -- ? ) here SWAP nth @ DUP ?? = IF DROP FALSE ELSE to TRUE ENDIF ;
: $DoIndirectDirection ( pfa -- ? ) @ $playerOffset @ + @ EXECUTE ;
: $Link ( from to pfa -- ) ROT SWAP nth ! ;
: $CreateDirectionFromString ( str -- )
	HEADER HERE $currDirection ! ?? $positions @ append-copies DOES> $DoDirection ;
: $CreateDirection -FIND DROP PAD $CreateDirectionFromString ;

\ {board ... board}
: $LegalRow? $rows @ within ;    : $LegalColumn? $columns @ within ;
: $RowColumnToIndex SWAP $columns @ * + ;
: $PositionToIndex
	$flipGrid @ IF 1- ELSE $rows @ SWAP - ENDIF SWAP ASCII a - $RowColumnToIndex ;
: $IndexToPosition
	$columns @ /MOD $flipGrid @ IF 1+ ELSE $rows @ SWAP - ENDIF SWAP ASCII a + SWAP ;
\ The word has a text as its name; its action is the colon definition (action).
: (action) @ ;
: $MakeConstant HEADER , DOES> (action) ;
: $UpdateSize $positions @ CELLS $boardSize ! ;
: {board
	0 $rows ! 0 $columns ! 0 $positions ! 0 $scanPositions ! 0 $posCount ! 0 $board !
	0 $posNames ! 0 $boardSetup ! 0 $zobrist ! 0 $moveType ! 0 $move-priorities ! 1 $priority ! ;
: {grid} $posNames @ ABORT" the board is made" $columns ! $rows !
	$rows @ $columns @ * $positions ! 0 $posCount ! $UpdateSize ;
: {position}
	$positions @ CONSTANT LATEST $lastPosNFA ! $positions ++ $posCount ++ $UpdateSize ;
: {dummy-positions} $positions @ $scanPositions ! ;
: in-board ( offset -- addr ) $board @ + ;
: {variable} $boardSize @ 4 $boardSize +! >R : R> COMPILE-LITERAL COMPILE in-board [COMPILE] ; ;
: in-array ( i offset -- addr ) in-board nth ;
: {array} CELLS $boardSize @ SWAP $boardSize +! >R : R> COMPILE-LITERAL COMPILE in-array [COMPILE] ; ;
: {carray} <BUILDS $boardSize @ , $boardSize +! DOES> @ $board @ + + ;
\ Grid positions become constants with generated names.  The words made by {position} are found by
\ following the links of their headers back from the last one.
: grid-name ( pos -- str ) $IndexToPosition (NUMBER) PAD $buffer 1+ "MOVE $buffer C! $buffer ;
: $GenerateGridNames
	$rows @ $columns @ * DUP IF
		0 DO I DUP grid-name $MakeConstant LATEST @ I $posNames @ nth ! LOOP
	ELSE DROP ENDIF ;
: $DefinePosNames
	HERE $posNames ! $anonymous @ $positions @ append-copies $GenerateGridNames
	$lastPosNFA @ $positions @ $posCount @
	BEGIN DUP WHILE
		>R 1- OVER @ OVER $posNames @ nth ! SWAP 8 + @ SWAP R> 1-
	REPEAT 2DROP DROP ;
: board}
	$DefinePosNames 0 , HERE $board !
	$boardSize @ 3 + 4 / BEGIN DUP WHILE 0 , 1- REPEAT DROP
	$scanPositions @ NOT IF {dummy-positions} ENDIF ;

\ {directions ... directions}
: direction-number ( str -- n | -1 )
	$directionCount @ BEGIN DUP WHILE
		1- 2DUP $directions @ nth @ CFA>NFA @ "= IF SWAP DROP EXIT ENDIF
	REPEAT 2DROP -1 ;
: $DirectionCFAToIndex CFA>NFA @ direction-number DUP -1 = IF DROP 0 ENDIF ;
: {directions
	$positions @ NOT ABORT" directions before the board"
	0 $directionCount ! HERE DUP $directions ! 0 128 append-copies ;
: {link}
	-FIND DUP IF NFA>PFA ELSE
		DROP PAD $CreateDirectionFromString newest push $directionCount ++ $currDirection @
	ENDIF
	next-value next-value ROT $Link ;
: {unlink} ' CFA>PFA next-value SWAP nth -1 SWAP ! ;
VARIABLE step-row    VARIABLE step-column
: $MakeLinks ( drow dcol -- )
	step-column ! step-row !
	$rows @ 0 DO $columns @ 0 DO
		J step-row @ + DUP $LegalRow? I step-column @ + DUP $LegalColumn? ROT AND IF
			$RowColumnToIndex J I $RowColumnToIndex SWAP $currDirection @ $Link
		ELSE 2DROP ENDIF
	LOOP LOOP ;
: {direction} $CreateDirection $MakeLinks newest push $directionCount ++ ;
: directions} DROP ;

\ {players ... players} with engines
DEFER $RAND-WITHIN     ' RAND-WITHIN IS $RAND-WITHIN
: report-move ( move -- ) $MoveString BestMove! 1 Nodes! 0 Score! 0 Depth! ;
: $RandomMoveEngine
	$FirstMove 1 move-count $RAND-WITHIN BEGIN 1- DUP WHILE SWAP $NextMove SWAP REPEAT DROP report-move ;
: $FirstMoveEngine $FirstMove $MoveString BestMove! ;
: $CompileEngine OVER 2- $engines @ nth ! ;
VARIABLE 'make-keys
: {players
	HERE $engines ! ['] $NegamaxMove 32 append-copies HERE DUP $players ! 0 32 append-copies 1 ;
: $DefinePlayer ( addr n player -- addr' n' ) CONSTANT 1+ SWAP newest push SWAP ;
: {player} DUP #PlayerBase * $DefinePlayer ;
: {neutral} DUP #PlayerBase * #Neutral OR $DefinePlayer ;
: {search-engine} ' $CompileEngine ;
: {random} ['] $RandomMoveEngine $CompileEngine ;
: {first} ['] $FirstMoveEngine $CompileEngine ;
: players}
	1- DUP 0= ABORT" no players" DUP $playerCount ! S" player-count" $MakeConstant DROP
	HERE $evals ! 0 $playerCount @ append-copies $pieceCount @ IF 'make-keys @ EXECUTE ENDIF ;

\ move types, {moves ... moves}, {move-priorities ... move-priorities}
: $DefineMoveType -FIND DUP IF NFA>CFA EXECUTE EXIT ENDIF
	DROP $moveType ++ $moveType @ DUP PAD $MakeConstant ;
: {moves CREATE HERE 0 , 0 HERE 0 256 append-copies ;
: {move} ( addr n addr' -- ) ' push 0 push SWAP 1+ SWAP ;
: {move-type} $DefineMoveType OVER 4 - ! ;
: moves} DROP DUP NOT ABORT" no moves" SWAP ! ;
: {move-priorities HERE DUP $move-priorities ! #NoPriority #MaxPriorities append-copies ;
: {move-priority} $priority @ OVER $DefineMoveType SWAP nth ! $priority ++ ;
: move-priorities} DROP ;

\ {turn-order ... turn-order}
: {turn-order 0 $repeatOffset ! HERE DUP $turnOrder ! 0 #Turns 3 * append-copies ;
: {turn} ' DUP >R push R> push 0 push ;
: {for-player} ' OVER 8 - ! ;
: {of-type} $DefineMoveType OVER 4 - ! ;
: {repeat} DUP $turnOrder @ - $repeatOffset ! ;
: turn-order} $turnOrder @ - $turnLimit ! ;

\ {symmetries ... symmetries}
: $SymmetryBase ( n -- addr ) $playerCount @ * $symmetries @ nth ;
VARIABLE player-offset    VARIABLE dir1    VARIABLE dir2
: $RedefineDirection ( addr 'dir -- ) CFA>NFA @ HEADER , DOES> $DoIndirectDirection ;
: redefine ( 'dir -- ) DUP $DirectionCFAToIndex $SymmetryBase SWAP $RedefineDirection ;
: replace ( 'dir 'dir' -- )
	$DirectionCFAToIndex $directions @ nth @ SWAP $DirectionCFAToIndex $SymmetryBase player-offset @ + ! ;
: {symmetries
	HERE $symmetries !
	0 BEGIN DUP $directionCount @ < WHILE
		DUP $directions @ nth @ $playerCount @ append-copies 1+
	REPEAT DROP ;
: $ParseSymmetry player-index CELLS player-offset ! ' dir1 ! ' dir2 ! ;
: {symmetry} $ParseSymmetry
	dir1 @ dir2 @ replace dir2 @ dir1 @ replace dir1 @ redefine dir2 @ redefine ;
: {asymmetry} $ParseSymmetry dir1 @ dir2 @ replace dir1 @ redefine ;
: symmetries} ;

\ {pieces ... pieces} and the keys of the hash
: pairs ( n -- ) BEGIN DUP WHILE HERE 0 , 0 , $Rand64! 1- REPEAT DROP ;
: random-pairs pairs ;
: $GenerateZobristTables
	$zobrist @ IF EXIT ENDIF
	HERE $zobrist ! $pieceCount @ $playerCount @ * $positions @ * random-pairs
	HERE $playerToMoveHash ! $playerCount @ random-pairs ;
' $GenerateZobristTables 'make-keys !
: {pieces
	0 $pieceCount ! 0 $scanPieceCount ! 1 $nextPiece !
	HERE DUP $pieces ! #Pieces #PieceCells * CELLS ALLOT ;
: {piece} $nextPiece @ CONSTANT newest push 0 push 0 push 1 push $nextPiece ++ $pieceCount ++ ;
: {moves} ' OVER 12 - ! ;
: {drops} ' OVER 8 - ! ;
: {value} OVER 4 - ! ;
: {dummy-pieces} $pieceCount @ $scanPieceCount ! ;
: pieces}
	DROP $pieceCount @ NOT ABORT" no pieces"
	$scanPieceCount @ NOT IF {dummy-pieces} ENDIF $playerCount @ IF $GenerateZobristTables ENDIF ;

\ {board-setup ... board-setup}
: {board-setup HERE DUP $boardSetup ! 0 , ;
: {setup} next-name , next-name , next-name , ;
: board-setup} HERE OVER - 4 / 3 / SWAP ! ;

\ Hooks
: $NewGame
	$board @ $boardSize @ ERASE $partial OFF 0 $SetTurn ;
: OnNewGame ;
: OnEditRemove (remove-piece) ;
: OnEditAdd
	>R OR R@ not-empty-at? IF R@ (remove-piece) ENDIF R> (add-piece) ;
: OnIsGameOver #UnknownScore stalemate? IF DROP #DrawScore ENDIF ;
: OnEvaluate 0 ;
: OnIsTerminal? -1 ;
: OnRetractMove $DeallocateBoard ;
: OnNextTurn current-player turn-offset next-turn-offset $SetTurn $EngineSetTurn ;
: OnSearch $playerOffset @ $engines @ + @ EXECUTE ;
: $ClearEvals $evals @ $playerCount @ CELLS ERASE ;
: ringbuffer-dump CR BEGIN ringbuffer-empty? 0= WHILE ringbuffer-remove-item . REPEAT ;
: ringbuffer2-dump CR BEGIN ringbuffer2-empty? 0= WHILE ringbuffer2-remove-item . REPEAT ;
VARIABLE _amount-in-reserve
: remove-from-reserve, -1 _amount-in-reserve @ EXECUTE +! ;
: remove-from-reserve COMPILE remove-from-reserve, ;

\ The library itself uses FORGET: the kernel must not find the removed word.
: scratch ; FORGET scratch
: axiomFence ;
