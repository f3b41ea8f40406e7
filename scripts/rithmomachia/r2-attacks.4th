\ Attacks: which pieces can lower which ratings, and by how much.

\ Owns the attack moves.  An attack lowers the rating of a target; a target whose rating becomes 0 is captured.  In a
\ direct attack the attacker could move to the target.  In an attack at a distance the rating is lowered by the
\ attacker's value, multiplied or divided by the distance.  All targets are listed once for each move list; then each
\ attacker tries the targets in line with it.

\ === Lines ============================================================================================
\ The base game's table of distances gets the diagonals as well.  Two squares in line have a code: the number of fields
\ from one to the other, both included, plus 64 on a diagonal.
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

\ Two tables by this code, of masks of the kinds of pieces: the kinds that move in that direction (straight or
\ diagonal), and the kinds whose move has exactly that length.
80 [] kinds-in-direction[]
80 [] kinds-at-distance[]
1 CONSTANT #circle-kind                 \ masks of the kinds of pieces: circles (R), triangles (T), squares (S)
2 CONSTANT #triangle-kind
4 CONSTANT #square-kind
: fill-kinds ( -- )                     \ straight lines have 2 to 16 fields, diagonals 2 to 8
	17 2 DO #circle-kind #square-kind OR I kinds-in-direction[] ! LOOP
	9 2 DO #triangle-kind #square-kind OR #diagonal I + kinds-in-direction[] ! LOOP
;
fill-kinds
#circle-kind 2 kinds-at-distance[] !
#triangle-kind #diagonal 3 + kinds-at-distance[] !
#square-kind 4 kinds-at-distance[] !
#square-kind #diagonal 4 + kinds-at-distance[] !

\ === Targets ==========================================================================================
\ A target is a piece, a part of the pyramid, or the sum of the parts: each has a rating.  Parts are stored in the
\ margin, outside the playing board, but they are attacked on the pyramid's square.
192 CONSTANT #targets
VARIABLE targets                        \ number of targets
#targets [] target-at[]                 \ the position where it is stored
#targets [] target-on[]                 \ the square on which it is attacked
#targets [] target-rating[]

: target, ( square position rating -- )
	targets @ target-rating[] ! targets @ target-at[] ! targets @ target-on[] !
	targets ++
;
: part-target, ( square i -- )
	defender @ side-of part-home
	DUP full-rating IF DUP rating target, ELSE 2DROP ENDIF
;
: whole-pyramid? ( side -- ? )          \ Black's pyramid has five parts, White's six
	DUP parts-left SWAP IF 5 ELSE 6 ENDIF = ;
: sum-counts? ( side -- ? )             \ a single part has no sum
	parts-only @ IF DROP FALSE ELSE
	DUP parts-left 2 < IF DROP FALSE ELSE
	intact-totals @ IF whole-pyramid? ELSE DROP TRUE ENDIF ENDIF ENDIF
;
: sum-rating ( square -- n ) DUP lowered? IF rating ELSE DROP defender @ side-of sum-of-parts ENDIF ;
: pyramid-targets, ( square -- )
	#parts 0 DO DUP I part-target, LOOP
	defender @ side-of sum-counts? IF DUP DUP sum-rating target, ELSE DROP ENDIF
;
: square-targets, ( square -- )
	DUP original-type class-of[] @ #pyramid = IF pyramid-targets, ELSE DUP DUP rating target, ENDIF
;
: list-targets ( -- )
	targets OFF
	#squares 0 DO I squares[] @ DUP defender @ piece-of? IF square-targets, ELSE DROP ENDIF LOOP
;

\ === Captures =========================================================================================
\ A target whose rating becomes exactly 0 is captured.  It is counted as in the base game, with its full value.
VARIABLE target-position                \ the position where the target is stored
VARIABLE target-square                  \ the square on which it is attacked
: target-is-part? ( -- ? ) target-position @ target-square @ <> ;
: capture-and-count ( pos -- ) DUP capture-at full-rating count-piece ;

: take-pyramid ( -- )
	target-square @ capture-at
	#parts 0 DO
		I defender @ side-of part-home DUP not-empty-at? IF capture-and-count ELSE DROP ENDIF
	LOOP
;
: twin? ( type -- ? )                   \ does the defender have a piece of this type on the board?
	FALSE #squares 0 DO
		I squares[] @ DUP defender @ piece-of? IF original-type 2 PICK = OR ELSE DROP ENDIF
	LOOP
	SWAP DROP
;
: swap-possible? ( -- ? ) no-swap @ IF FALSE ELSE target-position @ original-type twin? ENDIF ;
: last-part? ( -- ? ) defender @ side-of parts-left 1 = ;

