\ axiom-140.4th: words that exist only in version 140, or that later versions changed.
\ The host loads this file after axiom.4th if it emulates version 140.

\ --- lists of moves: a move's record is next, text, type, hash, code field ------------------

: .moveString ( move -- addr )  \ Cell that contains the address of a move's text.
	CELLSIZE + ;
: stalemate? ( -- ? )  \ Is the newest list of moves empty?
	move-count 0= ;
: OnIsGameOver ( -- score )  \ Result for the player to move; called after its moves are generated.
	stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;

\ --- partial moves and passes: COMPILE appends code to the move that is being generated -----

: $DoPartial ( -- )  \ The same player continues.
	$partial ON ;
: $DoPartialMoveType ( mtype -- )  \ The same player continues, with moves of that type.
	$ofType ! $partial ON ;
: $PartialText ( mtype -- )  \ Append `partial` and the move type to the text of the move.
	^" partial" ^number ;
: partial ( -- )  \ Make the move partial.
	COMPILE $DoPartial 0 $PartialText ;
: partial-move-type ( mtype -- )  \ Make the move partial; only moves of that type may follow.
	DUP COMPILE-LITERAL COMPILE $DoPartialMoveType $PartialText ;
: $Pass ( -- )  \ Add a pass to the list of moves.
	^" Pass" add-move $passed ON ;
: Pass ( -- )  \ Add a pass, unless the list contains a pass.
	$passed @ NOT IF $Pass ENDIF ;
: PassNoPartial ( -- )  \ Add a pass, unless the list contains a pass or a partial move was made.
	$partial @ $passed @ OR NOT IF $Pass ENDIF ;

\ Words of the original for the text of a move.  Here the kernel writes texts without these words.
0 CONSTANT #NoContext ( -- n )  \ Value of $context: the text is empty.
1 CONSTANT #ImplicitPosition ( -- n )  \ Bit of $context: the text of a change names no position.
2 CONSTANT #ChangedType ( -- n )  \ Bit of $context: a piece has changed its type.
4 CONSTANT #ChangedOwner ( -- n )  \ Bit of $context: a piece has changed its owner.
8 CONSTANT #Moved ( -- n )  \ Bit of $context: a piece has moved.
VARIABLE $context ( -- addr )  \ Sum of the bits above.
VARIABLE $changedTo ( -- addr )  \ The new type or owner of the piece that changed last.
VARIABLE $lastPos ( -- addr )  \ Position where the move put, removed or changed a piece last.
: last ( -- pos )  \ Position where the move put, removed or changed a piece last.
	$lastPos @ ;

\ --- turns and hooks ------------------------------------------------------------------------

\ axiom.4th defines a word next-turn-offset without $partial; the definition below calls this word.
: next-turn-offset ( off -- off' )  \ Offset of the next turn; ends a sequence of partial moves.
	$partial OFF next-turn-offset ;
: next-player ( -- player )  \ Player of the next turn; ends a sequence of partial moves.
	turn-offset next-turn-offset turn-offset-to-player ;
: OnNextTurn ( -- )  \ Begin the next turn, after a move that ends the turn.
	current-player turn-offset next-turn-offset $SetTurn $EngineSetTurn ;
: OnGenerateMoves ( -- )  \ Called before moves are generated.
	;
: OnMakeAMove ( -- )  \ Called before the host makes a move.
	;

\ --- pieces and players ---------------------------------------------------------------------

\ $AddPieceZ and $RemovePieceZ update the Zobrist hash, $AddPieceU and $RemovePieceU do not.
: $AddPiece ( piece pos -- )  \ Put a piece; if $useAxiomEngine is on, update the hash.
	$useAxiomEngine @ IF $AddPieceZ ELSE $AddPieceU ENDIF ;
: $RemovePiece ( pos -- )  \ Remove a piece; if $useAxiomEngine is on, update the hash.
	$useAxiomEngine @ IF $RemovePieceZ ELSE $RemovePieceU ENDIF ;
: $PlayerToIndex ( player -- n )  \ Number of a player, from 1.
	#PlayerNumber AND #PlayerBase / ;
: $PlayerToCellOffset ( player -- n )  \ Offset of the player in tables with a cell per player.
	$PlayerToIndex 1- CELLS ;
: $PieceToIndex ( piece -- n )  \ Index of a piece type, from 0.
	#PieceType AND 1- ;
: $PieceToCellOffset ( piece -- n )  \ Offset of the piece type in tables with a cell per type.
	$PieceToIndex CELLS ;

\ --- symmetries: each one exchanges two cells of $symmetries, so several of them combine ----

: $DirectionCFAToIndex ( 'dir -- n )  \ Number of a direction from 0; also 0 if 'dir is unknown.
	0 $directionCount @ 0 DO OVER I $DirectionCFA = IF DROP I LEAVE ENDIF LOOP SWAP DROP ;
: $Exchange ( addr addr' -- )  \ Swap two cells.
	2DUP @ >R @ SWAP ! R> SWAP ! ;
: $symmetryBase ( n -- addr )  \ Row of direction n; later versions name this word $SymmetryBase.
	$SymmetryBase ;
: $ParseSymmetry ( player -- )  \ Store the player's offset and the two directions named next.
	$PlayerToCellOffset $symmetryPlayerCELLOffset !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index ! ;
: {symmetry} ( player -- )  \ For the player, exchange the two directions named next.
	$ParseSymmetry
	$direction1Index @ $symmetryBase $symmetryPlayerCELLOffset @ +
	$direction2Index @ $symmetryBase $symmetryPlayerCELLOffset @ + $Exchange
	$RedefineDirection1 $RedefineDirection2 ;

: axiomFence ( -- )  \ The last word of the library; the words of a game follow.
	;
