\ The pawn's double step, en passant, and castling.

: remove-mark ( pos -- ) DUP not-empty-at? IF (remove-piece) ELSE DROP ENDIF ;

\ --- en passant ------------------------------------------------------------------------------------

\ Two pieces leave their squares, so the move is tested even if the pawn is not pinned.
: legal-passing? ( victim pos pos' -- ? )
	2 PICK piece-at >R 0 3 PICK put-cell
	exposed? NOT
	SWAP R> SWAP put-cell
;

: passing-rank ( -- n ) current-player White = IF 2 ELSE #ranks 3 - ENDIF ;
: passed-over? ( -- ? )                 \ has an enemy pawn just moved past `here`?
	here rank-of passing-rank = IF here file-of passed-a + enemy-at? ELSE FALSE ENDIF
;
: pass ( 'dir -- )
	prepare EXECUTE verify empty? verify passed-over? verify
	here behind DROP here SWAP to           ( victim )
	DUP piece-at them @ PAWN OR = verify
	DUP from here legal-passing? verify
	COMPILE reset-clock from here move capture-at finish
;
: pass-left ( -- ) ['] ahead-left pass ;
: pass-right ( -- ) ['] ahead-right pass ;

\ --- the pawn's double step ------------------------------------------------------------------------

\ The mark is made only if a pawn may capture: a right without effect would make equal positions differ.
: can-pass? ( pos 'dir -- ? )           \ may an enemy pawn beside pos capture the pawn on pos?
	OVER to EXECUTE piece us @ PAWN OR = AND
	IF here OVER to behind DROP here legal-passing? ELSE DROP FALSE ENDIF
;
: mark-passed ( pos -- )                \ runs when the pawn has moved to pos
	current-player other side
	DUP ['] w can-pass? OVER ['] e can-pass? OR
	IF current-player MARK OR SWAP file-of passed-a + (add-piece) ELSE DROP ENDIF
;

: start-rank ( -- n ) current-player White = IF #ranks 2- ELSE 1 ENDIF ;
: double-step ( -- )
	prepare
	from rank-of start-rank = verify
	ahead verify empty? verify ahead verify empty? verify safe? verify
	COMPILE reset-clock from here move COMPILE settle
	here COMPILE-LITERAL COMPILE mark-passed
	add-move
;

{moves pawn-moves
	{move} step {move} double-step {move} take-left {move} take-right {move} pass-left {move} pass-right
moves}

\ --- castling --------------------------------------------------------------------------------------

\ The four rights: the position of the mark, the squares of king and rook.
CREATE castlings
	white-O-O , e1 , h1 ,   white-O-O-O , e1 , a1 ,   black-O-O , e8 , h8 ,   black-O-O-O , e8 , a8 ,
: right ( i -- addr ) 3 * CELLS castlings + ;
: king-home ( right -- pos ) CELLSIZE + @ ;
: rook-home ( right -- pos ) 2 CELLS + @ ;

: at-home? ( right -- ? )               \ are king and rook on their initial squares?
	DUP @ player-at                         ( right player )
	OVER king-home piece-at OVER KING OR =
	ROT rook-home piece-at ROT ROOK OR = AND
;

\ After every move: remove marks of pawns, and rights whose king or rook is not on its initial square.
: lose-rights ( -- )
	4 0 DO I right DUP @ empty-at? IF DROP ELSE DUP at-home? IF DROP ELSE @ (remove-piece) ENDIF ENDIF LOOP
;
: settle-marks ( -- ) passed-h 1+ passed-a DO I remove-mark LOOP lose-rights ;
' settle-marks IS settle

\ The king must not be in check, cross an attacked square or move to one; the squares up to the rook are empty.
: free? ( pos -- ? ) DUP empty-at? IF attacked? NOT ELSE DROP FALSE ENDIF ;

: may-castle? ( right -- ? ) DUP @ friend-at? SWAP at-home? AND checked @ NOT AND ;
: castle ( right step -- )              \ the step is 1 towards file h, -1 towards a
	from OVER + free? verify from OVER 2* + free? verify
	COMPILE tick
	from OVER 2* + from SWAP move           ( right step )
	SWAP rook-home from ROT + move
	finish
;
: castle-short ( -- )
	prepare
	current-player White = IF 0 ELSE 2 ENDIF right
	DUP may-castle? verify
	1 castle
;
: castle-long ( -- )
	prepare
	current-player White = IF 1 ELSE 3 ENDIF right
	DUP may-castle? verify from 3 - empty-at? verify
	-1 castle
;

{moves castling-moves
	{move} walk-n {move} walk-ne {move} walk-e {move} walk-se
	{move} walk-s {move} walk-sw {move} walk-w {move} walk-nw
	{move} castle-short {move} castle-long
moves}
