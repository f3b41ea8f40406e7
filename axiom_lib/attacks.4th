\ attacks.4th: pieces that step, leap and slide; attacks, check and pins for two players.  LOAD attacks.4th

\ A game with kings names the ways of its pieces, then says which piece types go which ways:
\
\     ' n ' s line-ways   ' e ' w line-ways   ' nne ' ssw leap-ways
\     BINARY 1111 0 king reaches   0 1111 rook reaches   110000 0 knight reaches DECIMAL
\     ' king IS royal
\
\ A way is a direction with a number.  Two opposite ways have the numbers 2n and 2n+1; sets of ways are numbers with
\ bit n for way n.  The second player goes the opposite ways.  Ways along which pieces slide come first.
\
\ OnGenerateMoves calls `forget-facts`.  A move word calls `prepare` and, for instance, `from all-targets`, which runs
\ the game's word `try-target ( pos -- )` for each position that the piece on `from` reaches.  `safe-move?` and
\ `safe-drop?` say that a move or drop does not leave the own king in check.  They rely on pins: a game with lame leaps or
\ `also-attacked?` uses `exposed?` instead, which tries a move on the board.

\ === Ways ==========================================================================================

32 CONSTANT #most-ways
#most-ways [] way[]                     \ the body of a direction: the neighbour of each position, or -1
#most-ways [] bit[]
#most-ways [] leg[]                     \ the body of the direction in which the next position must be empty, or 0
0 leg[] #most-ways CELLS ERASE
VARIABLE way-count                      way-count OFF
VARIABLE line-way-count                 line-way-count OFF

