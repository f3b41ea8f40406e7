\ Rithmomachia, made of the article's fragments.
\ This file owns the order of the fragments and the words that the article omits.  The file that
\ loads this one defines MAXS.  Pieces belong to the classes Round, Triangle, Square and Pyramid; the
\ parts of a pyramid are pieces in the margins of the board.

LOAD rithmomachia-board.4th

\ Limits of the fragment "Battle methods": attacking values and eruption values.
64  CONSTANT MAXV
100 CONSTANT MAXE

VARIABLE last-position
VARIABLE attacking-count
VARIABLE current-count
VARIABLE eruption-count
VARIABLE sum-value
VARIABLE sum-flag
VARIABLE siege-counter
VARIABLE is-captured?
VARIABLE value-1
VARIABLE value-2

\ --- classes of pieces: each is the first piece type of the class, set after {pieces --------

DEFER ROUND
DEFER TRIANGLE
DEFER SQUARE
DEFER PYRAMID

: class-of ( type -- class )
	DUP PYRAMID  < NOT IF DROP PYRAMID  ELSE
	DUP SQUARE   < NOT IF DROP SQUARE   ELSE
	    TRIANGLE < NOT IF      TRIANGLE ELSE ROUND
	ENDIF ENDIF ENDIF
;
: is-piece-type? ( class -- ? )
	not-empty? IF piece-type class-of = ELSE DROP FALSE ENDIF
;

\ The fragments count the remaining steps of a direction: count is 1 at a distance of two squares (a
\ triangle's move) and 0 at three (a square's move).  The factor of an eruption is the distance plus 1.
: count-to-piece-type ( count -- class ) IF TRIANGLE ELSE SQUARE ENDIF ;
: count-to-factor     ( count -- n ) 4 SWAP - ;

LOAD position-change.fragment
LOAD completion-check.fragment

\ The next fragment uses these two words, which need its own arrays.
DEFER check-equality-piece
DEFER article-capture-piece
: capture-piece ( -- ) article-capture-piece ;

LOAD battle-methods.fragment
LOAD taking-figures.fragment
' capture-piece IS article-capture-piece

\ --- equality: a piece captures an enemy piece of the same value, or parts of a pyramid --------

: take-part ( n -- n )
	DUP current-positions[] @
	DUP enemy-at? IF DUP ChangePieces capture-at ELSE DROP ENDIF
	-1 OVER current-positions[] !
;
: match ( value n -- value n )
	2DUP current-values[] @ = IF
		DUP IF take-part ELSE TRUE is-captured? ! ENDIF
	ENDIF
;
: check-equality-value ( value -- )
	current-count @
	BEGIN
		1-
		DUP current-positions[] @ 0< NOT IF match ENDIF
		DUP 0> NOT
	UNTIL
	2DROP
;
: has-part? ( class -- ? )
	here SWAP a1 to FALSE SWAP
	BEGIN
		friend-p IF
			DUP is-piece-type? IF SWAP DROP TRUE SWAP ENDIF
			FALSE
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP SWAP to
;
: check-parts ( -- )
	here a1 to 0
	BEGIN
		friend-p IF
			not-empty? IF piece piece-value DUP check-equality-value + ENDIF
			FALSE
		ELSE
			TRUE
		ENDIF
	UNTIL
	check-equality-value
	to
;
: equality-piece ( class -- )
	PYRAMID is-piece-type? IF
		has-part? IF check-parts ENDIF
	ELSE
		is-piece-type? IF piece piece-value check-equality-value ENDIF
	ENDIF
;
' equality-piece IS check-equality-piece

\ --- moves ---------------------------------------------------------------------------------

LOAD moving-squares.fragment

: leap-0 ( 'dir ? -- )
	IF
		EXECUTE IF
			on-board? empty? AND IF
				from
				here DUP last-position !
				move
				capture-all
				add-move
			ENDIF
		ENDIF
	ELSE
		DROP
	ENDIF
;

: r-move-ne ( -- ) ['] Northeast TRUE leap-0 ;
: r-move-se ( -- ) ['] Southeast TRUE leap-0 ;
: r-move-nw ( -- ) ['] Northwest TRUE leap-0 ;
: r-move-sw ( -- ) ['] Southwest TRUE leap-0 ;
{moves r-moves
	{move} r-move-ne
	{move} r-move-se
	{move} r-move-nw
	{move} r-move-sw
moves}

\ The moves of triangles and squares differ only in the distance, also as parts of a pyramid.
: t-shift ( 'dir ? -- ) 2 SWAP shift-n ;
: t-leap  ( 'leap 'shift ? -- ) 1 SWAP leap-n ;
: s-shift ( 'dir ? -- ) 3 SWAP shift-n ;
: s-leap  ( 'leap 'shift ? -- ) 2 SWAP leap-n ;

: t-move-n  ( -- ) ['] North TRUE t-shift ;
: t-move-s  ( -- ) ['] South TRUE t-shift ;
: t-move-w  ( -- ) ['] West  TRUE t-shift ;
: t-move-e  ( -- ) ['] East  TRUE t-shift ;
: t-move-nw ( -- ) ['] Northwest ['] North TRUE t-leap ;
: t-move-ne ( -- ) ['] Northeast ['] North TRUE t-leap ;
: t-move-sw ( -- ) ['] Southwest ['] South TRUE t-leap ;
: t-move-se ( -- ) ['] Southeast ['] South TRUE t-leap ;
: t-move-wn ( -- ) ['] Northwest ['] West  TRUE t-leap ;
: t-move-ws ( -- ) ['] Southwest ['] West  TRUE t-leap ;
: t-move-en ( -- ) ['] Northeast ['] East  TRUE t-leap ;
: t-move-es ( -- ) ['] Southeast ['] East  TRUE t-leap ;
{moves t-moves
	{move} t-move-n
	{move} t-move-s
	{move} t-move-w
	{move} t-move-e
	{move} t-move-nw
	{move} t-move-ne
	{move} t-move-sw
	{move} t-move-se
	{move} t-move-wn
	{move} t-move-ws
	{move} t-move-en
	{move} t-move-es
moves}

\ --- pyramids ------------------------------------------------------------------------------

DEFER article-is-correct-type?
: t? ( -- ? ) TRIANGLE article-is-correct-type? ;
: s? ( -- ? ) SQUARE   article-is-correct-type? ;

: pt-move-n  ( -- ) ['] North t? t-shift ;
: pt-move-s  ( -- ) ['] South t? t-shift ;
: pt-move-w  ( -- ) ['] West  t? t-shift ;
: pt-move-e  ( -- ) ['] East  t? t-shift ;
: pt-move-nw ( -- ) ['] Northwest ['] North t? t-leap ;
: pt-move-ne ( -- ) ['] Northeast ['] North t? t-leap ;
: pt-move-sw ( -- ) ['] Southwest ['] South t? t-leap ;
: pt-move-se ( -- ) ['] Southeast ['] South t? t-leap ;
: pt-move-wn ( -- ) ['] Northwest ['] West  t? t-leap ;
: pt-move-ws ( -- ) ['] Southwest ['] West  t? t-leap ;
: pt-move-en ( -- ) ['] Northeast ['] East  t? t-leap ;
: pt-move-es ( -- ) ['] Southeast ['] East  t? t-leap ;
: ps-move-n  ( -- ) ['] North s? s-shift ;
: ps-move-s  ( -- ) ['] South s? s-shift ;
: ps-move-w  ( -- ) ['] West  s? s-shift ;
: ps-move-e  ( -- ) ['] East  s? s-shift ;
: ps-move-nw ( -- ) ['] Northwest ['] North s? s-leap ;
: ps-move-ne ( -- ) ['] Northeast ['] North s? s-leap ;
: ps-move-sw ( -- ) ['] Southwest ['] South s? s-leap ;
: ps-move-se ( -- ) ['] Southeast ['] South s? s-leap ;
: ps-move-wn ( -- ) ['] Northwest ['] West  s? s-leap ;
: ps-move-ws ( -- ) ['] Southwest ['] West  s? s-leap ;
: ps-move-en ( -- ) ['] Northeast ['] East  s? s-leap ;
: ps-move-es ( -- ) ['] Southeast ['] East  s? s-leap ;

\ The article's list of moves has a gap, `...`, between {moves and moves}.  This word fills it: it
\ appends move words to the open list.  n is their number, addr the next free cell of the list.
: item ( n addr 'x -- n' addr' ) $addr, 0 $addr, SWAP 1+ SWAP ;
: ... ( n addr -- n' addr' )
	['] pt-move-n  item ['] pt-move-s  item ['] pt-move-w  item ['] pt-move-e  item
	['] pt-move-nw item ['] pt-move-ne item ['] pt-move-sw item ['] pt-move-se item
	['] pt-move-wn item ['] pt-move-ws item ['] pt-move-en item ['] pt-move-es item
	['] ps-move-n  item ['] ps-move-s  item ['] ps-move-w  item ['] ps-move-e  item
	['] ps-move-nw item ['] ps-move-ne item ['] ps-move-sw item ['] ps-move-se item
	['] ps-move-wn item ['] ps-move-ws item ['] ps-move-en item ['] ps-move-es item
;
LOAD moving-pyramids.fragment
' is-correct-type? IS article-is-correct-type?

LOAD evaluation-function.fragment
LOAD description-of-figures.fragment
' R0 IS ROUND
' T0 IS TRIANGLE
' S0 IS SQUARE
' P0 IS PYRAMID

{turn-order
	{turn} White
	{turn} Black
turn-order}
