\ axiom of the "v140" test library: the game words, written like those of version 140.
\ It writes the text of a move while the move is generated and stores it in the record (next, text,
\ type, hash, code).  Its edit words compile removals and additions of pieces.  The kernel generates
\ moves, applies them and searches; it provides add-move, the ^ words, $AddPieceZ and similar words.
140 CONSTANT #Version
128 CONSTANT #Directions
128 CONSTANT #Moves
128 CONSTANT #MaxPriorities
128 CONSTANT #Turns
32 CONSTANT #Players
1024 CONSTANT #Pieces
4 CONSTANT #PieceCells
3 CONSTANT #TurnOrderCells
1 CONSTANT #movesCell
2 CONSTANT #DropsCell
3 CONSTANT #ValueCell
HEX
3FF CONSTANT #PieceType
400 CONSTANT #Neutral
800 CONSTANT #PlayerBase
F800 CONSTANT #PlayerNumber
FC00 CONSTANT #Player
FFFF CONSTANT #PiecePlayer
DECIMAL
11 CONSTANT #PlayerShift
0 CONSTANT #Empty
-1 CONSTANT ??
0 CONSTANT #NoMoveType
1000 CONSTANT #NoPriority
-2140000000 CONSTANT #UnknownScore
-2130000000 CONSTANT #LossScore
0 CONSTANT #DrawScore
2130000000 CONSTANT #WinScore
0 CONSTANT #KeepSearching
1 CONSTANT #StopSoon
2 CONSTANT #StopNow
3 CONSTANT #DepthLimit
10 CONSTANT #ForeverDepth
1 CONSTANT #ImplicitPosition
2 CONSTANT #ChangedType
4 CONSTANT #ChangedOwner
8 CONSTANT #Moved

VARIABLE $rows  VARIABLE $columns  VARIABLE $positions  VARIABLE $posCount
VARIABLE $lastPosNFA  VARIABLE $posNames  VARIABLE $anonymous
VARIABLE $board  VARIABLE $boardSize  VARIABLE $boardSetup
VARIABLE $zobrist  VARIABLE $playerToMoveHash
VARIABLE $directions  VARIABLE $directionCount  VARIABLE $currDirection  VARIABLE $symmetries
VARIABLE $direction1CFA  VARIABLE $direction2CFA
VARIABLE $direction1Index  VARIABLE $direction2Index  VARIABLE $symmetryPlayer
VARIABLE $pieces  VARIABLE $pieceCount  VARIABLE $nextPiece
VARIABLE $players  VARIABLE $playerCount  VARIABLE $playerName  VARIABLE $playerOffset
VARIABLE $engines
VARIABLE $turnOrder  VARIABLE $turnOffset  VARIABLE $turnLimit  VARIABLE $repeatOffset
VARIABLE $turnNumber  VARIABLE $player  VARIABLE $forPlayer  VARIABLE $ofType
VARIABLE $moveType  VARIABLE $move-priorities  VARIABLE $priority
VARIABLE $movesList  VARIABLE $from  VARIABLE $pos  VARIABLE $piece
VARIABLE $partial  VARIABLE $passed  VARIABLE $lastMoveType
VARIABLE $context  VARIABLE $changedTo  VARIABLE $lastPos  VARIABLE $own  VARIABLE $other
VARIABLE $depthLimit  VARIABLE $searchTime  VARIABLE $variety  VARIABLE $timeCheckFrequency
VARIABLE $searchStatus  VARIABLE $ply  VARIABLE $rootMoveCount  VARIABLE $rootMoveIndex
TIMER $searchTimer
VARIABLE $gameLog  VARIABLE $flipGrid  VARIABLE $passTurnForced  VARIABLE $shareMovesList
VARIABLE $combinePartial  VARIABLE $gameResultBug  VARIABLE $useAxiomEngine
$shareMovesList ON  $combinePartial ON  $gameResultBug ON  $useAxiomEngine ON
100 $timeCheckFrequency !
' ?? CFA>NFA @ $anonymous !

: $addr, OVER ! CELLSIZE + ;
: $CommaCells 0 DO DUP , LOOP DROP ;
: $CellCount SWAP - CELLSIZE - CELLSIZE / ;
: $MakeConstant HEADER , DOES> @ ;

