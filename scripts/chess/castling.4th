\ Castling.

\ A mark (see chess.4th) on white-O-O and so on is a castling right: neither the king nor the rook has moved.

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
: remove-old-marks ( -- ) remove-passed-marks remove-lost-rights ;
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
