\ axiom-140.4th: words that exist only in version 140, or that later versions changed.
\ The host loads this file after axiom.4th if it emulates version 140.

\ --- moves: next, text, type, hash, code field ----------------------------------------------

: .moveString ( move -- addr )  \ Cell that contains the address of a move's text.
	CELLSIZE + ;
: stalemate? ( -- ? )  \ Is the newest list empty?
	move-count 0= ;
: OnIsGameOver ( -- score )  \ Result for the player to move, whose move list exists.
	stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;

\ --- partial moves and passes write their text ----------------------------------------------

: $DoPartial ( -- )  \ The same player continues.
	$partial ON ;
: $DoPartialMoveType ( mtype -- )  \ The same player continues, with moves of that type.
	$ofType ! $partial ON ;
: $PartialText ( mtype -- )  \ Append the text of a partial move.
	^" partial" ^number ;
: partial ( -- )  \ Make the move partial.
	COMPILE $DoPartial 0 $PartialText ;
: partial-move-type ( mtype -- )  \ Make the move partial; only moves of that type may follow.
	DUP COMPILE-LITERAL COMPILE $DoPartialMoveType $PartialText ;
: $Pass ( -- )  \ Add a pass.
	^" Pass" add-move $passed ON ;
: Pass ( -- )  \ Add a pass, unless the list contains a pass.
	$passed @ NOT IF $Pass ENDIF ;
: PassNoPartial ( -- )  \ Add a pass, unless the list contains a pass or a partial move was made.
	$partial @ $passed @ OR NOT IF $Pass ENDIF ;

\ The text of an edit depends on the last edit and its position.
0 CONSTANT #NoContext ( -- n )  \ No edit has been made.
1 CONSTANT #ImplicitPosition ( -- n )  \ The text of the last change does not name its square.
2 CONSTANT #ChangedType ( -- n )  \ The last edit changed a type.
4 CONSTANT #ChangedOwner ( -- n )  \ The last edit changed an owner.
8 CONSTANT #Moved ( -- n )  \ The last edit was a move.
VARIABLE $context ( -- addr )  \ One of the constants above.
VARIABLE $changedTo ( -- addr )  \ Type or owner of the last change.
VARIABLE $lastPos ( -- addr )  \ Position edited last.
: last ( -- pos )  \ Position edited last.
	$lastPos @ ;

\ --- turns and events -----------------------------------------------------------------------

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

: $AddPiece ( piece pos -- )  \ Put a piece; $useAxiomEngine decides whether the hash key changes.
	$useAxiomEngine @ IF $AddPieceZ ELSE $AddPieceU ENDIF ;
: $RemovePiece ( pos -- )  \ Remove a piece; $useAxiomEngine decides whether the hash key changes.
	$useAxiomEngine @ IF $RemovePieceZ ELSE $RemovePieceU ENDIF ;
: $PlayerToIndex ( player -- n )  \ Number of a player, from 1.
	#PlayerNumber AND #PlayerBase / ;
: $PlayerToCellOffset ( player -- n )  \ Offset in bytes in tables with a cell per player.
	$PlayerToIndex 1- CELLS ;
: $PieceToIndex ( piece -- n )  \ Index of a piece type, from 0.
	#PieceType AND 1- ;
: $PieceToCellOffset ( piece -- n )  \ Offset in bytes in tables with a cell per type.
	$PieceToIndex CELLS ;

\ --- symmetries: a second symmetry of a player applies to the result of the first one --------

: $DirectionCFAToIndex ( 'dir -- n )  \ Number of a direction by its token, 0 if unknown.
	0 $directionCount @ 0 DO OVER I $DirectionCFA = IF DROP I LEAVE ENDIF LOOP SWAP DROP ;
: $Exchange ( addr addr' -- )  \ Swap two cells.
	2DUP @ >R @ SWAP ! R> SWAP ! ;
: $symmetryBase ( n -- addr )  \ Row of direction n in $symmetries.
	$SymmetryBase ;
: $ParseSymmetry ( player -- )  \ Read two directions and store all operands.
	$PlayerToCellOffset $symmetryPlayerCELLOffset !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index ! ;
: {symmetry} ( player -- )  \ Exchange the two directions named next, for the player.
	$ParseSymmetry
	$direction1Index @ $symmetryBase $symmetryPlayerCELLOffset @ +
	$direction2Index @ $symmetryBase $symmetryPlayerCELLOffset @ + $Exchange
	$RedefineDirection1 $RedefineDirection2 ;

: axiomFence ( -- )  \ The last word of the library; the words of a game follow.
	;