\ --- queries
: from $from @ ;
: here $pos @ ;
: to $pos ! ;
: back from to ;
: home $from ! ;
: last $lastPos @ ;
: current-player $player @ ;
: for-player $forPlayer @ ;
: turn-number $turnNumber @ ;
: current-piece $piece @ ;
: current-piece-type $piece @ #PieceType AND ;
: piece-at board[] @ ;
: piece here piece-at ;
: piece-type-at piece-at #PieceType AND ;
: piece-type here piece-type-at ;
: not-piece-type-at? SWAP piece-type-at <> ;
: not-piece-type? here SWAP not-piece-type-at? ;
: player-at piece-at #PlayerNumber AND ;
: player here player-at ;
: empty-at? piece-at 0= ;
: empty? here empty-at? ;
: not-empty-at? piece-at 0<> ;
: not-empty? here not-empty-at? ;
: friend-of? SWAP player-at SWAP OnFriends? ;
: enemy-of? OVER not-empty-at? IF friend-of? NOT ELSE 2DROP FALSE ENDIF ;
: friend-at? current-player friend-of? ;
: friend? here friend-at? ;
: enemy-at? current-player enemy-of? ;
: enemy? here enemy-at? ;
: neutral-piece-at? piece-at #Neutral AND 0<> ;
: neutral-piece? here neutral-piece-at? ;
: $PlayerToIndex #PlayerNumber AND #PlayerBase / ;
: $PlayerToCellOffset $PlayerToIndex 1- CELLS ;
: $PieceToIndex #PieceType AND 1- ;
: $PieceToCellOffset $PieceToIndex CELLS ;
: piece-value $PieceToIndex #PieceCells * #ValueCell + CELLS $pieces @ + @ ;
: verify NOT IF $Exit ENDIF ;

\ --- boards: a cell with the address of the copied board precedes each clone
: $CloneBoard
	$board @ DUP , HERE DUP $boardSize @ ALLOT ROT SWAP $boardSize @ CMOVE $board ! ;
: $DeallocateBoard $board @ CELLSIZE - DUP DP ! @ $board ! ;
: $AddPiece $useAxiomEngine @ IF $AddPieceZ ELSE $AddPieceU ENDIF ;
: $RemovePiece $useAxiomEngine @ IF $RemovePieceZ ELSE $RemovePieceU ENDIF ;

\ --- words that the edits of a move compile
: $Take ( pos -- ) DUP not-empty-at? IF $RemovePiece ELSE DROP ENDIF ;
: $Put ( piece pos -- ) DUP $Take $AddPiece ;
: $Alter ( bits mask pos -- ) DUP >R piece-at SWAP INVERT AND OR R> $Put ;
: $AlterType ( type pos -- ) #PieceType SWAP $Alter ;
: $AlterOwner ( player pos -- ) #Player SWAP $Alter ;

\ --- texts: the kernel writes a blank after every part, and clears $context and $changedTo before
\ each move word; it never clears $lastPos.
: (^") R> DUP DUP "SIZE + >R ^string ;
: ^" 34 WORD STATE @ IF COMPILE (^") ,string ELSE PAD TYPE ENDIF ; IMMEDIATE
: ^owner ( player -- ) $PlayerToCellOffset $players @ + @ CFA>NFA @ ^string ;
: $Edited ( pos -- ) $lastPos ! $context OFF ;

\ $own is the flag of the kind of the current change (type or owner), $other the flag of the other kind.
\ $New?: must the text name the value?  Not if the last change has the same kind and value.
\ $Implicit?: may the text omit the position?  Only at $lastPos, if the last change has not the other kind.
\ $Promoted?: were the last edits a move and a change of the moved piece?
: $Kind ( own other -- ) $other ! $own ! ;
: $New? ( value -- ? ) $context @ $own @ AND IF $changedTo @ <> ELSE DROP TRUE ENDIF ;
: $Implicit? ( pos -- ? ) $lastPos @ = $context @ $other @ AND 0= AND ;
: $Promoted? #Moved #ImplicitPosition OR DUP $context @ AND = ;
: ^place ( pos new? -- )
	OVER $Implicit? IF
		2DROP $context @ $own @ OR #ImplicitPosition OR $context !
	ELSE
		$Promoted? IF DROP ^" on" $lastPos @ ^position ELSE IF ^" on" ENDIF ENDIF
		DUP ^position $lastPos ! $own @ $context !
	ENDIF ;
: ^type-change ( type pos -- )
	#ChangedType #ChangedOwner $Kind
	OVER $New? DUP IF ^= ROT DUP ^piece-type $changedTo ! ELSE ROT DROP ENDIF ^place ;
: ^owner-change ( player pos -- )
	#ChangedOwner #ChangedType $Kind
	OVER $New? DUP IF ^= ROT DUP ^owner $changedTo ! ELSE ROT DROP ENDIF ^place ;

: capture-at
	^x DUP ^position DUP $Edited COMPILE-LITERAL COMPILE $Take ;