\ The loss of a part changes the sum, so the rating of the sum is restored.  If the owner may swap (see r2-turn.4th),
\ the pyramid stays until the owner has decided.  The owner decides in a turn of its own, so the attack is not a partial
\ move.
: compile-offer ( -- )
	target-position @ original-type COMPILE-LITERAL target-position @ COMPILE-LITERAL COMPILE offer-swap
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
	target-is-part? IF take-part ELSE
	partial
	target-square @ original-type class-of[] @ #pyramid =
	IF take-pyramid ELSE target-square @ capture-and-count ENDIF ENDIF
	compile-counts COMPILE capture-made
;

\ === Attacks ==========================================================================================
\ The text of an attack begins with the attacker.  For this text the attacker is created again on its own square, which
\ changes nothing.
: name-attacker ( -- )
	current-player from piece-type-at from create-player-piece-type-at
;
VARIABLE target-strength                \ the rating of the target
: compile-lowering ( n -- )
	partial
	from bit-of-attacker[] @ COMPILE-LITERAL target-position @ COMPILE-LITERAL COMPILE count-attack
	target-position @ COMPILE-LITERAL COMPILE store-original-type
	#unrated + target-position @ change-type-at
;
: attack ( n -- )                       \ an attack that lowers the target's rating by n
	name-attacker
	target-strength @ OVER = IF DROP take-target ELSE target-strength @ SWAP - compile-lowering ENDIF
	add-move
;
DEFER handle-attack ( n -- )            \ adds a move; in r2-explain.4th: prints a remark
' attack IS handle-attack

\ --- the rules ---
VARIABLE full-rating?                   \ the target still has its full rating
: legal-at-distance? ( n -- ? )         \ may an attack by multiplication or division lower the rating by n?
	target-strength @ 2DUP =
	IF 2DROP must-take-alone @ NOT full-rating? @ OR ELSE < must-take-alone @ NOT AND ENDIF
;
: legal-directly? ( n -- ? ) target-strength @ 2DUP = IF 2DROP TRUE ELSE < joint-attacks @ AND ENDIF ;

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
CREATE attack-values 32 CELLS ALLOT
VARIABLE attack-values-end
: entry-kinds ( entry -- kinds ) entry-pos ;
: pyramid-attack-values, ( side -- )
	#parts 0 DO
		I OVER part @ DUP IF I 2 PICK class @ bits[] @ SWAP entry, ELSE DROP ENDIF
	LOOP
	parts-only @ NOT IF DUP usable[] @ DUP IF OVER skills[] @ SWAP entry, ELSE DROP ENDIF ENDIF
	DROP
;
: list-attack-values ( -- )
	attack-values list-end !
	from piece-type-at DUP class-of[] @ DUP #pyramid =
	IF 2DROP attacker @ side-of pyramid-attack-values, ELSE bits[] @ SWAP value-of[] @ entry, ENDIF
	list-end @ attack-values-end !
;

\ --- one attacker, one target ---
VARIABLE line-code
VARIABLE field-distance                 \ fields from the attacker to the target
VARIABLE entry-used                     \ the entry that the attacker uses
VARIABLE attack-sign                    \ ASCII = for a direct attack, x or / for one at a distance
: clear-line? ( -- ? )                  \ no piece between attacker and target
	target-square @ from - field-distance @ 1- / from       ( step pos )
	BEGIN OVER + DUP not-empty-at? UNTIL
	SWAP DROP target-square @ =
;
: try-directly ( value -- )
	DUP legal-directly? IF clear-line? IF ASCII = attack-sign ! DUP handle-once ENDIF ENDIF
	DROP
;
: try-number-at-distance ( n sign -- ) attack-sign ! DUP legal-at-distance? IF handle-once ELSE DROP ENDIF ;
: try-at-distance ( value -- )
	field-distance @ 2DUP * ASCII x try-number-at-distance
	2DUP MOD IF 2DROP ELSE / ASCII / try-number-at-distance ENDIF
;
: try-value ( entry -- )
	DUP entry-used !
	DUP entry-kinds line-code @ kinds-at-distance[] @ AND IF DUP @ try-directly ENDIF
	DUP entry-kinds line-code @ kinds-in-direction[] @ AND IF DUP @ try-at-distance ENDIF
	DROP
;
: try-values ( -- )
	handled-count OFF
	attack-values BEGIN DUP attack-values-end @ < WHILE DUP try-value #entry + REPEAT DROP
;
: not-yet-attacked? ( -- ? ) target-position @ hit-by @ from bit-of-attacker[] @ AND 0= ;
: try-target ( i code -- )
	DUP line-code ! fields field-distance !
	DUP target-rating[] @ target-strength ! DUP target-on[] @ target-square ! target-at[] @ target-position !
	not-yet-attacked? IF target-position @ lowered? NOT full-rating? ! try-values ENDIF
;
: try-targets ( -- )
	list-attack-values
	targets @ IF
		targets @ 0 DO from I target-on[] @ line-distance DUP IF I SWAP try-target ELSE DROP ENDIF LOOP
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
