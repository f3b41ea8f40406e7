\ The pawn's double step, en passant, and castling.

\ Two kinds of marks (see chess.4th) record what these moves need.  A mark on passed-a to passed-h means that the pawn
\ on this file has just made a double step and can be captured en passant.  A mark on white-O-O and so on is a castling
\ right: neither the king nor the rook has moved.

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

{moves pawn-moves
	{move} step {move} double-step {move} take-left {move} take-right {move} en-passant-left {move} en-passant-right
moves}

\ --- castling --------------------------------------------------------------------------------------

\ The four castling rights: the position of the mark, the squares of king and rook.
CREATE castlings
	white-O-O , e1 , h1 ,   white-O-O-O , e1 , a1 ,   black-O-O , e8 , h8 ,   black-O-O-O , e8 , a8 ,
: castling-right ( i -- addr ) 3 * CELLS castlings + ;
: king-home ( right -- pos ) CELLSIZE + @ ;
: rook-home ( right -- pos ) 2 CELLS + @ ;

: at-home? ( right -- ? )               \ are king and rook on their initial squares?
	DUP @ player-at                         ( right player )
	OVER king-home piece-at OVER KING OR =
	ROT rook-home piece-at ROT ROOK OR = AND
;

\ After every move: remove the marks of pawns, and castling rights whose king or rook is not on its initial square.
: remove-lost-rights ( -- )
	4 0 DO I castling-right DUP @ empty-at? IF DROP ELSE DUP at-home? IF DROP ELSE @ (remove-piece) ENDIF ENDIF LOOP
;
: remove-old-marks ( -- ) passed-h 1+ passed-a DO I remove-mark LOOP remove-lost-rights ;
' remove-old-marks IS update-marks

\ The king must not be in check, cross an attacked square or move to one; the squares up to the rook are empty.
: empty-and-safe? ( pos -- ? ) DUP empty-at? IF attacked? NOT ELSE DROP FALSE ENDIF ;

: may-castle? ( right -- ? ) DUP @ friend-at? SWAP at-home? AND checked @ NOT AND ;
: castle ( right step -- )              \ the step is 1 towards file h, -1 towards a
	from OVER + empty-and-safe? verify from OVER 2* + empty-and-safe? verify
	COMPILE tick
	from OVER 2* + from SWAP move           ( right step )
	SWAP rook-home from ROT + move
	finish
;
: castle-short ( -- )
	prepare
	current-player White = IF 0 ELSE 2 ENDIF castling-right
	DUP may-castle? verify
	1 castle
;
: castle-long ( -- )
	prepare
	current-player White = IF 1 ELSE 3 ENDIF castling-right
	DUP may-castle? verify from 3 - empty-at? verify
	-1 castle
;

{moves castling-moves
	{move} walk-n {move} walk-ne {move} walk-e {move} walk-se
	{move} walk-s {move} walk-sw {move} walk-w {move} walk-nw
	{move} castle-short {move} castle-long
moves}
