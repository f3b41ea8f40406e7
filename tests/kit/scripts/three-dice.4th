\ Three racers and a die with one or two pips.  A runner captures an enemy runner below its target.
{board 7 6 {grid} board}
{directions
	 0  1 {direction} ahead	 1  0 {direction} below
directions}
{players {player} Ann {player} Bob {player} Cid {player} ?Dice {random} players}
{turn-order {turn} ?Dice {turn} Ann {turn} ?Dice {turn} Bob {turn} ?Dice {turn} Cid turn-order}

\ The die is a piece of ?Dice in a1; its type is what it shows.
DEFER ONE	DEFER TWO                   \ the piece types `one` and `two`; they are defined below
: pips ( -- n ) a1 piece-type-at TWO = IF 2 ELSE 1 ENDIF ;
: show-one ( -- ) ONE change-type add-move ;
: show-two ( -- ) TWO change-type add-move ;
VARIABLE exact                          \ on: a throw beyond the last column is not a legal move
: capture-below ( -- ) below IF enemy? IF here capture-at ENDIF ENDIF ;
: run ( -- )
	pips 0 DO ahead exact @ IF verify ELSE DROP ENDIF LOOP
	empty? verify
	from here move capture-below add-move
;
{moves throws {move} show-one {move} show-two moves}
{moves runs {move} run moves}
{pieces
	{piece} one {moves} throws
	{piece} two {moves} throws
	{piece} runner {moves} runs
pieces}
' one IS ONE	' two IS TWO
{board-setup
	{setup} ?Dice one a1
	{setup} Ann runner a7 {setup} Ann runner c4
	{setup} Bob runner b6 {setup} Bob runner a3
	{setup} Cid runner a5 {setup} Cid runner b2
board-setup}

\ The player for whom a position is evaluated; if the die is to move, it is the next player.
: viewer ( -- player ) current-player ?Dice = IF next-player ELSE current-player ENDIF ;
\ Runners are on the squares 0 to 35; the next square, a1, contains the die.
: column ( pos -- n ) 6 MOD ;
: home? ( pos -- ? ) DUP 36 < SWAP column 5 = AND ;
: OnIsGameOver ( -- score )             \ a runner in the last column wins for its owner
	#UnknownScore
	36 0 DO I home? I not-empty-at? AND IF
		DROP I player-at viewer = IF #WinScore ELSE #LossScore ENDIF
	ENDIF LOOP
;
: runner-value ( pos -- n ) column DUP * 5 + ;
: OnEvaluate ( -- score )
	0 36 0 DO
		I not-empty-at? IF I runner-value I player-at current-player = IF 3 * ELSE NEGATE ENDIF + ENDIF
	LOOP
;
