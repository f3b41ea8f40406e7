\ Backgammon: a race with dice; the first player that bears off all of its fifteen checkers wins.

\ A point with checkers is a piece whose type is the number of checkers, an empty one is an empty square.
\
\     row 3    13 14 15 16 17 18   bar of Black   19 20 21 22 23 24   Black's checkers off the board
\     row 2                                          four dice
\     row 1    12 11 10  9  8  7   bar of White    6  5  4  3  2  1   White's checkers off the board
{board
	3 14 {grid}
board}

\ Points have the numbers above for White.  Black numbers them from the other side, so both move towards lower numbers,
\ from 25, the bar, to 0, off the board.
25 CONSTANT BAR
15 CONSTANT #checkers                   \ of each player
CREATE point-positions
	n1 ,  m1 , l1 , k1 , j1 , i1 , h1 ,  f1 , e1 , d1 , c1 , b1 , a1 ,
	      a3 , b3 , c3 , d3 , e3 , f3 ,  h3 , i3 , j3 , k3 , l3 , m3 ,  g1 ,
: mirror ( pos -- pos' ) 14 /MOD 2 SWAP - 14 * + ;      \ the position in the other row

\ Displays draw the positions that these links connect to pieces; moves do not use the links.
{directions
	{link} lower a1 b1  {link} lower b1 c1  {link} lower c1 d1  {link} lower d1 e1  {link} lower e1 f1
	{link} lower f1 g1  {link} lower g1 h1  {link} lower h1 i1  {link} lower i1 j1  {link} lower j1 k1
	{link} lower k1 l1  {link} lower l1 m1  {link} lower m1 n1
	{link} upper a3 b3  {link} upper b3 c3  {link} upper c3 d3  {link} upper d3 e3  {link} upper e3 f3
	{link} upper f3 g3  {link} upper g3 h3  {link} upper h3 i3  {link} upper i3 j3  {link} upper j3 k3
	{link} upper k3 l3  {link} upper l3 m3  {link} upper m3 n3
	{link} dice i1 i2   {link} dice i2 j2   {link} dice j2 k2   {link} dice k2 l2
directions}

\ The library's search treats a throw as a choice of a player, so searching beyond the own turn brings no gain.
: Backgammon-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ 2 MIN $depthLimit ! ENDIF
	$NegamaxMove
;

\ The host moves at random for a player whose name begins with a question mark.
{players
	{player} White {search-engine} Backgammon-Engine
	{player} Black {search-engine} Backgammon-Engine
	{player} ?Dice {random}
players}

{turn-order
	{turn} ?Dice {turn} ?Dice {turn} White
	{turn} ?Dice {turn} ?Dice {turn} Black
turn-order}
3 CELLS CONSTANT #turn                  \ the size of a turn in this list
5 CONSTANT #turn-of-Black
: turn# ( -- n ) turn-offset #turn / ;  \ the number of the current turn in the list, from 0
: turn-to-Black ( -- ) current-player [ #turn-of-Black #turn * ] LITERAL $SetTurn $EngineSetTurn ;

: dice? ( player -- ? ) ?Dice = ;
: other ( player -- player' ) White = IF Black ELSE White ENDIF ;

\ --- checkers --------------------------------------------------------------------------------------

: position-of ( point player -- pos ) SWAP CELLS point-positions + @ SWAP Black = IF mirror ENDIF ;
: checkers ( point player -- n )
	DUP ROT OVER position-of                ( player player pos )
	DUP player-at ROT = IF piece-type-at ELSE DROP 0 ENDIF
	SWAP DROP
;
: put-checkers ( n point player -- )    \ in place of those that are there
	DUP ROT ROT position-of                 ( n player pos )
	DUP not-empty-at? IF DUP (remove-piece) ENDIF
	2 PICK IF ROT ROT OR SWAP (add-piece) ELSE 2DROP DROP ENDIF     \ a piece is type OR player
;

\ A move first moves the whole piece, so that displays and clicks see its origin and target.  These words then put the
\ right numbers of checkers.
: put-own ( n point -- ) current-player put-checkers ;
: put-on-bar ( -- ) BAR current-player other checkers 1+ BAR current-player other put-checkers ;

\ --- dice ------------------------------------------------------------------------------------------

\ ?Dice puts one die on i2 and one on j2, and two more on k2 and l2 if they are equal.  The dice are numbered from 0.  A
\ move removes the die that it uses: of equal dice the last.
4 CONSTANT #dice
: die-position ( die -- pos ) i2 + ;
: pips ( die -- pips )                  \ 0 if it has been used
	die-position piece-type-at DUP IF #checkers - ENDIF     \ their types follow those of checkers
;
: remove-die ( die -- ) die-position (remove-piece) ;
: remove-dice ( -- ) #dice 0 DO I pips IF I remove-die ENDIF LOOP ;
: last-die ( -- die ) 0 #dice 0 DO I pips IF DROP I ENDIF LOOP ;
: different-dice? ( -- ? ) 0 pips 1 pips 2DUP * 0= NOT ROT ROT <> AND ;
: put-double ( -- ) i2 piece-at DUP k2 (add-piece) l2 (add-piece) ;

\ The first throw of a game has one die of each player, White's on i2.  They differ, as if it were repeated while they
\ are equal.
: opening? ( -- ? ) turn# 3 < turn-number turn# 1+ = AND ;      \ the turns of these dice, and the next one
: throw-die ( -- )
	current-player dice? verify
	here turn# 3 MOD die-position = verify
	here j2 = current-piece-type i2 piece-type-at = AND     ( double? )
	DUP opening? AND NOT verify
	drop
	IF COMPILE put-double ENDIF
	add-move
;

\ --- rules -----------------------------------------------------------------------------------------

\ The checkers on each point, as the player to move numbers the points.
26 [] mine                              \ from 0, off the board, to the bar
26 [] theirs                            \ from 0, the other player's bar, to those off the board
: read-board ( -- )
	26 0 DO
		I current-player checkers I mine !
		25 I - current-player other checkers I theirs !
	LOOP
;

: blocked? ( point -- ? ) theirs @ 1 > ;
: rearmost ( -- point ) BAR BEGIN DUP mine @ 0= OVER AND WHILE 1- REPEAT ;
: may-bear-off? ( point pips -- ? )
	rearmost 6 > IF 2DROP FALSE ELSE OVER = SWAP rearmost = OR ENDIF
;
: may-land? ( point pips -- ? ) 2DUP > IF - blocked? NOT ELSE may-bear-off? ENDIF ;
: may-leave? ( point -- ? ) DUP mine @ SWAP BAR = BAR mine @ 0= OR AND ;
: may-move? ( point pips -- ? ) OVER may-leave? IF may-land? ELSE 2DROP FALSE ENDIF ;
: usable? ( pips -- ? )
	BAR BEGIN DUP WHILE
		2DUP SWAP may-move? IF 2DROP TRUE EXIT ENDIF
		1-
	REPEAT
	2DROP FALSE
;

\ Two different dice must both be used if that is possible, otherwise the higher one if possible.  Equal dice are used
\ as long as possible, in any order.
VARIABLE both?                          \ both dice can be used
VARIABLE higher?                        \ the higher die can be used

: target-of ( point pips -- point' ) - 0 MAX ;
: shift ( point pips -- ) OVER mine -- target-of mine ++ ;
: shift-back ( point pips -- ) OVER mine ++ target-of mine -- ;
: other-usable? ( point die -- ? )      \ is the other die usable after this one has moved a checker from the point?
	2DUP pips shift
	1 OVER - pips usable?                   ( point die ? )
	ROT ROT pips shift-back
;
: both-from? ( die -- ? )               \ can this die be used, and then the other one?
	BAR BEGIN DUP WHILE
		2DUP SWAP pips may-move?
		IF 2DUP SWAP other-usable? IF 2DROP TRUE EXIT ENDIF ENDIF
		1-
	REPEAT
	2DROP FALSE
;
: read-dice ( -- )
	different-dice? IF
		0 both-from? 1 both-from? OR both? !
		0 pips 1 pips MAX usable? higher? !
	ENDIF
;
: obeys-dice? ( point die -- ? )        \ by the rule above
	different-dice? NOT IF 2DROP TRUE ELSE
	both? @ IF other-usable? ELSE
		SWAP DROP DUP pips 1 ROT - pips > higher? @ NOT OR
	ENDIF ENDIF
;
: legal? ( point die -- ? ) 2DUP pips may-move? IF obeys-dice? ELSE 2DROP FALSE ENDIF ;

: OnGenerateMoves ( -- ) current-player dice? NOT IF read-board read-dice ENDIF ;

\ The host ignores what is cleared here when it compares positions.
: OnForget ( -- ) 0 mine 26 CELLS ERASE 0 theirs 26 CELLS ERASE both? OFF higher? OFF ;

\ --- moves -----------------------------------------------------------------------------------------

42 [] position-points                   \ the point of each position, for White
: fill-points ( -- ) 26 0 DO I I CELLS point-positions + @ position-points ! LOOP ;
fill-points
: point-on ( pos -- point ) current-player Black = IF mirror ENDIF position-points @ ;

\ Like `move`, but without removing the piece on the target, which would count as the capture of an own piece.
: move-onto ( pos pos' -- )
	OVER COMPILE-LITERAL COMPILE (remove-piece)
	SWAP piece-at COMPILE-LITERAL COMPILE-LITERAL COMPILE (add-piece)
;
: compile-move ( pos -- ) from OVER ROT friend-at? IF move-onto ELSE move ENDIF ;
: compile-put ( n point -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE put-own ;

VARIABLE origin
VARIABLE target
: advance ( die -- )
	from point-on origin !
	origin @ verify
	origin @ OVER legal? verify
	origin @ OVER pips target-of target !
	target @ current-player position-of
	DUP enemy-at? SWAP compile-move         ( die hit? )
	origin @ mine @ 1- origin @ compile-put
	target @ mine @ 1+ target @ compile-put
	IF COMPILE put-on-bar ENDIF
	COMPILE-LITERAL COMPILE remove-die
	add-move
;
\ If both dice bear off the same checker, the effect is the same: all others may be borne off by the remaining die, too.
: same-effect? ( -- ? )
	from point-on DUP 0 pips target-of OVER 1 pips target-of = SWAP 1 legal? AND
;
: by-last ( -- ) last-die advance ;
: by-first ( -- ) different-dice? verify same-effect? NOT verify 0 advance ;

$passTurnForced ON

{moves checker-moves
	{move} by-last
	{move} by-first
moves}
{moves die-throws
	{move} throw-die
moves}

\ The n-th type is that of n checkers.
{pieces
	{piece} 1-checker {moves} checker-moves    {piece} 2-checkers {moves} checker-moves
	{piece} 3-checkers {moves} checker-moves   {piece} 4-checkers {moves} checker-moves
	{piece} 5-checkers {moves} checker-moves   {piece} 6-checkers {moves} checker-moves
	{piece} 7-checkers {moves} checker-moves   {piece} 8-checkers {moves} checker-moves
	{piece} 9-checkers {moves} checker-moves   {piece} 10-checkers {moves} checker-moves
	{piece} 11-checkers {moves} checker-moves  {piece} 12-checkers {moves} checker-moves
	{piece} 13-checkers {moves} checker-moves  {piece} 14-checkers {moves} checker-moves
	{piece} 15-checkers {moves} checker-moves
	{piece} die1 {drops} die-throws  {piece} die2 {drops} die-throws  {piece} die3 {drops} die-throws
	{piece} die4 {drops} die-throws  {piece} die5 {drops} die-throws  {piece} die6 {drops} die-throws
pieces}

{board-setup
	{setup} White 2-checkers m3  {setup} White 5-checkers a3  {setup} White 3-checkers e1  {setup} White 5-checkers h1
	{setup} Black 2-checkers m1  {setup} Black 5-checkers a1  {setup} Black 3-checkers e3  {setup} Black 5-checkers h3
board-setup}

\ --- turns -----------------------------------------------------------------------------------------

\ The first throw decides who begins.
: black-begins? ( -- ? ) turn# 2 = opening? AND 0 pips 1 pips < AND ;

\ A player's turn continues while it can use a die.  Until it is defined again, OnNextTurn begins the next turn.
: any-usable? ( -- ? ) FALSE #dice 0 DO I pips DUP IF usable? OR ELSE DROP ENDIF LOOP ;
: after-throw ( -- ) OnNextTurn black-begins? IF turn-to-Black ENDIF ;
: after-move ( -- ) read-board any-usable? NOT IF remove-dice OnNextTurn ENDIF ;
: OnNextTurn ( -- ) current-player dice? IF after-throw ELSE after-move ENDIF ;

\ --- the end ---------------------------------------------------------------------------------------

\ While the dice are to be thrown, results and scores are those of the player that moves after the throw.
: viewer ( -- player )
	turn-offset BEGIN DUP turn-offset-to-player dice? WHILE next-turn-offset REPEAT
	turn-offset-to-player
;
: OnFriends? ( player next -- ? )
	OVER dice? IF 2DROP TRUE ELSE DUP dice? IF DROP viewer = ELSE = ENDIF ENDIF
;

: off-board ( player -- n ) 0 SWAP checkers ;
: all-off? ( player -- ? ) off-board #checkers = ;
: on-bar-or-in-home? ( player -- ? )    \ a checker on the bar or in the other player's home board?
	FALSE 26 19 DO OVER I SWAP checkers OR LOOP SWAP DROP
;
: ^margin ( loser -- )
	DUP off-board IF DROP ^" all checkers are off the board" ELSE
	on-bar-or-in-home? IF ^" a backgammon" ELSE ^" a gammon" ENDIF ENDIF
;
: OnIsGameOver ( -- result )
	viewer other all-off? IF viewer ^margin #LossScore ELSE
	viewer all-off? IF viewer other ^margin #WinScore ELSE
		#UnknownScore
	ENDIF ENDIF
;

\ --- evaluation ------------------------------------------------------------------------------------

\ The lead in pips, points with two or more checkers, which block, and blots: single checkers that can be hit.
: pip-count ( player -- n ) 0 26 1 DO OVER I SWAP checkers I * + LOOP SWAP DROP ;
: made-points ( player -- n )           \ among the first nine
	0 10 1 DO OVER I SWAP checkers 1 > IF 1+ ENDIF LOOP SWAP DROP
;
: attacked? ( point player -- ? )       \ can a checker of the other player reach the point by at most seven pips?
	other SWAP 25 SWAP -                    ( player' point' )
	FALSE SWAP
	DUP 8 + 26 MIN SWAP 1+ DO OVER I SWAP checkers OR LOOP
	SWAP DROP
;
: exposed ( player -- n )               \ what blots have to lose
	0
	25 1 DO
		OVER I SWAP checkers 1 = IF
			OVER I SWAP attacked? IF 25 I - 3 / 2+ + ENDIF
		ENDIF
	LOOP
	SWAP DROP
;
: worth ( player -- n ) DUP made-points 3 * OVER exposed - SWAP pip-count - ;
: OnEvaluate ( -- score ) viewer DUP worth SWAP other worth - ;