: capture here capture-at ;

: move ( from to -- )
	OVER empty-at? ABORT" a move from an empty position"
	OVER piece-type-at ^piece-type OVER ^position
	DUP not-empty-at? IF ^x ELSE ^- ENDIF DUP ^position
	DUP $lastPos ! #Moved $context !
	OVER COMPILE-LITERAL COMPILE $Take
	DUP not-empty-at? IF DUP COMPILE-LITERAL COMPILE $Take ENDIF
	SWAP piece-at COMPILE-LITERAL COMPILE-LITERAL COMPILE $AddPiece ;

: create-player-piece-type-at ( player type pos -- )
	>R OVER ^owner DUP ^piece-type R ^position R $Edited
	OR COMPILE-LITERAL R> COMPILE-LITERAL COMPILE $Put ;
: create-player-piece-type here create-player-piece-type-at ;
: create-piece-type-at for-player ROT ROT create-player-piece-type-at ;
: create-piece-type here create-piece-type-at ;
: create-player-at current-piece-type SWAP create-player-piece-type-at ;
: create-player here create-player-at ;
: create-at for-player current-piece-type ROT create-player-piece-type-at ;
: create here create-at ;
: drop
	^player current-piece-type ^piece-type here ^position here $Edited
	current-piece COMPILE-LITERAL here COMPILE-LITERAL COMPILE $Put ;
: drop-piece create-piece-type ;
: drop-piece-at create-piece-type-at ;

: change-type-at ( type pos -- )
	2DUP ^type-change
	SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE $AlterType ;
: change-owner-at ( player pos -- )
	2DUP ^owner-change
	SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE $AlterOwner ;
: change-type here change-type-at ;
: change-owner here change-owner-at ;

: $DoPartial $partial ON ;
: $DoPartialMoveType $ofType ! $DoPartial ;
: $^partial ^" partial" ^number ;
: partial COMPILE $DoPartial 0 $^partial ;
: partial-move-type DUP COMPILE-LITERAL COMPILE $DoPartialMoveType $^partial ;
: $Pass ^" Pass" add-move $passed ON ;
: Pass $passed @ NOT IF $Pass ENDIF ;
: PassNoPartial $passed @ $partial @ OR NOT IF $Pass ENDIF ;
VARIABLE _amount-in-reserve
: remove-from-reserve, _amount-in-reserve @ EXECUTE -- ;
: remove-from-reserve COMPILE remove-from-reserve, ;

\ --- moves and lists
: $FirstMove $movesList @ 2 CELLS + @ ;
: $NextMove @ ;
: .moveString CELLSIZE + ;
: .moveType 2 CELLS + ;
: .moveCFA 4 CELLS + ;
: move-count $movesList @ CELLSIZE + @ ;
: stalemate? move-count 0= ;
: $OutputMoves
	$FirstMove BEGIN DUP WHILE ." [" DUP .moveString @ TYPE ." ]" CR $NextMove REPEAT DROP ;

\ --- turns
: turn-offset $turnOffset @ ;
: next-turn-offset
	$partial OFF #TurnOrderCells CELLS + DUP $turnLimit @ = IF DROP $repeatOffset @ ENDIF ;
: turn-offset-to-player $turnOrder @ + @ EXECUTE ;
: next-player turn-offset next-turn-offset turn-offset-to-player ;
: $SetPlayer
	DUP CFA>NFA @ $playerName ! EXECUTE DUP $player ! $PlayerToCellOffset $playerOffset ! ;
: $SetTurn
	DUP $turnOffset ! $turnOrder @ +
	DUP @ $SetPlayer CELLSIZE + DUP @ EXECUTE $forPlayer ! CELLSIZE + @ $ofType ! ;

\ --- directions
: $DoDirection here CELLS + @ DUP 0< IF DROP FALSE ELSE to TRUE ENDIF ;
: $DoIndirectDirection @ $playerOffset @ + @ EXECUTE ;
: $BuildDirection HERE $currDirection ! -1 $positions @ $CommaCells ;
: $CreateDirectionFromString HEADER $BuildDirection DOES> $DoDirection ;
: $CreateDirection <BUILDS $BuildDirection DOES> $DoDirection ;
: $Link ( from to pfa -- ) ROT CELLS + ! ;
: $LegalRow? DUP 0< NOT SWAP $rows @ < AND ;
: $LegalColumn? DUP 0< NOT SWAP $columns @ < AND ;
: $LegalPos? DUP 0< NOT SWAP $positions @ < AND ;
: $RowColumnToIndex SWAP $columns @ * + ;
: $LinkPlace ( drow dcol row col -- )
	2DUP $RowColumnToIndex >R ROT + DUP $LegalColumn? NOT IF 2DROP DROP R> DROP EXIT ENDIF
	ROT ROT + DUP $LegalRow? NOT IF 2DROP R> DROP EXIT ENDIF
	SWAP $RowColumnToIndex R> SWAP $currDirection @ $Link ;
