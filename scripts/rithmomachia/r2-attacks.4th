\ Attacks: who can lower whose rating, and by how much.

\ Owns the moves that are attacks.  What can be attacked is listed once for a list of moves; then each attacker
\ looks at all that lies in line with it.

\ === Lines ============================================================================================
\ The base game's table of distances gets the diagonals as well: 64 more than the number of fields.
64 CONSTANT #diagonal
VARIABLE outset
: mark-diagonal ( i -- )
	#diagonal 1+ outset @                   ( i code pos )
	BEGIN 2 PICK neighbour @ DUP 0< NOT WHILE
		SWAP 1+ SWAP
		2DUP outset @ SWAP distance C!
	REPEAT
	2DROP DROP
;
: mark-diagonals ( -- )
	#squares 0 DO I squares[] @ outset ! 8 4 DO I mark-diagonal LOOP LOOP
;
mark-diagonals
: fields ( code -- n ) [ #diagonal 1- ] LITERAL AND ;

\ By code, as masks of kinds: who moves in that direction, and whose move is as long.
80 [] aims[]
80 [] lands[]
1 CONSTANT #circles                     \ the bits of the kinds: see geometry.4th
2 CONSTANT #triangles
4 CONSTANT #chariots
: fill-aims ( -- )
	17 2 DO #circles #chariots OR I aims[] ! LOOP
	9 2 DO #triangles #chariots OR #diagonal I + aims[] ! LOOP
;
fill-aims
#circles 2 lands[] !
#triangles #diagonal 3 + lands[] !
#chariots 4 lands[] !
#chariots #diagonal 4 + lands[] !

\ === Targets ==========================================================================================
\ A target is what has a rating of its own: a piece, a part of the pyramid, the sum of the parts.  Parts stand
\ in the margin, yet are attacked on the pyramid's square.
192 CONSTANT #targets
VARIABLE targets
#targets [] target-at[]                 \ where it stands
#targets [] target-on[]                 \ the square on which it is attacked
#targets [] target-rating[]

: target, ( square place rating -- )
	targets @ target-rating[] ! targets @ target-at[] ! targets @ target-on[] !
	targets ++
;
: part, ( square i -- )
	defender @ side part-home
	DUP full-rating IF DUP rating target, ELSE 2DROP ENDIF
;
: whole-pyramid? ( side -- ? ) DUP parts-left SWAP IF 5 ELSE 6 ENDIF = ;
: sum-counts? ( side -- ? )             \ one part alone is no sum
	parts-only @ IF DROP FALSE ELSE
	DUP parts-left 2 < IF DROP FALSE ELSE
	intact-totals @ IF whole-pyramid? ELSE DROP TRUE ENDIF ENDIF ENDIF
;
: sum-rating ( square -- n ) DUP lowered? IF rating ELSE DROP defender @ side sum-of-parts ENDIF ;
: pyramid, ( square -- )
	#parts 0 DO DUP I part, LOOP
	defender @ side sum-counts? IF DUP DUP sum-rating target, ELSE DROP ENDIF
;
: square, ( square -- )
	DUP own-type kind-of[] @ #pyramid = IF pyramid, ELSE DUP DUP rating target, ENDIF
;
: list-targets ( -- )
	targets OFF
	#squares 0 DO I squares[] @ DUP defender @ piece-of? IF square, ELSE DROP ENDIF LOOP
;

\ === Taking ===========================================================================================
\ A rating is exactly 0.  What goes is counted as in the base game, with its full value.
VARIABLE place                          \ where the target stands
VARIABLE on                             \ the square on which it is attacked
: part? ( -- ? ) place @ on @ <> ;
: take-off ( pos -- ) DUP capture-at full-rating count-piece ;

: take-pyramid ( -- )
	on @ capture-at
	#parts 0 DO
		I defender @ side part-home DUP not-empty-at? IF take-off ELSE DROP ENDIF
	LOOP
;
: twin? ( type -- ? )                   \ does the defender have one on the board?
	FALSE #squares 0 DO
		I squares[] @ DUP defender @ piece-of? IF own-type 2 PICK = OR ELSE DROP ENDIF
	LOOP
	SWAP DROP
;
: question? ( -- ? ) no-swap @ IF FALSE ELSE place @ own-type twin? ENDIF ;
: last-part? ( -- ? ) defender @ side parts-left 1 = ;

\ With a part the sum changes, so what was taken off it is void.  When its owner is to be asked, the pyramid
\ stays until he has answered, and the turn goes to him: such an attack is no partial move.
: then-ask ( -- )
	place @ own-type COMPILE-LITERAL place @ COMPILE-LITERAL COMPILE ask
;
: take-part ( -- )
	question?
	DUP NOT IF last-part? IF on @ capture-at ENDIF partial ENDIF
	place @ take-off
	on @ lowered? IF on @ COMPILE-LITERAL COMPILE restore ENDIF
	IF then-ask ENDIF
;
: take-target ( -- )
	0 0 0 set-counts
	part? IF take-part ELSE
	partial
	on @ own-type kind-of[] @ #pyramid = IF take-pyramid ELSE on @ take-off ENDIF ENDIF
	note-counts COMPILE after-capture
;

\ === Attacks ==========================================================================================
\ The text of an attack begins with the attacker: it is put again where it stands, which changes nothing.
: name-attacker ( -- )
	current-player from piece-type-at from create-player-piece-type-at
;
VARIABLE strength                       \ the rating of the target
: lower ( n -- )
	partial
	from bit-of-attacker[] @ COMPILE-LITERAL place @ COMPILE-LITERAL COMPILE note-blow
	place @ COMPILE-LITERAL COMPILE keep-type
	#unrated + place @ change-type-at
;
: attack ( n -- )                       \ by as much
	name-attacker
	strength @ OVER = IF DROP take-target ELSE strength @ SWAP - lower ENDIF
	add-move
;
DEFER deal ( n -- )                     \ what is done with an attack: a move here, a remark in r2-explain.4th
' attack IS deal

\ --- the rules ---
VARIABLE untouched                      \ nobody has lowered it yet
: from-afar? ( n -- ? )                 \ by multiplication or division
	strength @ 2DUP =
	IF 2DROP alone @ NOT untouched @ OR ELSE < alone @ NOT AND ENDIF
;
: hand-to-hand? ( n -- ? ) strength @ 2DUP = IF 2DROP TRUE ELSE < joint @ AND ENDIF ;

\ The parts of a pyramid may come to the same number in several ways: that is one attack.
64 [] dealt[]
VARIABLE deals
: dealt? ( n -- ? )
	FALSE deals @ IF deals @ 0 DO OVER I dealt[] @ = OR LOOP ENDIF SWAP DROP
;
: deal-once ( n -- ) DUP dealt? IF DROP ELSE DUP deals @ dealt[] ! deals ++ deal ENDIF ;

\ --- what an attacker brings ---
\ Entries of a value and the kinds of pieces that it moves like: one for a piece, several for a pyramid.
CREATE means 32 CELLS ALLOT
VARIABLE means-end
: entry-kinds ( entry -- kinds ) entry-pos ;
: pyramid-means, ( side -- )
	#parts 0 DO
		I OVER part @ DUP IF I 2 PICK class @ bits[] @ SWAP entry, ELSE DROP ENDIF
	LOOP
	parts-only @ NOT IF DUP usable[] @ DUP IF OVER skills[] @ SWAP entry, ELSE DROP ENDIF ENDIF
	DROP
;
: list-means ( -- )
	means list-end !
	from piece-type-at DUP kind-of[] @ DUP #pyramid =
	IF 2DROP attacker @ side pyramid-means, ELSE bits[] @ SWAP value-of[] @ entry, ENDIF
	list-end @ means-end !
;

\ --- one attacker, one target ---
VARIABLE code
VARIABLE gap                            \ fields from the attacker to the target
VARIABLE mean                           \ what the attacker uses
VARIABLE how                            \ ASCII = in a move's reach, x or / from afar
: clear? ( -- ? )                       \ nothing between them
	on @ from - gap @ 1- / from             ( step pos )
	BEGIN OVER + DUP not-empty-at? UNTIL
	SWAP DROP on @ =
;
: strike ( value -- )
	DUP hand-to-hand? IF clear? IF ASCII = how ! DUP deal-once ENDIF ENDIF
	DROP
;
: shoot ( n how -- ) how ! DUP from-afar? IF deal-once ELSE DROP ENDIF ;
: fire-on ( value -- )
	gap @ 2DUP * ASCII x shoot
	2DUP MOD IF 2DROP ELSE / ASCII / shoot ENDIF
;
: try-mean ( entry -- )
	DUP mean !
	DUP entry-kinds code @ lands[] @ AND IF DUP @ strike ENDIF
	DUP entry-kinds code @ aims[] @ AND IF DUP @ fire-on ENDIF
	DROP
;
: try-means ( -- ) deals OFF means BEGIN DUP means-end @ < WHILE DUP try-mean #entry + REPEAT DROP ;
: fresh? ( -- ? ) place @ hit-by @ from bit-of-attacker[] @ AND 0= ;
: try-target ( i code -- )
	DUP code ! fields gap !
	DUP target-rating[] @ strength ! DUP target-on[] @ on ! target-at[] @ place !
	fresh? IF place @ lowered? NOT untouched ! try-means ENDIF
;
: try-targets ( -- )
	list-means
	targets @ IF
		targets @ 0 DO from I target-on[] @ apart DUP IF I SWAP try-target ELSE DROP ENDIF LOOP
	ENDIF
;

\ --- surrounding ---
: surround ( pos -- )
	DUP victim-at ! DUP place ! on !
	adjacent-siege IF take-target add-move ENDIF
;
: surround-all ( -- )
	sieging @ IF
		#squares 0 DO I squares[] @ DUP defender @ piece-of? IF surround ELSE DROP ENDIF LOOP
	ENDIF
;
