\ axiom-140.4th: what version 140 of the library had and later ones have not, or had otherwise.
\ The host loads it after axiom.4th when version 140 is emulated.

\ --- moves: next, text, type, hash, code field ----------------------------------------------

: .moveString ( move -- addr )  \ Cell that holds the address of its text.
	CELLSIZE + ;
: stalemate? ( -- ? )  \ Is the newest list empty?
	move-count 0= ;
: OnIsGameOver ( -- score )  \ Result for the player to move, whose list is there.
	stalemate? IF #DrawScore ELSE #UnknownScore ENDIF ;

\ --- partial moves and passes write their text ----------------------------------------------

: $DoPartial ( -- )  \ The same player goes on.
	$partial ON ;
: $DoPartialMoveType ( mtype -- )  \ The same player goes on, with moves of that type.
	$ofType ! $partial ON ;
: $PartialText ( mtype -- )  \ Append the text of a partial move.
	^" partial" ^number ;
: partial ( -- )  \ Make the move a partial one.
	COMPILE $DoPartial 0 $PartialText ;
: partial-move-type ( mtype -- )  \ Make the move a partial one, to be continued by that type.
	DUP COMPILE-LITERAL COMPILE $DoPartialMoveType $PartialText ;
: $Pass ( -- )  \ Add a pass.
	^" Pass" add-move $passed ON ;
: Pass ( -- )  \ Add a pass, unless the list has one.
	$passed @ NOT IF $Pass ENDIF ;
: PassNoPartial ( -- )  \ The same, but not inside a partial sequence.
	$partial @ $passed @ OR NOT IF $Pass ENDIF ;

\ The texts of edits remember what was changed last and where.
0 CONSTANT #NoContext ( -- n )  \ Nothing is remembered.
1 CONSTANT #ImplicitPosition ( -- n )  \ A change here needs no square.
2 CONSTANT #ChangedType ( -- n )  \ The last change was one of type.
4 CONSTANT #ChangedOwner ( -- n )  \ The last change was one of owner.
8 CONSTANT #Moved ( -- n )  \ The last edit was a move.
VARIABLE $context ( -- addr )  \ One of these.
VARIABLE $changedTo ( -- addr )  \ Type or owner of the last change.
VARIABLE $lastPos ( -- addr )  \ Position edited last.
: last ( -- pos )  \ Position edited last.
	$lastPos @ ;

\ --- turns and events -----------------------------------------------------------------------

: next-turn-offset ( off -- off' )  \ The turn after it; ends a partial sequence.
	$partial OFF next-turn-offset ;
: next-player ( -- player )  \ Player of the next turn; ends a partial sequence.
	turn-offset next-turn-offset turn-offset-to-player ;
: OnNextTurn ( -- )  \ A move has ended the turn: the next one begins.
	current-player turn-offset next-turn-offset $SetTurn $EngineSetTurn ;
: OnGenerateMoves ( -- )  \ Moves are about to be generated.
	;
: OnMakeAMove ( -- )  \ The host is about to make a move.
	;

\ --- pieces and players ---------------------------------------------------------------------

: $AddPiece ( piece pos -- )  \ Put a piece, hashed if the engine wants keys.
	$useAxiomEngine @ IF $AddPieceZ ELSE $AddPieceU ENDIF ;
: $RemovePiece ( pos -- )  \ Take a piece, hashed if the engine wants keys.
	$useAxiomEngine @ IF $RemovePieceZ ELSE $RemovePieceU ENDIF ;
: $PlayerToIndex ( player -- n )  \ Number of a player, from 1.
	#PlayerNumber AND #PlayerBase / ;
: $PlayerToCellOffset ( player -- n )  \ Offset of a player in tables.
	$PlayerToIndex 1- CELLS ;
: $PieceToIndex ( piece -- n )  \ Index of a piece type, from 0.
	#PieceType AND 1- ;
: $PieceToCellOffset ( piece -- n )  \ Offset of a piece type in tables.
	$PieceToIndex CELLS ;

\ --- symmetries: rows exchange what they hold, so that symmetries of one player add up ------

: $DirectionCFAToIndex ( 'dir -- n )  \ Number of a direction by its token, 0 if unknown.
	0 $directionCount @ 0 DO OVER I $DirectionCFA = IF DROP I LEAVE ENDIF LOOP SWAP DROP ;
: $Exchange ( addr addr' -- )  \ Swap two cells.
	2DUP @ >R @ SWAP ! R> SWAP ! ;
: $symmetryBase ( n -- addr )  \ Row of direction n.
	$SymmetryBase ;
: $ParseSymmetry ( player -- )  \ Read two directions and note all operands.
	$PlayerToCellOffset $symmetryPlayerCELLOffset !
	' DUP $direction1CFA ! $DirectionCFAToIndex $direction1Index !
	' DUP $direction2CFA ! $DirectionCFAToIndex $direction2Index ! ;
: {symmetry} ( player -- )  \ For that player the next two directions change places.
	$ParseSymmetry
	$direction1Index @ $symmetryBase $symmetryPlayerCELLOffset @ +
	$direction2Index @ $symmetryBase $symmetryPlayerCELLOffset @ + $Exchange
	$RedefineDirection1 $RedefineDirection2 ;

: axiomFence ( -- )  \ The last word of the library: games lie after it.
	;
