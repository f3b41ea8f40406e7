\ Castling in Chess960.

\ Wherever king and rook stand, castling puts them on g and f, or on c and d if the rook is on the left of the king.  The
\ move is written as the king's move to the square of the rook.

: back-rank ( player -- n ) White = IF #ranks 1- ELSE 0 ENDIF ;
: rank-square ( player file -- pos ) SWAP back-rank #files * + ;       \ a square of the player's first rank
: right-of ( player file -- pos ) SWAP White = IF white-a ELSE black-a ENDIF + ;

\ --- rights ----------------------------------------------------------------------------------------

\ After every move a right is lost if its rook is not on its square, and after a move of the king.
: lost? ( right -- ? )
	DUP player-at ROOK OR                   ( right rook )
	SWAP DUP player-at SWAP white-a - #files MOD rank-square piece-at <>
;
: remove-lost-rights ( -- )
	black-h 1+ white-a DO I not-empty-at? IF I lost? IF I (remove-piece) ENDIF ENDIF LOOP
;
: may-use? ( file -- ? )                \ the right of the current player
	current-player SWAP right-of DUP friend-at? SWAP lost? NOT AND
;
: remove-old-marks ( -- ) remove-passed-marks remove-lost-rights ;
' remove-old-marks IS update-marks

: remove-rights ( -- ) #files 0 DO current-player I right-of remove-mark LOOP ;

\ --- castling --------------------------------------------------------------------------------------

VARIABLE rook-from
VARIABLE rook-to
VARIABLE king-to
: plan-castling ( pos -- )              \ with the rook on pos
	DUP rook-from !
	from > IF 6 5 ELSE 2 3 ENDIF
	current-player SWAP rank-square rook-to !  current-player SWAP rank-square king-to !
;

\ The squares on which king and rook move, stand or arrive must be empty except for the two.  The king must not be in
\ check, cross an attacked square or move to one.
: take-up ( -- ) 0 from put-cell 0 rook-from @ put-cell ;
: put-back ( -- ) us @ KING OR from put-cell us @ ROOK OR rook-from @ put-cell ;
: squares-between ( pos pos' -- end begin ) 2DUP MAX 1+ ROT ROT MIN ;   \ with both
: all-empty? ( pos pos' -- ? ) TRUE ROT ROT squares-between DO I empty-at? AND LOOP ;
: way-empty? ( -- ? ) take-up from king-to @ all-empty? rook-from @ rook-to @ all-empty? AND put-back ;
: way-safe? ( -- ? )
	0 from put-cell
	TRUE from king-to @ squares-between DO I king-to @ <> IF I attacked? NOT AND ENDIF LOOP
	put-back
;
: goal-safe? ( -- ? )
	take-up us @ ROOK OR rook-to @ put-cell
	king-to @ attacked? NOT
	0 rook-to @ put-cell put-back
;
: may-castle? ( -- ? ) way-empty? IF way-safe? IF goal-safe? ELSE FALSE ENDIF ELSE FALSE ENDIF ;

: settle ( rook-from king-to rook-to -- )       \ runs when the king has moved to the square of the rook
	ROT (remove-piece)
	current-player ROOK OR SWAP (add-piece)
	current-player KING OR SWAP (add-piece)
	remove-rights
;
: castle-with ( pos -- )                \ with the rook on pos
	plan-castling
	may-castle? IF
		COMPILE tick
		from rook-from @ move
		rook-from @ COMPILE-LITERAL king-to @ COMPILE-LITERAL rook-to @ COMPILE-LITERAL COMPILE settle
		finish
	ENDIF
;
: castle ( -- )
	prepare
	checked @ NOT verify
	from rank-of current-player back-rank = verify
	#files 0 DO I may-use? IF current-player I rank-square castle-with ENDIF LOOP
;

\ --- other moves of the king -------------------------------------------------------------------------

: stroll ( 'dir -- )                    \ as `walk`, but the rights are lost
	prepare EXECUTE verify friend? NOT verify safe-for-king? verify
	COMPILE remove-rights go
;
: stroll-n ( -- ) ['] n stroll ;        : stroll-ne ( -- ) ['] ne stroll ;
: stroll-e ( -- ) ['] e stroll ;        : stroll-se ( -- ) ['] se stroll ;
: stroll-s ( -- ) ['] s stroll ;        : stroll-sw ( -- ) ['] sw stroll ;
: stroll-w ( -- ) ['] w stroll ;        : stroll-nw ( -- ) ['] nw stroll ;

{moves castling-moves
	{move} stroll-n {move} stroll-ne {move} stroll-e {move} stroll-se
	{move} stroll-s {move} stroll-sw {move} stroll-w {move} stroll-nw
	{move} castle
moves}
