\ The Royal Game of Ur: a race of seven pieces each, with dice as a separate player.

\ Two sets of rules, chosen by a setting: `skiriuk`, a reconstruction by Dmitry Skiriuk, and `finkel`, the one by Irving
\ Finkel that is played most.  By `skiriuk` pieces may stand on each other in stacks, pieces are promoted on their way
\ back, and a piece on a rosette gives its player the right to the next turn: the other player must pass.  By `finkel`
\ a rosette gives another throw.  The file should be read from top to bottom:
\   1 board   2 settings   3 paths   4 dice   5 stacks   6 moves   7 pieces, players   8 turns
\   9 the end   10 evaluation   11 set-up

\ === 1 Board =======================================================================================

\ The twenty squares lie in columns i to p, rows 2 to 4.  Other positions of the grid are used for reserves of
\ seven squares (rows 1 and 5), covered pieces of stacks (columns a to g) and the dice (column r).
{board
	5 18 {grid}
	2 {array} off                   \ pieces that White and Black have brought off the board
	{variable} passes               \ number of consecutive passes, of both players together
	{variable} again                \ `finkel`: TRUE if the player that has just moved throws again
board}

\ Move words use the tables of section 3 instead of these links.  The links are for displays, which draw as squares the
\ positions that links connect with the pieces.
{directions
	{link} way i1 l2  {link} way l2 k2  {link} way k2 j2  {link} way j2 i2  {link} way i2 i3
	{link} way i5 l4  {link} way l4 k4  {link} way k4 j4  {link} way j4 i4  {link} way i4 i3
	{link} way i3 j3  {link} way j3 k3  {link} way k3 l3  {link} way l3 m3  {link} way m3 n3
	{link} way n3 o3  {link} way o3 o2  {link} way o2 p2  {link} way p2 p3
	{link} way-back p3 p4  {link} way-back p4 o4  {link} way-back o4 o3  {link} way-back i3 h3
directions}

90 CONSTANT #grid
7 CONSTANT #pieces-each

h3 CONSTANT exit-square                 \ pieces leave the board over this square
r5 CONSTANT right-to-turn               \ `skiriuk`: a marker of the player that has the right to the next turn
r2 CONSTANT first-die                   \ three dice on r2 r3 r4, in `finkel` a fourth on r5
r1 CONSTANT cup-square