: $MakeLinks
	$rows @ IF $rows @ 0 DO $columns @ 0 DO 2DUP J I $LinkPlace LOOP LOOP ENDIF 2DROP ;
: $NewDirection LATEST NFA>CFA $addr, $directionCount ++ ;
: {directions
	$board @ 0= ABORT" no board" 0 $directionCount ! HERE DUP $directions ! 0 #Directions $CommaCells ;
: {direction} $CreateDirection $MakeLinks $NewDirection ;
: {link}
	-FIND DUP IF NFA>PFA ELSE
		DROP PAD $CreateDirectionFromString $NewDirection $currDirection @
	ENDIF
	' EXECUTE ' EXECUTE ROT $Link ;
: {unlink} ' CFA>PFA ' EXECUTE CELLS + -1 SWAP ! ;
: directions} DROP ;

\ --- board
: $PositionToIndex
	$flipGrid @ IF 1- ELSE $rows @ SWAP - ENDIF SWAP ASCII a - $RowColumnToIndex ;
: $IndexToPosition
	$columns @ /MOD $flipGrid @ IF 1+ ELSE $rows @ SWAP - ENDIF SWAP ASCII a + SWAP ;
CREATE $name 16 ALLOT
: $GridName $IndexToPosition (NUMBER) PAD $name 1+ "MOVE $name C! $name ;
: $UpdateSize $positions @ CELLS $boardSize ! ;
: $CheckBoard $posNames @ ABORT" the board exists" ;
: {board
	$rows OFF $columns OFF $positions OFF $posCount OFF $board OFF $posNames OFF
	$moveType OFF $move-priorities OFF $boardSetup OFF 1 $priority ! ;
: {grid}
	$CheckBoard $columns ! $rows ! $rows @ $columns @ * $positions ! $posCount OFF $UpdateSize ;
: {position}
	$positions @ CONSTANT LATEST $lastPosNFA ! $positions ++ $posCount ++ $UpdateSize ;
: {variable} <BUILDS $boardSize @ , CELLSIZE $boardSize +! DOES> @ $board @ + ;
: {array} <BUILDS $boardSize @ , CELLS $boardSize +! DOES> @ $board @ + SWAP CELLS + ;
: {carray} <BUILDS $boardSize @ , $boardSize +! DOES> @ $board @ + + ;
: $PosName CELLS $posNames @ + ;
: $GenerateGridNames
	$rows @ IF
		$rows @ $columns @ * 0 DO I DUP $GridName $MakeConstant LATEST @ I $PosName ! LOOP
	ENDIF ;
: $DefinePosNames
	HERE $posNames ! $anonymous @ $positions @ $CommaCells $GenerateGridNames
	$posCount @ IF
		$lastPosNFA @ $posCount @ 0 DO
			DUP @ $positions @ I - 1- $PosName ! NFA>LFA @
		LOOP DROP
	ENDIF ;
: board} $DefinePosNames 0 , HERE $board ! $boardSize @ 3 + 4 / 0 SWAP $CommaCells ;

\ --- engines and players
: $ReportMove BestMove! 1 Nodes! 0 Score! 0 Depth! ;
: $FirstMoveEngine $FirstMove .moveString @ $ReportMove ;
: $RandomMoveEngine
	$FirstMove 0 move-count RAND-WITHIN 1- DUP 0> IF 0 DO $NextMove LOOP ELSE DROP ENDIF
	.moveString @ $ReportMove ;
