\ Harmonies: three ratings in progression, in the enemy's half of the board.

\ Owns the test for harmonies of the player that has just acted.  The three pieces stand in line at equal distances, or
\ at the corners of a right-angled triangle, with no piece between them.  So each piece is tested as the middle of a
\ line and as the right-angled corner, together with the nearest pieces in the eight directions.

CREATE numbers-1 12 CELLS ALLOT         \ the ratings that each of the three pieces can use; 0 ends a list
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
\ A piece whose rating was lowered counts with its full rating.
: fill-numbers ( pos addr -- )
	OVER original-type class-of[] @ #pyramid =
	IF SWAP player-at side-of append-parts ELSE SWAP full-rating append ENDIF
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

: own-flag ( pos -- -1 | 0 ) player-at current-player = ;
: enough-own-pieces? ( pos pos' pos'' -- ? )
	own-flag SWAP own-flag + SWAP own-flag + own-only @ IF -3 ELSE -2 ENDIF <=
;
: harmonious? ( pos pos' pos'' -- ? )
	2 PICK 2 PICK 2 PICK enough-own-pieces? IF in-progression? ELSE 2DROP DROP FALSE ENDIF
;

\ --- the nearest pieces -------------------------------------------------------------------------------
VARIABLE centre
8 [] nearest[]                          \ by direction, -1 if none; directions 0 to 3 are straight, 4 to 7 diagonal
: in-half? ( pos -- ? )                 \ in the enemy's half, which for White is the upper one
	[ #grid 2/ ] LITERAL < current-player White = =
;
: nearest-in-direction ( i -- pos | -1 )
	centre @
	BEGIN OVER neighbour @ DUP 0< IF TRUE ELSE DUP not-empty-at? ENDIF UNTIL
	SWAP DROP
	DUP 0< NOT IF DUP in-half? NOT IF DROP -1 ENDIF ENDIF
;
: find-nearest ( -- ) 8 0 DO I nearest-in-direction I nearest[] ! LOOP ;

: both-found? ( i j -- ? ) nearest[] @ 0< SWAP nearest[] @ 0< OR NOT ;
: harmonious-with-centre? ( i j -- ? ) nearest[] @ SWAP nearest[] @ centre @ harmonious? ;
: centre-is-middle? ( i j -- ? ) nearest[] @ SWAP nearest[] @ + centre @ 2* = ;

: line-harmony? ( i -- ? )              \ the nearest pieces in direction i and the opposite direction
	DUP 2 +
	2DUP both-found?
	IF 2DUP centre-is-middle? IF harmonious-with-centre? ELSE 2DROP FALSE ENDIF ELSE 2DROP FALSE ENDIF
;
: corner-harmony? ( i -- ? )            \ the nearest pieces in straight direction i and the next one, at a right angle
	DUP 1+ 3 AND
	2DUP both-found? IF harmonious-with-centre? ELSE 2DROP FALSE ENDIF
;
: any-line? ( -- ? )
	no-lines @ IF FALSE ELSE 0 line-harmony? 1 line-harmony? OR 4 line-harmony? OR 5 line-harmony? OR ENDIF
;
: any-triangle? ( -- ? )
	no-triangles @ IF FALSE ELSE
	0 corner-harmony? 1 corner-harmony? OR 2 corner-harmony? OR 3 corner-harmony? OR ENDIF
;

: own-in-enemy-half ( -- n )            \ own pieces in the enemy's half
	0 territory
	#squares 2/ 0 DO SWAP OVER I + squares[] @ own-flag - SWAP LOOP
	DROP
;
: any-centre? ( -- ? )
	FALSE territory
	#squares 2/ 0 DO
		DUP I + squares[] @ DUP not-empty-at?
		IF centre ! find-nearest SWAP any-line? OR any-triangle? OR SWAP ELSE DROP ENDIF
	LOOP
	DROP
;
: harmony? ( -- ? ) own-in-enemy-half 1 > IF any-centre? ELSE FALSE ENDIF ;
