\ men.4th: properties of pieces.  Directions, zones, promotion and hands, in tables filled while loading.

\ `men` are the pieces from pawn to the promoted silver, for each facing: all pieces except kings, fallen kings and
\ dragons (promoted rooks).  Types x1, x2 and so on are numbers of pieces in hand.

\ === 1 Directions ==================================================================================

\ A direction's body has a cell for each position: its neighbour in that direction, or -1.  `way` in a stack comment is
\ the address of a body; words that move along a line read its cells.  Directions are numbered clockwise; 0 is north.
: body ( 'dir -- way ) CFA>PFA ;
: neighbour ( pos way -- pos' ) SWAP CELLS + @ ; \ -1 beyond the edge

8 [] way[]
' n body 0 way[] !   ' ne body 1 way[] !   ' e body 2 way[] !   ' se body 3 way[] !
' s body 4 way[] !   ' sw body 5 way[] !   ' w body 6 way[] !   ' nw body 7 way[] !

\ A set of directions is a number with a bit for each.
8 [] bit[]              \ the bit of a direction
8 [] back-bit[]         \ the bit of the opposite direction
: number-bits ( -- )
	1
	8 0 DO DUP I bit[] ! DUP I 4 + 8 MOD back-bit[] ! 2* LOOP
	DROP
;
number-bits

\ The list of the directions in each set: a count, then the directions.
256 [] ways[]
: list-ways ( -- )
	256 0 DO
		HERE DUP I ways[] ! 0 ,
		8 0 DO
			J I bit[] @ AND IF I way[] @ , DUP ++ ENDIF
		LOOP
		DROP
	LOOP
;
list-ways

\ === 2 Owner and facing ============================================================================

: owner-of ( piece -- player ) #Player AND ;
: type-of ( piece -- type ) #PieceType AND ;
: man? ( type -- ? ) DUP pawn >= SWAP x1 < AND ;

6 CONSTANT #names                       \ number of names for each facing
: name-index ( type -- n ) pawn - #names MOD ;  \ 0 pawn, 1 silver, 2 gold, 3 rook, 4 tokin, 5 +silver

\ The player whose direction a piece faces: 0 South, 1 West, 2 North, 3 East.
: facing ( piece -- n )
	DUP type-of s-pawn < IF player-index ELSE type-of pawn - #names / 1- ENDIF
;

\ The type of a piece that another player takes over: it keeps the facing that it has now.  Dragons and kings keep
\ their type; they have no facing, because they move alike in all directions.
: turned ( piece -- type )
	DUP type-of DUP pawn >= OVER s-pawn < AND
	IF SWAP facing 1+ #names * + ELSE SWAP DROP ENDIF
;

\ === 3 Reach =======================================================================================

\ The directions in which each piece captures in one step, for South; they are rotated for the others.
BINARY
00000001 CONSTANT #ahead
11010111 CONSTANT #as-gold
10101011 CONSTANT #as-silver
01010101 CONSTANT #straight
10101010 CONSTANT #diagonal
11111111 CONSTANT #all-round
DECIMAL

: step-set ( type -- set )
	DUP king = OVER dragon = OR IF DROP #all-round ELSE
	DUP man? NOT IF DROP 0 ELSE
	name-index
	DUP 0= IF DROP #ahead ELSE
	DUP 1 = IF DROP #as-silver ELSE
	3 = IF #straight ELSE #as-gold
	ENDIF ENDIF ENDIF ENDIF ENDIF
;
: quarter ( set -- set' ) 4 * DUP 255 AND SWAP 256 / OR ;       \ a quarter turn to the right
: turn-set ( set n -- set' ) BEGIN DUP WHILE SWAP quarter SWAP 1- REPEAT DROP ;

\ The tables are indexed by the complete cell of a piece (player and type), so that cells need not be decoded.  Pieces of
\ Nobody attack nothing: their bytes are 0.
Nobody #PieceType OR 1+ CONSTANT #cells
CREATE step-directions-table #cells ALLOT
step-directions-table #cells ERASE
: step-directions ( piece -- set ) step-directions-table + C@ ;

CREATE slider-table #cells ALLOT        \ TRUE for rooks and dragons
slider-table #cells ERASE
: slider? ( piece -- ? ) slider-table + C@ ;

: describe-piece ( piece -- )
	DUP DUP type-of step-set OVER facing turn-set OVER step-directions-table + C!
	DUP type-of DUP dragon = SWAP DUP man? SWAP name-index 3 = AND OR SWAP slider-table + C!
	DROP
;
: describe-all ( -- )
	4 0 DO
		x1 king DO I J 1+ $EncodePlayer OR describe-piece LOOP
	LOOP
;
describe-all

\ === 4 Zones and promotion =========================================================================

\ For each facing and each square: 0, or 1 in the promotion zone, or 3 on its last line.
4 #squares * [] zone[]
: lines-to-last ( pos n -- n' )         \ number of lines between the square and the last line of that facing
	DUP 0= IF DROP 9 / ELSE
	DUP 1 = IF DROP 9 MOD 8 SWAP - ELSE
	2 = IF 9 / 8 SWAP - ELSE 9 MOD
	ENDIF ENDIF ENDIF
;
: zone-value ( depth -- n ) DUP 0= IF DROP 3 ELSE 3 < IF 1 ELSE 0 ENDIF ENDIF ;
: fill-zones ( -- )
	4 0 DO
		#squares 0 DO I J lines-to-last zone-value J #squares * I + zone[] ! LOOP
	LOOP
;
fill-zones

\ The type that each type is promoted to, 0 for none; and the kind in hand of a captured piece:
\ 0 pawn, 1 silver, 2 gold, 3 rook, 4 king.
x1 [] promoted-type[]
x1 [] hand-kind[]
: fill-type-tables ( -- )
	4 king hand-kind[] !
	3 dragon hand-kind[] !
	x1 pawn DO
		I name-index
		DUP 2 < IF I 4 + ELSE DUP 3 = IF dragon ELSE 0 ENDIF ENDIF I promoted-type[] !
		4 MOD I hand-kind[] !
	LOOP
;
fill-type-tables

\ === 5 Hands =======================================================================================

: hand ( player kind -- pos ) SWAP player-index #kinds * + South-pawn + ;
: kind-in ( pos -- kind ) South-pawn - #kinds MOD ;
: drop-type ( kind -- type ) DUP 4 = IF DROP king ELSE pawn + ENDIF ;
: count-in-hand ( pos -- n ) piece-type-at DUP IF x1 - 1+ ENDIF ;

: set-piece ( piece pos -- )            \ 0 removes the piece on pos
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	OVER IF (add-piece) ELSE 2DROP ENDIF
;
: one-fewer ( piece -- piece' ) DUP type-of x1 = IF DROP 0 ELSE 1- ENDIF ; \ one fewer in hand

\ Moves call these two words when they are made.
: take-from-hand ( pos -- ) DUP piece-at one-fewer SWAP set-piece ;
: add-to-hand ( pos -- ) DUP piece-at DUP IF 1+ ELSE DROP x1 current-player OR ENDIF SWAP set-piece ;