: number-bits ( -- ) 1 #most-ways 0 DO DUP I bit[] ! 2* LOOP DROP ;
number-bits
: add-way ( 'dir -- )
	way-count @ #most-ways >= ABORT" too many ways: the limit is 32"
	CFA>PFA way-count @ way[] ! way-count ++
;
: leap-ways ( 'dir 'opposite -- ) SWAP add-way add-way ;
: line-ways ( 'dir 'opposite -- ) leap-ways way-count @ line-way-count ! ;
\ Leaps that a piece on the next position in another direction hinders, such as those of the horse in xiangqi.
: lame-leap-ways ( 'dir 'opposite 'leg 'opposite-leg -- )
	CFA>PFA way-count @ 1+ leg[] ! CFA>PFA way-count @ leg[] ! leap-ways
;
: opposite ( n -- n' ) 1 XOR ;
: hindered? ( pos n -- ? )              \ on its way n from pos
	leg[] @ DUP IF SWAP CELLS + @ not-empty-at? ELSE SWAP DROP ENDIF
;
: neighbour ( pos n -- pos' ) way[] @ SWAP CELLS + @ ; \ -1 beyond the edge
: first-occupied ( pos n -- pos' )      \ the first occupied position that way, or -1
	way[] @ SWAP
	BEGIN
		OVER SWAP CELLS + @                     ( addr pos' )
		DUP 0< IF TRUE ELSE DUP not-empty-at? ENDIF
	UNTIL
	SWAP DROP
;

\ === Pieces ========================================================================================

#PlayerBase CONSTANT first-player
#PlayerBase 2* CONSTANT second-player
: opponent ( player -- player' ) [ first-player second-player XOR ] LITERAL XOR ;

\ The tables are indexed by the cell of a piece, which contains owner and type.
second-player #PieceType OR 1+ CONSTANT #cells
#cells [] near[]                        \ the ways in which a piece reaches the next position
#cells [] far[]                         \ the ways in which it slides
0 near[] #cells CELLS ERASE
0 far[] #cells CELLS ERASE

: reversed ( set -- set' )              \ the opposite ways
	0 way-count @ 0 DO OVER I bit[] @ AND IF I opposite bit[] @ OR ENDIF LOOP SWAP DROP
;
: set-reach ( near far piece -- ) SWAP OVER far[] ! near[] ! ;
: reaches ( steps slides type -- )
	>R SWAP OVER OR SWAP                    ( near far )
	2DUP first-player R@ OR set-reach
	reversed SWAP reversed SWAP second-player R> OR set-reach
;

DEFER try-target ( pos -- )
VARIABLE sliding                        \ the ways in which the moving piece slides
: targets-along ( pos n -- )
	2DUP hindered? IF 2DROP EXIT ENDIF
	SWAP OVER neighbour                     ( n pos' )
	DUP 0< IF 2DROP EXIT ENDIF
	DUP try-target
	OVER bit[] @ sliding @ AND NOT IF 2DROP EXIT ENDIF
	BEGIN DUP 0< IF FALSE ELSE DUP empty-at? ENDIF WHILE
		OVER neighbour DUP 0< IF ELSE DUP try-target ENDIF
	REPEAT
	2DROP
;
: all-targets ( pos -- )                \ runs try-target for each position that the piece on pos reaches
	DUP piece-at DUP far[] @ sliding ! near[] @           ( pos set )
	way-count @ 0 DO DUP I bit[] @ AND IF OVER I targets-along ENDIF LOOP
	2DROP
;

\ === Attacks =======================================================================================

\ Attacks on a position are found by looking outward from it: a piece attacks if it goes the opposite way.
VARIABLE attacking-player
: near-attack? ( pos n -- ? )
	opposite 2DUP hindered? IF 2DROP FALSE ELSE bit[] @ SWAP piece-at near[] @ AND ENDIF
;
: far-attack? ( pos n -- ? ) opposite bit[] @ SWAP piece-at far[] @ AND ;

\ The position, in the direction of way n, from which a piece of the attacking player attacks pos; -1 if there is none.
: attacker ( pos n -- pos' )
	SWAP OVER neighbour                     ( n pos' )
	DUP 0< IF SWAP DROP EXIT ENDIF
	DUP not-empty-at? IF SWAP OVER SWAP near-attack? ELSE
		OVER line-way-count @ < NOT IF 2DROP -1 EXIT ENDIF
		OVER first-occupied                     ( n pos' )
		DUP 0< IF SWAP DROP EXIT ENDIF
		SWAP OVER SWAP far-attack?
	ENDIF                                   ( pos' ? )
	IF DUP player-at attacking-player @ = ELSE FALSE ENDIF
	NOT IF DROP -1 ENDIF
;

\ Attacks that the table does not describe, such as those of cannons.  A game may define another word.
DEFER also-attacked? ( pos -- ? )       \ by pieces of attacking-player
: not-otherwise ( pos -- ? ) DROP FALSE ;
' not-otherwise IS also-attacked?

: attacked? ( pos player -- ? )         \ by pieces of the player
	attacking-player !
	way-count @
	BEGIN 1- DUP 0< NOT WHILE               ( pos n )
		2DUP attacker 0< NOT IF 2DROP TRUE EXIT ENDIF
	REPEAT
	DROP also-attacked?
;

\ === Kings =========================================================================================

DEFER royal ( -- type )
: king-of ( player -- piece ) royal OR ;

\ The last known positions of the kings, which may be out of date.
2 [] last-king[]
-1 0 last-king[] ! -1 1 last-king[] !
: search-king ( player -- pos )         \ -1 if it has none
	king-of -1
	$positions @ 0 DO OVER I piece-at = IF DROP I LEAVE ENDIF LOOP
	SWAP DROP
;
: still-there? ( player pos -- ? ) DUP 0< IF 2DROP FALSE ELSE piece-at SWAP king-of = ENDIF ;
: king-at ( player -- pos )
	DUP player-index last-king[] @ 2DUP still-there? IF SWAP DROP EXIT ENDIF
	DROP DUP search-king SWAP OVER SWAP player-index last-king[] !
;
: in-check? ( player -- ? ) DUP king-at DUP 0< IF 2DROP FALSE ELSE SWAP opponent attacked? ENDIF ;

\ === Facts computed once for each list of moves ====================================================

\ Only the move words know for which player moves are generated, so the first one computes the facts.
VARIABLE mover                          \ this player, or 0
VARIABLE king-square                    \ its king's position, or -1
VARIABLE checked                        \ its king is in check
$positions @ [] pinned[]                \ TRUE for its pieces that shield the king from a sliding piece

: pin-along ( n -- )
	king-square @ OVER first-occupied       ( n pos )
	DUP 0< IF 2DROP EXIT ENDIF
	DUP player-at mover @ <> IF 2DROP EXIT ENDIF
	2DUP SWAP first-occupied                ( n pos pos' )
	DUP 0< IF 2DROP DROP EXIT ENDIF
	DUP player-at mover @ = IF 2DROP DROP EXIT ENDIF
	ROT far-attack? IF TRUE SWAP pinned[] ! ELSE DROP ENDIF
;
: find-pins ( -- )
	0 pinned[] $positions @ CELLS ERASE
	king-square @ 0< IF EXIT ENDIF
	line-way-count @ IF line-way-count @ 0 DO I pin-along LOOP ENDIF
;
: compute-facts ( -- )
	current-player mover !
	mover @ king-at king-square !
	mover @ in-check? checked !
	find-pins
;
: prepare ( -- ) mover @ current-player <> IF compute-facts ENDIF ;
: forget-facts ( -- ) mover OFF ;

\ For the script's OnForget: none of this influences play.
: forget-attacks ( -- )
	$piece OFF                              \ current-piece, which try-target may read
	sliding OFF attacking-player OFF mover OFF king-square OFF checked OFF
	0 last-king[] 2 CELLS ERASE
	0 pinned[] $positions @ CELLS ERASE
;

\ === Legal moves ===================================================================================

: put-cell ( piece pos -- ) board[] ! ; \ for a test, which restores the cell afterwards

: king-attacked? ( pos -- ? )           \ the mover's king, if the piece on pos has just moved there
	DUP piece-type-at royal <> IF DROP king-square @ ENDIF
	DUP 0< IF DROP FALSE ELSE mover @ opponent attacked? ENDIF
;
: exposed? ( pos pos' -- ? )            \ would the king be attacked if the piece on pos were on pos'?
	DUP piece-at >R
	OVER piece-at OVER put-cell
	0 2 PICK put-cell
	DUP king-attacked? ROT ROT              ( ? pos pos' )
	DUP piece-at ROT put-cell
	R> SWAP put-cell
;
: may-expose? ( pos -- ? ) checked @ OVER pinned[] @ OR SWAP king-square @ = OR ;
: safe-move? ( pos pos' -- ? ) OVER may-expose? IF exposed? NOT ELSE 2DROP TRUE ENDIF ;
: safe-drop? ( pos -- ? )               \ a piece that is put on the board can only end a check
	checked @ NOT IF DROP TRUE EXIT ENDIF
	mover @ OVER put-cell DUP king-attacked? NOT
	0 ROT put-cell
;
