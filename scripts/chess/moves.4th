\ How pieces move.

\ Every move ends with a call of `update-marks`.  The file that has a double step or castling assigns it a word.
DEFER update-marks
DEFER all-promotions                    \ a table of piece types, 0 at its end

: finish ( -- ) COMPILE update-marks add-move ;

\ For the evaluation: an estimate of the best capture in the move list.  If the enemy attacks the square, the
\ capturing piece counts as lost.
: note-capture ( -- )
	piece piece-value
	DUP best-capture @ > IF
		here attacked? IF current-piece piece-value - ENDIF
		DUP best-capture @ > IF DUP best-capture ! ENDIF
	ENDIF
	DROP
;

\ --- pieces ----------------------------------------------------------------------------------------

: go ( -- )                             \ adds the move from `from` to `here`
	empty? IF COMPILE tick ELSE COMPILE reset-clock note-capture ENDIF
	from here move
	finish
;

\ Sliders, leapers (knights) and the walking king.  `verify` ends the whole move word at the edge and at an own piece.
: slide ( 'dir -- )
	prepare
	BEGIN
		DUP EXECUTE verify friend? NOT verify
		safe? IF go ENDIF
		not-empty?
	UNTIL
	DROP
;
: leap ( 'dir -- ) prepare EXECUTE verify friend? NOT verify safe? verify go ;
: walk ( 'dir -- ) prepare EXECUTE verify friend? NOT verify safe-for-king? verify go ;

: slide-n  ( -- ) ['] n  slide ;        : walk-n  ( -- ) ['] n  walk ;
: slide-ne ( -- ) ['] ne slide ;        : walk-ne ( -- ) ['] ne walk ;
: slide-e  ( -- ) ['] e  slide ;        : walk-e  ( -- ) ['] e  walk ;
: slide-se ( -- ) ['] se slide ;        : walk-se ( -- ) ['] se walk ;
: slide-s  ( -- ) ['] s  slide ;        : walk-s  ( -- ) ['] s  walk ;
: slide-sw ( -- ) ['] sw slide ;        : walk-sw ( -- ) ['] sw walk ;
: slide-w  ( -- ) ['] w  slide ;        : walk-w  ( -- ) ['] w  walk ;
: slide-nw ( -- ) ['] nw slide ;        : walk-nw ( -- ) ['] nw walk ;

: leap-nne ( -- ) ['] nne leap ;        : leap-ssw ( -- ) ['] ssw leap ;
: leap-ene ( -- ) ['] ene leap ;        : leap-wsw ( -- ) ['] wsw leap ;
: leap-ese ( -- ) ['] ese leap ;        : leap-wnw ( -- ) ['] wnw leap ;
: leap-sse ( -- ) ['] sse leap ;        : leap-nnw ( -- ) ['] nnw leap ;

\ --- pawns -----------------------------------------------------------------------------------------

: last-rank? ( -- ? ) here rank-of DUP 0= SWAP #ranks 1- = OR ;

: promote ( -- )                        \ a move for each piece that the pawn can become
	all-promotions
	BEGIN DUP @ WHILE
		COMPILE reset-clock from here move DUP @ change-type finish
		CELLSIZE +
	REPEAT
	DROP
;
: pawn-go ( -- )
	last-rank? IF promote ELSE COMPILE reset-clock from here move finish ENDIF
;
: step ( -- ) prepare ahead verify empty? verify safe? verify pawn-go ;
: take ( 'dir -- ) prepare EXECUTE verify enemy? verify safe? verify note-capture pawn-go ;
: take-left ( -- ) ['] ahead-left take ;
: take-right ( -- ) ['] ahead-right take ;

\ No move word depends on another one of the same list, so random games may run single words.  The host reads this
\ constant; the original ignores it.
TRUE CONSTANT independent-moves

\ --- lists -----------------------------------------------------------------------------------------

{moves plain-pawn-moves
	{move} step {move} take-left {move} take-right
moves}
{moves knight-moves
	{move} leap-nne {move} leap-ene {move} leap-ese {move} leap-sse
	{move} leap-ssw {move} leap-wsw {move} leap-wnw {move} leap-nnw
moves}
{moves bishop-moves
	{move} slide-ne {move} slide-se {move} slide-sw {move} slide-nw
moves}
{moves rook-moves
	{move} slide-n {move} slide-e {move} slide-s {move} slide-w
moves}
{moves queen-moves
	{move} slide-n {move} slide-ne {move} slide-e {move} slide-se
	{move} slide-s {move} slide-sw {move} slide-w {move} slide-nw
moves}
{moves king-moves
	{move} walk-n {move} walk-ne {move} walk-e {move} walk-se
	{move} walk-s {move} walk-sw {move} walk-w {move} walk-nw
moves}
