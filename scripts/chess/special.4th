\ The pawn's double step, and en passant.

\ A mark (see chess.4th) on passed-a to passed-h means that the pawn on this file has just made a double step and can be
\ captured en passant.

: remove-mark ( pos -- ) DUP not-empty-at? IF (remove-piece) ELSE DROP ENDIF ;

\ --- en passant ------------------------------------------------------------------------------------

\ Two pieces leave their squares, so the capture is tested even if the pawn is not pinned.  The victim is the square of
\ the captured pawn; the capturing pawn moves from pos to pos'.
: legal-en-passant? ( victim pos pos' -- ? )
	2 PICK piece-at >R 0 3 PICK put-cell
	exposed? NOT
	SWAP R> SWAP put-cell
;

: en-passant-rank ( -- n ) current-player White = IF 2 ELSE #ranks 3 - ENDIF ;
: pawn-just-passed? ( -- ? )            \ has an enemy pawn just moved past `here`?
	here rank-of en-passant-rank = IF here file-of passed-a + enemy-at? ELSE FALSE ENDIF
;
: en-passant ( 'dir -- )
	prepare EXECUTE verify empty? verify pawn-just-passed? verify
	here behind DROP here SWAP to           ( victim: the square behind `here`, which stays the goal )
	DUP piece-at them @ PAWN OR = verify
	DUP from here legal-en-passant? verify
	COMPILE reset-clock from here move capture-at finish
;
: en-passant-left ( -- ) ['] ahead-left en-passant ;
: en-passant-right ( -- ) ['] ahead-right en-passant ;

\ --- the pawn's double step ------------------------------------------------------------------------

\ The mark is made only if an enemy pawn can capture en passant.  Otherwise the mark would make two positions with
\ the same moves different.

\ Can a pawn of `us`, next to pos in the direction 'dir, capture the pawn on pos?  Here `us` is the opponent of the
\ player that has made the double step: see mark-passed.
: can-capture-en-passant? ( pos 'dir -- ? )
	OVER to EXECUTE piece us @ PAWN OR = AND
	IF here OVER to behind DROP here legal-en-passant? ELSE DROP FALSE ENDIF
;
: mark-passed ( pos -- )                \ runs when the pawn has moved to pos
	current-player other set-sides
	DUP ['] w can-capture-en-passant? OVER ['] e can-capture-en-passant? OR
	IF current-player MARK OR SWAP file-of passed-a + (add-piece) ELSE DROP ENDIF
;

: start-rank ( -- n ) current-player White = IF #ranks 2- ELSE 1 ENDIF ;
: double-step ( -- )
	prepare
	from rank-of start-rank = verify
	ahead verify empty? verify ahead verify empty? verify safe? verify
	COMPILE reset-clock from here move COMPILE update-marks
	here COMPILE-LITERAL COMPILE mark-passed
	add-move
;

: remove-passed-marks ( -- ) passed-h 1+ passed-a DO I remove-mark LOOP ;

{moves pawn-moves
	{move} step {move} double-step {move} take-left {move} take-right {move} en-passant-left {move} en-passant-right
moves}