: above ( pos n -- pos' ) 18 * - ;      \ n rows up
: mirror ( pos -- pos' ) 18 /MOD 4 SWAP - 18 * + ;      \ the corresponding square of the other player

CREATE rosettes i2 , i4 , l3 , o2 , o4 ,
5 CONSTANT #rosettes
: rosette ( n -- pos ) CELLS rosettes + @ ;
: rosette? ( pos -- ? ) FALSE #rosettes 0 DO OVER I rosette = OR LOOP SWAP DROP ;

\ Piece types, which are defined below with their moves.
DEFER PLAIN
DEFER PROMOTED

\ === 2 Settings ====================================================================================

VARIABLE finkel?
: rules=skiriuk ( -- ) finkel? OFF ;    \ stacks, promotion, right to the next turn; three dice (default)
: rules=finkel ( -- ) finkel? ON ;      \ the shorter path, rosettes give another throw; four dice

VARIABLE right-stays?
: right=lapses ( -- ) right-stays? OFF ;        \ skiriuk: the right to the next turn ends by a pass (default)
: right=kept ( -- ) right-stays? ON ;   \ skiriuk: a player with the right that cannot move keeps it

VARIABLE each-enters?
: reserve-moves=one ( -- ) each-enters? OFF ;   \ one move to enter any piece in reserve (default)
: reserve-moves=each ( -- ) each-enters? ON ;   \ a move for every piece in reserve

VARIABLE thrown-first?
: first-throw=fixed ( -- ) thrown-first? OFF ;  \ skiriuk: White's first throw is 1 (default)
: first-throw=thrown ( -- ) thrown-first? ON ;  \ White's first throw is thrown like others

VARIABLE pass-limit
: double-pass= ( n -- ) pass-limit ! ;  \ consecutive passes that make a draw (50); 0: never
50 double-pass=

\ === 3 Paths =======================================================================================

\ The squares of White's two paths, from step 1 on; Black's are their mirror images.
CREATE skiriuk-path
	l2 , k2 , j2 , i2 ,  i3 , j3 , k3 , l3 , m3 , n3 , o3 ,  o2 , p2 ,
	p3 , p4 , o4 ,  o3 , n3 , m3 , l3 , k3 , j3 , i3 ,  exit-square ,
CREATE finkel-path
	l2 , k2 , j2 , i2 ,  i3 , j3 , k3 , l3 , m3 , n3 , o3 , p3 ,  p2 , o2 ,  exit-square ,
24 CONSTANT #skiriuk-steps
15 CONSTANT #finkel-steps
14 CONSTANT #promotion-step             \ `skiriuk`: a piece is promoted from this step on

\ Two tables: the square of step n, and the step of a square (-1: not on the track; a reserve square is step 0).  Each
\ has four tracks: 0 White and 1 Black by `skiriuk`, 2 White and 3 Black by `finkel`.  A square that is passed twice has
\ one step for plain pieces and another for promoted ones.
4 CONSTANT #tracks
25 #tracks * [] step-squares
#grid 2* #tracks * [] square-steps
: square-cell ( step track -- addr ) 25 * + step-squares ;
: step-cell ( pos promoted track -- addr ) 2* + #grid * + square-steps ;

: promoted-at? ( step track -- 1 | 0 ) 2 < SWAP #promotion-step >= AND 1 AND ;
: write-step ( pos step track -- )
	2 PICK 2 PICK 2 PICK square-cell !
	2DUP promoted-at? SWAP                     ( pos step promoted track )
	>R >R SWAP R> R> step-cell !
;
: write-path ( addr n track -- )        \ for White, and the mirror image for Black
	SWAP 0 DO
		OVER I CELLS + @                        ( addr track pos )
		DUP I 1+ 3 PICK write-step
		mirror I 1+ 2 PICK 1+ write-step
	LOOP
	2DROP
;
: write-reserve ( pos track -- )
	#pieces-each 0 DO 0 2 PICK I + 0 3 PICK step-cell ! LOOP
	2DROP
;
: write-all ( -- )
	#grid 2* #tracks * 0 DO -1 I square-steps ! LOOP
	skiriuk-path #skiriuk-steps 0 write-path
	finkel-path #finkel-steps 2 write-path
	i1 0 write-reserve i5 1 write-reserve
	i1 2 write-reserve i5 3 write-reserve
;
write-all

: last-step ( -- n ) finkel? @ IF #finkel-steps ELSE #skiriuk-steps ENDIF ;
: track ( player -- n ) player-index finkel? @ IF 2+ ENDIF ;
: square-at ( step player -- pos ) track square-cell @ ;
: step-of ( piece pos -- step | -1 )
	SWAP DUP #PieceType AND PROMOTED = 1 AND SWAP track step-cell @
;

\ === 4 Dice ========================================================================================

\ ?Dice owns the cup and six dice, three white ones worth 1 and three black ones worth 0.  By `skiriuk` it
\ removes the three dice in one turn, and in three more turns puts any of the six on any free square.  By
\ `finkel` there are four dice, and each of its four turns puts a white or a black die on its square.
DEFER WHITE-DIE                         \ the first type of each colour
DEFER BLACK-DIE
3 CONSTANT #dice
4 CONSTANT #finkel-dice

: die-square ( n -- pos ) first-die SWAP above ;
: put-die ( type pos -- ) create-piece-type-at add-move ;

: turn# ( -- n ) turn-offset [ 3 CELLS ] LITERAL / ;    \ index in the turn order: White 0, Black 5, the last is 9
: my-die-square ( -- pos ) turn# 5 MOD 1- die-square ;
: throw-one ( -- ) WHITE-DIE my-die-square put-die  BLACK-DIE my-die-square put-die ;

: put-any ( pos -- ) #dice 2* 0 DO WHITE-DIE I + OVER put-die LOOP DROP ;
: throw-any ( -- ) #dice 0 DO I die-square DUP empty-at? IF put-any ELSE DROP ENDIF LOOP ;
: remove-dice ( -- ) #dice 0 DO I die-square capture-at LOOP add-move ;

: clear-dice ( -- ) finkel? @ IF throw-one ELSE remove-dice ENDIF ;
: cast-die ( -- ) finkel? @ IF throw-one ELSE throw-any ENDIF ;

: white? ( pos -- 1 | 0 ) piece-type-at DUP WHITE-DIE >= SWAP BLACK-DIE < AND 1 AND ;
: count-whites ( dice -- n ) 0 SWAP 0 DO I die-square white? + LOOP ;
: throw-value ( -- n )                  \ three black dice count 4
	finkel? @ IF #finkel-dice count-whites ELSE #dice count-whites DUP 0= IF DROP 4 ENDIF ENDIF
;

\ === 5 Stacks ======================================================================================

\ Seven squares take up to four pieces.  The covered pieces are put on three reserved squares, from the bottom of
\ the stack up: a2 a3 a4 for j2, and so on.
CREATE stacks
	j2 , a2 ,  j4 , b2 ,  l2 , c2 ,  l4 , d2 ,  o3 , e2 ,  k3 , f2 ,  n3 , g2 ,
3 CONSTANT #covered-most

#grid [] first-covered-square           \ the first of the three reserved squares of a stack, or -1
#grid [] stack-of                       \ the stack to which a reserved square belongs; else the square itself
: covered ( pos n -- pos' ) SWAP first-covered-square @ SWAP above ;
: register-stack ( pos pos' -- )
	OVER first-covered-square !
	#covered-most 0 DO DUP DUP I covered stack-of ! LOOP
	DROP
;
: register-stacks ( -- )
	#grid 0 DO -1 I first-covered-square ! I I stack-of ! LOOP
	7 0 DO stacks I 2* CELLS + DUP @ SWAP CELLSIZE + @ register-stack LOOP
;
register-stacks

: stack-square? ( pos -- ? ) first-covered-square @ 0< finkel? @ OR NOT ;
: covered-count ( pos -- n )
	0 #covered-most 0 DO OVER I covered not-empty-at? IF 1+ ENDIF LOOP
	SWAP DROP
;

\ These run when a move is made.
: cover ( pos -- )                      \ moves the top piece to the reserved squares
	DUP piece-at OVER (remove-piece)
	SWAP DUP covered-count covered (add-piece)
;
: uncover ( pos -- )                    \ moves the uppermost covered piece to the top
	DUP DUP covered-count 1- covered
	DUP piece-at SWAP (remove-piece)
	SWAP (add-piece)
;

\ === 6 Moves =======================================================================================

\ Computed before each generation, or for each piece.
VARIABLE steps-thrown
VARIABLE entry-tried                    \ a piece in reserve has been tried
VARIABLE goal-step
VARIABLE goal-square

: OnGenerateMoves ( -- ) throw-value steps-thrown ! entry-tried OFF ;
\ The host ignores the variables cleared here when it compares positions: they are computed for each move list.
: OnForget ( -- ) steps-thrown OFF entry-tried OFF ;

: type-after-move ( -- type )           \ the type of the piece after the move
	goal-step @ #promotion-step >= finkel? @ NOT AND IF PROMOTED ELSE PLAIN ENDIF
;

\ --- Legal goals ---
: may-join? ( pos -- ? )                \ may the piece move onto the pieces on pos?
	DUP #covered-most 1- covered empty-at?
	OVER o3 = ROT enemy-at? AND NOT AND
;
: may-take? ( pos -- ? )                \ plain pieces take plain ones, promoted ones promoted ones
	finkel? @ IF l3 <> ELSE
		type-after-move PROMOTED = OVER i3 = AND NOT
		SWAP piece-type-at type-after-move = AND
	ENDIF
;
: may-land? ( pos -- ? )
	DUP empty-at? IF DROP TRUE ELSE
	DUP stack-square? IF may-join? ELSE
	DUP friend-at? IF DROP FALSE ELSE
		may-take?
	ENDIF ENDIF ENDIF
;

\ --- What a move does ---
\ Like `move`, but the piece on the goal stays, because it will be covered: `move` compiles the same literals and calls,
\ and the removal of that piece.
: move-onto ( pos goal -- )
	OVER COMPILE-LITERAL COMPILE (remove-piece)
	SWAP piece-at COMPILE-LITERAL COMPILE-LITERAL COMPILE (add-piece)
;

: reserve-of ( player -- pos ) player-index IF i5 ELSE i1 ENDIF ;
: free-reserve-square ( player -- pos | -1 ) \ first free square of a reserve
	-1 SWAP reserve-of
	#pieces-each 0 DO                       ( found pos )
		OVER 0< OVER I + empty-at? AND IF SWAP DROP DUP I + SWAP ENDIF
	LOOP
	DROP
;
: compile-send-back ( player -- )
	DUP free-reserve-square DUP 0< IF 2DROP ELSE PLAIN SWAP create-player-piece-type-at ENDIF
;

: compile-promotion ( -- )
	type-after-move current-piece-type <> IF type-after-move goal-square @ change-type-at ENDIF
;
: compile-join ( pos -- ) DUP COMPILE-LITERAL COMPILE cover from SWAP move-onto compile-promotion ;
: compile-move ( pos -- )
	DUP player-at SWAP from SWAP move compile-promotion
	DUP IF compile-send-back ELSE DROP ENDIF
;
: compile-goal ( pos -- ) DUP stack-square? OVER not-empty-at? AND IF compile-join ELSE compile-move ENDIF ;

: compile-uncover ( -- )                \ uncovers the next piece of a stack
	from stack-square? IF from covered-count IF from COMPILE-LITERAL COMPILE uncover ENDIF ENDIF
;

: bear-off ( -- ) exit-square (remove-piece) current-player player-index off ++ ;
: compile-bear-off ( -- ) goal-square @ exit-square = IF COMPILE bear-off ENDIF ;

DEFER RIGHT
: has-right? ( -- ? ) right-to-turn friend-at? ;
: claim-right ( -- ) has-right? NOT IF RIGHT right-to-turn create-piece-type-at ENDIF ;
: lose-right ( -- ) has-right? IF right-to-turn capture-at ENDIF ;
: throw-again ( -- ) again ON ;
: compile-rosette-rule ( -- )
	goal-square @ rosette?
	finkel? @ IF IF COMPILE throw-again ENDIF ELSE IF claim-right ELSE lose-right ENDIF ENDIF
;

\ --- The move of a piece ---
: barred-by-right? ( -- ? ) right-to-turn enemy-at? finkel? @ NOT AND ;
: may-enter? ( -- ? ) each-enters? @ entry-tried @ NOT OR ;
: advance ( -- )
	barred-by-right? NOT verify
	current-piece from step-of              ( step )
	DUP 0< NOT verify                       \ covered
	DUP 0= IF may-enter? verify entry-tried ON ENDIF
	steps-thrown @ DUP verify
	+ DUP last-step > NOT verify
	DUP goal-step ! current-player square-at
	DUP goal-square ! DUP may-land? verify
	compile-goal compile-uncover compile-bear-off compile-rosette-rule add-move
;

\ === 7 Pieces and players ==========================================================================

\ A player that cannot move must pass.  A pass has the type of the last {move}: none.  All other moves have a type,
\ which distinguishes them from a pass after they have been made.
$passTurnForced ON
: no-move ( -- ) FALSE verify ;        \ check: ignore W401

{moves piece-moves
	{move} advance {move-type} moving
	{move} no-move
moves}
{moves cup-moves
	{move} clear-dice {move-type} clearing
	{move} cast-die {move-type} casting
moves}

{pieces
	{piece} plain    {moves} piece-moves
	{piece} promoted {moves} piece-moves
	{piece} right
	{piece} cup      {moves} cup-moves
	{piece} white1
	{piece} white2
	{piece} white3
	{piece} black1
	{piece} black2
	{piece} black3
pieces}
' plain IS PLAIN
' promoted IS PROMOTED
' right IS RIGHT
' white1 IS WHITE-DIE
' black1 IS BLACK-DIE

\ A name that begins with a question mark is a random player: the host moves for it.
\ Searching more than two plies is slower and not better: the dice decide too much.
: Ur-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

{players
	{player} White {search-engine} Ur-Engine
	{player} Black {search-engine} Ur-Engine
	{player} ?Dice {random}
players}

{turn-order
	{turn} White
	{turn} ?Dice {of-type} clearing
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} Black
	{turn} ?Dice {of-type} clearing
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
	{turn} ?Dice {of-type} casting
turn-order}

\ === 8 Turns =======================================================================================

: turn-offset-of ( n -- off ) 3 CELLS * ;
1 CONSTANT #dice-for-black
6 CONSTANT #dice-for-white

: passed? ( -- ? ) $lastMoveType @ 0= ;
: count-pass ( -- ) passed? IF passes ++ ELSE passes OFF ENDIF ;
: end-right-after-pass ( -- )
	passed? has-right? AND right-stays? @ NOT AND IF right-to-turn (remove-piece) ENDIF
;
: dice? ( player -- ? ) ?Dice = ;

\ The library's OnNextTurn passes the turn to the next entry of the turn order.  For another throw, the turn goes to the
\ dice of the player that has just moved.
: turn-to-own-dice ( -- )
	again OFF
	current-player DUP White = IF #dice-for-white ELSE #dice-for-black ENDIF
	turn-offset-of $SetTurn $EngineSetTurn
;
: OnNextTurn ( -- )
	current-player dice? NOT IF count-pass end-right-after-pass ENDIF
	again @ IF turn-to-own-dice ELSE OnNextTurn ENDIF
;

\ White's first throw is 1, which the dice of the set-up show, or the game begins with a throw.
: OnNewGame ( -- )
	OnNewGame
	?Dice cup OR cup-square (add-piece)
	thrown-first? @ finkel? @ OR IF #dice-for-white turn-offset-of $SetTurn ENDIF
;

\ === 9 The end =====================================================================================

\ While the dice are to be thrown, results and scores are those of the player that moves after the throw.
: viewer ( -- player )
	turn-offset
	BEGIN DUP turn-offset-to-player dice? WHILE next-turn-offset REPEAT
	turn-offset-to-player
;
: other ( player -- player' ) White = IF Black ELSE White ENDIF ;
: off-board ( player -- n ) player-index off @ ;
: all-home? ( player -- ? ) off-board #pieces-each >= ;
: passes-exhausted? ( -- ? ) pass-limit @ DUP IF passes @ <= ENDIF ;

: OnIsGameOver ( -- result )
	viewer all-home? IF ^" all pieces are home" #WinScore ELSE
	viewer other all-home? IF ^" all pieces are home" #LossScore ELSE
	passes-exhausted? IF ^" too many passes in a row" #DrawScore ELSE
		#UnknownScore
	ENDIF ENDIF ENDIF
;

\ For searches: the dice are friends of the player that will move after the throw.
: OnFriends? ( player next -- ? )
	OVER dice? IF 2DROP TRUE ELSE DUP dice? IF DROP viewer = ELSE = ENDIF ENDIF
;

\ === 10 Evaluation ==================================================================================

\ The steps that a player's pieces have advanced, including covered pieces, and 100 for each piece off the board;
\ minus the same sum of the other player.
: piece? ( pos -- ? ) piece-type-at DUP PLAIN = SWAP PROMOTED = OR ;
: steps-advanced ( pos -- n ) DUP piece-at SWAP stack-of @ step-of 0 MAX ;
: all-steps ( player -- n )
	0
	#grid 0 DO
		I piece?
		IF I player-at 2 PICK = IF I steps-advanced + ENDIF ENDIF
	LOOP
	SWAP DROP
;
: steps-and-home ( player -- n ) DUP all-steps SWAP off-board 100 * + ;

\ Every move adds its throw to this sum, so the sum hardly distinguishes moves.  Therefore the next turn that a rosette
\ gives has a value of its own.
6 CONSTANT #turn-worth
: another-turn? ( player -- ? )
	finkel? @ IF viewer = ELSE right-to-turn player-at = ENDIF
;
: worth ( player -- n ) DUP steps-and-home SWAP another-turn? #turn-worth AND + ;
: OnEvaluate ( -- score ) viewer DUP worth SWAP other worth - ;

\ Remarks for `forthvm moves --explain`.
: .player ( player -- ) player-index CELLS $players @ + @ CFA>NFA @ TYPE ;
: .standing ( player -- )
	DUP .player ." : " DUP off-board . ." pieces home, " all-steps . ." square-steps on the board" CR
;
: OnExplain ( -- )
	White .standing Black .standing
	viewer .player ."  throws " current-player dice? IF ." next" ELSE throw-value . ENDIF CR
;

\ Displays show `off` and hide the cup; announcements print facts that have become true.
: OnShow ( -- ) ." off -cup" ;
: .right ( -- )
	right-to-turn player-at DUP IF .player ."  has the right to the next turn" CR ELSE DROP ENDIF
;
: .throw ( -- )
	current-player dice? NOT IF current-player .player ."  throws " throw-value . CR ENDIF
;
: OnAnnounce ( -- ) finkel? @ NOT IF .right ENDIF .throw ;

\ === 11 Set-up =====================================================================================

\ OnNewGame adds the cup.
{board-setup
	{setup} White plain i1 {setup} White plain j1 {setup} White plain k1 {setup} White plain l1
	{setup} White plain m1 {setup} White plain n1 {setup} White plain o1
	{setup} Black plain i5 {setup} Black plain j5 {setup} Black plain k5 {setup} Black plain l5
	{setup} Black plain m5 {setup} Black plain n5 {setup} Black plain o5
	{setup} ?Dice black1 r2 {setup} ?Dice black2 r3 {setup} ?Dice white1 r4
board-setup}
