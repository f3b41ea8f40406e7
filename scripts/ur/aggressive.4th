\ An engine for the Royal Game of Ur that considers one move: captures first, then rosettes.

\ ur-aggressive.4th loads this file after the game.  A move has ten points if it sends an enemy piece back to the
\ reserve, plus five if it brings a piece onto a rosette.  Among the best moves one is chosen at random.

: in-reserve ( player -- n )
	0 SWAP reserve-of
	#pieces-each 0 DO DUP I + not-empty-at? IF SWAP 1+ SWAP ENDIF LOOP
	DROP
;
: on-rosettes ( player -- n )           \ rosettes whose top piece is the player's
	0
	#rosettes 0 DO I rosette player-at 2 PICK = IF 1+ ENDIF LOOP
	SWAP DROP
;

VARIABLE reserve-before
VARIABLE rosettes-before
: measure-board ( -- enemies-back own-on-rosettes )
	current-player other in-reserve current-player on-rosettes
;

\ A move is code: it is run on a clone of the board, `measure-board` counts its effects, and the clone is discarded.
: gain ( move -- points )
	$CloneBoard .moveCFA EXECUTE
	measure-board rosettes-before @ > 5 AND
	SWAP reserve-before @ > 10 AND +
	$DeallocateBoard
;

VARIABLE best-gain
VARIABLE equal-moves                    \ moves that gain as much as the best so far
: choose-move ( move -- ) $MoveString BestMove! ;
: choose-better ( move gain -- ) best-gain ! 1 equal-moves ! choose-move ;
: consider-equal ( move -- )            \ the n-th of equal moves is chosen with a probability of 1 / n
	equal-moves ++
	1 equal-moves @ $RAND-WITHIN 1 = IF choose-move ELSE DROP ENDIF
;
: compare-move ( move -- )
	DUP gain                                ( move gain )
	DUP best-gain @ > IF choose-better ELSE
	best-gain @ = IF consider-equal ELSE DROP ENDIF ENDIF
;

: Aggressive ( -- )
	-1 best-gain !
	measure-board rosettes-before ! reserve-before !
	$FirstMove BEGIN DUP compare-move $NextMove DUP 0= UNTIL DROP
	best-gain @ Score! move-count Nodes! 1 Depth!
;
