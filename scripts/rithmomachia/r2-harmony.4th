\ Harmonies: three ratings in progression, in the enemy's half of the board.

\ Owns the test for the player who has just acted.  As nothing may stand between the three, only the nearest
\ pieces matter: each piece is looked at as the middle of a line and as the corner of a triangle, with the first
\ piece that comes in each of the eight directions.

CREATE numbers-1 12 CELLS ALLOT         \ what each of the three can stand for, 0 at the end
CREATE numbers-2 12 CELLS ALLOT
CREATE numbers-3 12 CELLS ALLOT

: append ( addr n -- addr' ) OVER ! CELLSIZE + ;
: append-parts ( addr side -- addr' )
	SWAP #parts 0 DO
		OVER I SWAP part-home full-rating DUP IF append ELSE DROP ENDIF
	LOOP
	OVER parts-left 1 > IF OVER sum-of-parts append ENDIF
	SWAP DROP
;
\ A piece that was lowered counts with its full rating.
: fill-numbers ( pos addr -- )
	OVER own-type kind-of[] @ #pyramid =
	IF SWAP player-at side append-parts ELSE SWAP full-rating append ENDIF
	OFF
;

: third-fits? ( a b -- ? )
	FALSE numbers-3                         ( a b ? addr )
	BEGIN DUP @ WHILE
		3 PICK 3 PICK 2 PICK @ progression harmonies @ AND 0<> ROT OR SWAP
		CELLSIZE +
	REPEAT
	DROP SWAP DROP SWAP DROP
;
: second-fits? ( a -- ? )
	FALSE numbers-2
	BEGIN DUP @ WHILE
		2 PICK OVER @ third-fits? ROT OR SWAP
		CELLSIZE +
	REPEAT
	DROP SWAP DROP
;
: in-progression? ( pos pos' pos'' -- ? )
	numbers-3 fill-numbers numbers-2 fill-numbers numbers-1 fill-numbers
	FALSE numbers-1
	BEGIN DUP @ WHILE DUP @ second-fits? ROT OR SWAP CELLSIZE + REPEAT
	DROP
;

: mine ( pos -- -1 | 0 ) player-at current-player = ;
: enough-mine? ( pos pos' pos'' -- ? )
	mine SWAP mine + SWAP mine + own-only @ IF -3 ELSE -2 ENDIF <=
;
: harmonious? ( pos pos' pos'' -- ? )
	2 PICK 2 PICK 2 PICK enough-mine? IF in-progression? ELSE 2DROP DROP FALSE ENDIF
;

\ --- the nearest pieces -------------------------------------------------------------------------------
VARIABLE centre
8 [] nearest[]                          \ in each direction, -1 if none; 0 ... 3 straight, 4 ... 7 diagonally
: in-half? ( pos -- ? )                 \ the upper half of the grid is White's goal
	[ #grid 2/ ] LITERAL < current-player White = =
;
: look-out ( i -- pos | -1 )
	centre @
	BEGIN OVER neighbour @ DUP 0< IF TRUE ELSE DUP not-empty-at? ENDIF UNTIL
	SWAP DROP
	DUP 0< NOT IF DUP in-half? NOT IF DROP -1 ENDIF ENDIF
;
: look-round ( -- ) 8 0 DO I look-out I nearest[] ! LOOP ;

: both-there? ( i j -- ? ) nearest[] @ 0< SWAP nearest[] @ 0< OR NOT ;
: with-centre? ( i j -- ? ) nearest[] @ SWAP nearest[] @ centre @ harmonious? ;
: middle-of? ( i j -- ? ) nearest[] @ SWAP nearest[] @ + centre @ 2* = ;

: in-line? ( i -- ? )                   \ that direction and the opposite one
	DUP 2 +
	2DUP both-there? IF 2DUP middle-of? IF with-centre? ELSE 2DROP FALSE ENDIF ELSE 2DROP FALSE ENDIF
;
: in-corner? ( i -- ? )                 \ that direction and the next one
	DUP 1+ 3 AND
	2DUP both-there? IF with-centre? ELSE 2DROP FALSE ENDIF
;
: lines? ( -- ? )
	no-lines @ IF FALSE ELSE 0 in-line? 1 in-line? OR 4 in-line? OR 5 in-line? OR ENDIF
;
: triangles? ( -- ? )
	no-triangles @ IF FALSE ELSE 0 in-corner? 1 in-corner? OR 2 in-corner? OR 3 in-corner? OR ENDIF
;

: own-there ( -- n )                    \ own pieces in the enemy's half
	0 territory
	#squares 2/ 0 DO SWAP OVER I + squares[] @ mine - SWAP LOOP
	DROP
;
: centres? ( -- ? )
	FALSE territory
	#squares 2/ 0 DO
		DUP I + squares[] @ DUP not-empty-at?
		IF centre ! look-round SWAP lines? OR triangles? OR SWAP ELSE DROP ENDIF
	LOOP
	DROP
;
: harmony? ( -- ? ) own-there 1 > IF centres? ELSE FALSE ENDIF ;