: $EncodePlayer #PlayerBase * ;
: $CompileEngine OVER 2- CELLS $engines @ + ! ;
: $DefinePlayer CONSTANT LATEST NFA>CFA ROT SWAP $addr, SWAP 1+ ;
: {players
	HERE $engines ! ['] $NegamaxMove #Players $CommaCells
	HERE DUP $players ! 0 #Players $CommaCells 1 ;
: {player} DUP $EncodePlayer $DefinePlayer ;
: {neutral} DUP $EncodePlayer #Neutral OR $DefinePlayer ;
: {search-engine} ' $CompileEngine ;
: {random} ['] $RandomMoveEngine $CompileEngine ;
: {first} ['] $FirstMoveEngine $CompileEngine ;
: players} SWAP DROP 1- DUP NOT ABORT" no players" $playerCount ! ;

\ --- moves, priorities, turns
: $DefineMoveType
	-FIND DUP IF NFA>CFA EXECUTE ELSE
		DROP $moveType ++ $moveType @ PAD $MakeConstant $moveType @
	ENDIF ;
: {moves CREATE HERE 0 , 0 HERE 0 #Moves 2* $CommaCells ;
: {move} ' $addr, 0 $addr, SWAP 1+ SWAP ;
: {move-type} $DefineMoveType OVER CELLSIZE - ! ;
: moves} DROP DUP NOT ABORT" no moves" SWAP ! ;
: {move-priorities HERE DUP $move-priorities ! #NoPriority #MaxPriorities $CommaCells ;
: {move-priority} DUP $DefineMoveType CELLS + $priority @ SWAP ! $priority ++ ;
: move-priorities} DROP ;
: {turn-order 0 $repeatOffset ! HERE DUP $turnOrder ! 0 #Turns $CommaCells ;
: {turn} ' DUP ROT SWAP $addr, SWAP $addr, 0 $addr, ;
: {for-player} ' OVER 2 CELLS - ! ;
: {of-type} $DefineMoveType OVER CELLSIZE - ! ;
: {repeat} DUP $turnOrder @ - $repeatOffset ! ;
: turn-order} $turnOrder @ - $turnLimit ! ;

\ --- symmetries: rows of one player exchange their contents
: $DirectionCFAToIndex
	0 $directionCount @ 0 DO OVER I CELLS $directions @ + @ = IF DROP I ENDIF LOOP SWAP DROP ;
: $symmetryBase $playerCount @ * CELLS $symmetries @ + ;
: $Exchange 2DUP @ >R @ SWAP ! R> SWAP ! ;
: $RedefineDirection CFA>NFA @ HEADER , DOES> $DoIndirectDirection ;
: {symmetries
	HERE $symmetries !
	$directionCount @ 0 DO I CELLS $directions @ + @ $playerCount @ $CommaCells LOOP ;
: {symmetry}
	$PlayerToCellOffset $symmetryPlayer !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index !
	$direction1Index @ $symmetryBase DUP $symmetryPlayer @ +
	$direction2Index @ $symmetryBase DUP >R $symmetryPlayer @ + $Exchange
	$direction1CFA @ $RedefineDirection R> $direction2CFA @ $RedefineDirection ;
: symmetries} ;

\ --- pieces, keys, set-up
: $RandomPairs HERE $Rand64! CELLSIZE 2* ALLOT ;
: $GenerateZobristTables
	HERE $zobrist ! $pieceCount @ $playerCount @ * $positions @ * 0 DO $RandomPairs LOOP
	HERE $playerToMoveHash ! $playerCount @ 0 DO $RandomPairs LOOP ;
: {pieces
	0 $pieceCount ! 1 $nextPiece ! HERE DUP $pieces ! 0 #Pieces #PieceCells * $CommaCells ;
: {piece}
	$nextPiece @ CONSTANT LATEST NFA>CFA $addr, 0 $addr, 0 $addr, 1 $addr,
	$nextPiece ++ $pieceCount ++ ;
: $OfPiece ( addr x cell -- addr ) #PieceCells SWAP - CELLS SWAP >R OVER SWAP - R> SWAP ! ;
: {moves} ' #movesCell $OfPiece ;
: {drops} ' #DropsCell $OfPiece ;
: {value} #ValueCell $OfPiece ;
: pieces}
	DROP $pieceCount @ NOT ABORT" no pieces" $useAxiomEngine @ IF $GenerateZobristTables ENDIF ;
: {board-setup HERE DUP $boardSetup ! 0 , ;
: {setup} ' CFA>NFA @ , ' CFA>NFA @ , ' CFA>NFA @ , ;
: board-setup} DUP HERE $CellCount 3 / SWAP ! ;

\ --- hooks
: $NewGame $board @ $boardSize @ 0 FILL 0 $SetTurn $partial OFF ;
: OnNewGame ;
: OnEditRemove $Take ;
: OnEditAdd >R OR R> $Put ;
: OnGenerateMoves ;
: OnMakeAMove ;
: OnIsGameOver stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;
: OnEvaluate 0 ;
: OnIsTerminal? TRUE ;
: OnRetractMove $DeallocateBoard ;
: OnNextTurn current-player $turnOffset @ next-turn-offset $SetTurn $EngineSetTurn ;
: OnSearch $engines @ $playerOffset @ + @ EXECUTE ;
: ringbuffer-dump CR BEGIN ringbuffer-empty? NOT WHILE ringbuffer-remove-item . REPEAT ;
: axiomFence ;
