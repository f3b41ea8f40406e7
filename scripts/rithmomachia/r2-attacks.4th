\ Attacks: who can lower whose rating, and by how much.

\ Owns the attack moves.  All targets are listed once for each move list; then each attacker tries the targets in
\ line with it.

\ === Lines ============================================================================================
\ The base game's table of distances gets the diagonals as well.  The code of a line is its number of fields, both
\ ends included, plus 64 if it is diagonal.
64 CONSTANT #diagonal
VARIABLE line-start
: mark-diagonal ( i -- )
	#diagonal 1+ line-start @               ( i code pos )
	BEGIN 2 PICK neighbour @ DUP 0< NOT WHILE
		SWAP 1+ SWAP
		2DUP line-start @ SWAP distance C!
	REPEAT
	2DROP DROP
;
: mark-diagonals ( -- )
	#squares 0 DO I squares[] @ line-start ! 8 4 DO I mark-diagonal LOOP LOOP
;
mark-diagonals
: fields ( code -- n ) [ #diagonal 1- ] LITERAL AND ;

\ By code of a line, masks of kinds of pieces: the kinds that move in that direction, and the kinds whose move has
\ exactly that length.
80 [] kinds-in-direction[]
80 [] kinds-at-distance[]
1 CONSTANT #circles                     \ masks of the kinds of pieces: rounds, triangles, squares
2 CONSTANT #triangles
4 CONSTANT #chariots
: fill-kinds ( -- )                     \ straight lines have 2 to 16 fields, diagonals 2 to 8
	17 2 DO #circles #chariots OR I kinds-in-direction[] ! LOOP
	9 2 DO #triangles #chariots OR #diagonal I + kinds-in-direction[] ! LOOP
;
fill-kinds
#circles 2 kinds-at-distance[] !
#triangles #diagonal 3 + kinds-at-distance[] !
#chariots 4 kinds-at-distance[] !
#chariots #diagonal 4 + kinds-at-distance[] !

\ === Targets ==========================================================================================
\ A target is anything that has a rating: a piece, a part of the pyramid, the sum of the parts.  Parts are stored in
\ the margin, but they are attacked on the pyramid's square.
192 CONSTANT #targets
VARIABLE targets
#targets [] target-at[]                 \ the position where it is stored
#targets [] target-on[]                 \ the square on which it is attacked
#targets [] target-rating[]

: target, ( square position rating -- )
	targets @ target-rating[] ! targets @ target-at[] ! targets @ target-on[] !
	targets ++
;
: part, ( square i -- )
	defender @ side part-home
	DUP full-rating IF DUP rating target, ELSE 2DROP ENDIF
;
: whole-pyramid? ( side -- ? )          \ Black's pyramid has five parts, White's six
	DUP parts-left SWAP IF 5 ELSE 6 ENDIF = ;
: sum-counts? ( side -- ? )             \ a single part has no sum
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

\ === Captures =========================================================================================
\ A target whose rating becomes exactly 0 is captured.  It is counted as in the base game, with its full value.
VARIABLE target-position                \ the position where the target is stored
VARIABLE target-square                  \ the square on which it is attacked
: part? ( -- ? ) target-position @ target-square @ <> ;
: capture-and-count ( pos -- ) DUP capture-at full-rating count-piece ;

: take-pyramid ( -- )
	target-square @ capture-at
	#parts 0 DO
		I defender @ side part-home DUP not-empty-at? IF capture-and-count ELSE DROP ENDIF
	LOOP
;
: twin? ( type -- ? )                   \ does the defender have a piece of this type on the board?
	FALSE #squares 0 DO
		I squares[] @ DUP defender @ piece-of? IF own-type 2 PICK = OR ELSE DROP ENDIF
	LOOP
	SWAP DROP
;
: swap-possible? ( -- ? ) no-swap @ IF FALSE ELSE target-position @ own-type twin? ENDIF ;
: last-part? ( -- ? ) defender @ side parts-left 1 = ;

\ The loss of a part changes the sum, so earlier reductions of the sum are void.  If the owner may swap, the pyramid
\ stays until the owner has decided, and the owner gets the turn: such an attack is not a partial move.
: compile-offer ( -- )
	target-position @ own-type COMPILE-LITERAL target-position @ COMPILE-LITERAL COMPILE offer-swap
;
: take-part ( -- )
	swap-possible?
	DUP NOT IF last-part? IF target-square @ capture-at ENDIF partial ENDIF
	target-position @ capture-and-count
	target-square @ lowered? IF target-square @ COMPILE-LITERAL COMPILE restore ENDIF
	IF compile-offer ENDIF
;
: take-target ( -- )
	0 0 0 set-counts
	part? IF take-part ELSE
	partial
	target-square @ own-type kind-of[] @ #pyramid =
	IF take-pyramid ELSE target-square @ capture-and-count ENDIF ENDIF
	note-counts COMPILE after-capture
;

\ === Attacks ==========================================================================================
\ The text of an attack begins with the attacker: it is created again on its own square, which changes nothing.
: name-attacker ( -- )
	current-player from piece-type-at from create-player-piece-type-at
;
VARIABLE target-strength                \ the rating of the target
: lower ( n -- )
	partial
	from bit-of-attacker[] @ COMPILE-LITERAL target-position @ COMPILE-LITERAL COMPILE note-attack
	target-position @ COMPILE-LITERAL COMPILE keep-type
	#unrated + target-position @ change-type-at
;
: attack ( n -- )                       \ an attack that lowers the target's rating by n
	name-attacker
	target-strength @ OVER = IF DROP take-target ELSE target-strength @ SWAP - lower ENDIF
	add-move
;
DEFER handle-attack ( n -- )            \ adds a move; in r2-explain.4th: prints a remark
' attack IS handle-attack

\ --- the rules ---
VARIABLE full-rating?                   \ the target still has its full rating
: from-afar? ( n -- ? )                 \ by multiplication or division
	target-strength @ 2DUP =
	IF 2DROP must-take-alone @ NOT full-rating? @ OR ELSE < must-take-alone @ NOT AND ENDIF
;
: hand-to-hand? ( n -- ? ) target-strength @ 2DUP = IF 2DROP TRUE ELSE < joint-attacks @ AND ENDIF ;

\ The parts of a pyramid may yield the same number in several ways; only one attack is added.
64 [] handled[]
VARIABLE handled-count
: handled? ( n -- ? )
	FALSE handled-count @ IF handled-count @ 0 DO OVER I handled[] @ = OR LOOP ENDIF SWAP DROP
;
: handle-once ( n -- )
	DUP handled? IF DROP ELSE DUP handled-count @ handled[] ! handled-count ++ handle-attack ENDIF
;

\ --- the values of an attacker ---
\ Entries, each a value and the mask of the kinds that it moves like: one for a piece, several for a pyramid.
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
VARIABLE entry-used                     \ the entry that the attacker uses
VARIABLE how                            \ ASCII = for a direct attack, x or / for one at a distance
: clear? ( -- ? )                       \ no piece between attacker and target
	target-square @ from - gap @ 1- / from             ( step pos )
	BEGIN OVER + DUP not-empty-at? UNTIL
	SWAP DROP target-square @ =
;
: attack-directly ( value -- )
	DUP hand-to-hand? IF clear? IF ASCII = how ! DUP handle-once ENDIF ENDIF
	DROP
;
: attack-from-afar ( n how -- ) how ! DUP from-afar? IF handle-once ELSE DROP ENDIF ;
: attack-at-distance ( value -- )
	gap @ 2DUP * ASCII x attack-from-afar
	2DUP MOD IF 2DROP ELSE / ASCII / attack-from-afar ENDIF
;
: try-mean ( entry -- )
	DUP entry-used !
	DUP entry-kinds code @ kinds-at-distance[] @ AND IF DUP @ attack-directly ENDIF
	DUP entry-kinds code @ kinds-in-direction[] @ AND IF DUP @ attack-at-distance ENDIF
	DROP
;
: try-means ( -- ) handled-count OFF means BEGIN DUP means-end @ < WHILE DUP try-mean #entry + REPEAT DROP ;
: not-yet-hit? ( -- ? ) target-position @ hit-by @ from bit-of-attacker[] @ AND 0= ;
: try-target ( i code -- )
	DUP code ! fields gap !
	DUP target-rating[] @ target-strength ! DUP target-on[] @ target-square ! target-at[] @ target-position !
	not-yet-hit? IF target-position @ lowered? NOT full-rating? ! try-means ENDIF
;
: try-targets ( -- )
	list-means
	targets @ IF
		targets @ 0 DO from I target-on[] @ apart DUP IF I SWAP try-target ELSE DROP ENDIF LOOP
	ENDIF
;

\ --- surrounding ---
: surround ( pos -- )
	DUP victim-at ! DUP target-position ! target-square !
	adjacent-siege IF take-target add-move ENDIF
;
: surround-all ( -- )
	siege-allowed @ IF
		#squares 0 DO I squares[] @ DUP defender @ piece-of? IF surround ELSE DROP ENDIF LOOP
	ENDIF
;
