\ zrf-goals.4th: the end of a game from a rule file of Zillions; zrf-moves.4th comes before it.

\ This file owns the judging of goals, the keys of positions for repetitions, and what happens to
\ players who cannot move or drop out.

\ --- the end of a game --------------------------------------------------------------------------
\ Of several goals that hold at once the one with the lowest rank counts.  Kinds of goals: 1 the mover
\ has won, 2 the mover has lost, 3 another player has won, 4 another has lost, 5 a count, 6 a draw.
\ A draw by the third occurrence or without a move has rank 7.

$playerCount @ [] z-chances[] ( i -- addr )  \ For each player: is it a chance player?
: z-fill-chances ( -- )
	$playerCount @ BEGIN DUP WHILE
		1- DUP CELLS $engines @ + @ ['] $RandomMoveEngine = OVER z-chances[] !
	REPEAT DROP ;
z-fill-chances
CREATE z-goal-ranks ( -- addr )  \ The rank of each kind of goal.
	0 , 1 , 2 , 3 , 4 , 5 , 6 ,
: z-goal-rank ( kind -- addr )  \ Where the rank of a kind is.
	CELLS z-goal-ranks + ;

{scratch

VARIABLE z-rank ( -- addr )  \ Best rank found.
VARIABLE z-verdict ( -- addr )  \ Its result for the player to move.
VARIABLE z-goal ( -- addr )  \ Number of the goal that is asked: a cause below, or a goal of the file.
VARIABLE z-reason ( -- addr )  \ Number of the goal with the best rank.

1 CONSTANT #z-repeated ( -- n )
2 CONSTANT #z-no-move ( -- n )
3 CONSTANT #z-last-left ( -- n )
4 CONSTANT #z-none-left ( -- n )
: z-explain-other ( n -- )  \ Write an end that is no goal of the file as the result comment.
	DUP #z-repeated = IF ^" the position has occurred three times" ENDIF
	DUP #z-no-move = IF ^" no legal move" ENDIF
	DUP #z-last-left = IF ^" all other players have dropped out" ENDIF
	#z-none-left = IF ^" all players have dropped out" ENDIF ;

: z-chance? ( player -- ? )  \ Is it a chance player?
	player-index z-chances[] @ ;
: z-turns ( -- n )  \ Number of turns in the turn order.
	$turnLimit @ #TurnOrderCells CELLS / ;
: z-to-move ( -- player )  \ The player to move; for a chance player, the next player that is none.
	z-turns turn-offset BEGIN
		OVER IF DUP turn-offset-to-player z-chance? ELSE FALSE ENDIF
	WHILE next-turn-offset SWAP 1- SWAP REPEAT
	SWAP IF turn-offset-to-player ELSE DROP $forPlayer @ ENDIF ;  \ all players are chance players
: z-no-result ( -- )
	1000 z-rank ! #UnknownScore z-verdict ! ;
: z-judge ( result rank -- )  \ Keep the result if no better one is known.
	DUP z-rank @ < IF z-rank ! z-verdict ! z-goal @ z-reason ! ELSE 2DROP ENDIF ;
: z-last-mover ( -- player )  \ The player who moved last; at the start, the one who is to move.
	z-mover @ DUP 0= IF DROP current-player ENDIF ;
: z-rank-of ( player kind -- rank )  \ The rank of a goal of a player; the kind is that of the mover.
	SWAP z-last-mover <> IF 2+ ENDIF z-goal-rank @ ;
: z-won ( player ? -- )  \ The player has won, if the flag says so.
	IF DUP z-to-move = IF #WinScore ELSE #LossScore ENDIF SWAP 1 z-rank-of z-judge
	ELSE DROP ENDIF ;
: z-lost ( player ? -- )  \ The player has lost, if the flag says so.
	IF DUP z-to-move = IF #LossScore ELSE #WinScore ENDIF SWAP 2 z-rank-of z-judge
	ELSE DROP ENDIF ;
: z-chance-won ( player ? -- )  \ A player who is no contestant has won against several: a draw.
	IF #DrawScore SWAP 1 z-rank-of z-judge ELSE DROP ENDIF ;
: z-drawn ( ? -- )  \ The game is a draw, if the flag says so.
	IF #DrawScore 6 z-goal-rank @ z-judge ENDIF ;
: z-turn-is-over? ( -- ? )  \ Has a turn been completed, or is there no move at the start?
	$partial @ NOT turn-number 1 > stalemate? OR AND ;

DEFER z-in-check? ( player -- ? )  \ Is a royal piece of the player attacked?
: z-no-royals ( player -- ? )
	DROP FALSE ;
' z-no-royals IS z-in-check?
: z-generate ( -- )  \ A list of the moves of the turn; $DeallocateMoves removes it.
	for-player FALSE of-type $GenerateMoves ;
: z-idle? ( -- ? )  \ Has the player to move no move?
	z-generate move-count 0= $DeallocateMoves ;
DEFER z-only-passes? ( -- ? )  \ Does the newest list of moves contain nothing but passes?
: z-forced-pass? ( -- ? )  \ The same if a pass is a move only where there is no other one.
	stalemate? $passed @ OR ;
: z-free-pass? ( -- ? )  \ The same if a pass is always a move.
	move-count DUP 0= SWAP 1 = $passed @ AND OR ;
' z-forced-pass? IS z-only-passes?
: z-turnless? ( player -- ? )  \ Has the player no turn?
	z-turns BEGIN
		DUP IF 2DUP 1- #TurnOrderCells CELLS * turn-offset-to-player <> ELSE FALSE ENDIF
	WHILE 1- REPEAT 0= SWAP DROP ;
\ A chance player without a move is skipped, and neither stalemated nor checkmated.
: z-moves-next? ( -- ? )  \ Is the viewer to move, or others the pieces of a viewer without turns?
	z-viewer @ current-player = DUP NOT IF
		DROP z-viewer @ for-player = DUP IF DROP z-viewer @ z-turnless? ENDIF
	ENDIF
	DUP IF DROP current-player z-chance? NOT ENDIF ;
: z-no-moves? ( -- ? )  \ Is the viewer to move, without a legal move but passes?
	z-moves-next? DUP IF DROP z-only-passes? ENDIF ;
: z-mated? ( -- ? )  \ Has the viewer no legal move, and is a royal piece of his attacked?
	z-no-moves? IF z-viewer @ z-in-check? ELSE FALSE ENDIF ;
: z-stalemated? ( -- ? )  \ Has the viewer no legal move at all, and is no royal piece attacked?
	stalemate? IF z-moves-next? IF z-viewer @ z-in-check? NOT ELSE FALSE ENDIF ELSE FALSE ENDIF ;
: z-out? ( player -- ? )  \ Has the player dropped out?
	player-index z-outs @ TRUE = ;
: z-has-only-passes? ( -- ? )  \ Has the player to move no move but passes, or dropped out?
	current-player z-out? IF TRUE ELSE z-generate z-only-passes? $DeallocateMoves ENDIF ;
: z-all-idle? ( -- ? )  \ Has no player a move but passes, in the turns that follow?
	turn-offset $passed @ z-turns BEGIN ( turn passed n )
		DUP IF turn-offset next-turn-offset $SetTurn z-has-only-passes? ELSE FALSE ENDIF
	WHILE 1- REPEAT
	0= ROT $SetTurn SWAP $passed ! ;
\ A list ends the result comment, so that the cause is written before z-all-idle?.
DEFER z-explain-early ( -- )  \ Write the cause of the end that the goal which is asked may bring.
: z-explains-later ( -- ) ;
' z-explains-later IS z-explain-early
: z-all-stalemated? ( -- ? )  \ The same as z-stalemated?, or can no player do more than pass?
	z-stalemated? DUP NOT IF
		DROP z-no-moves? DUP IF DROP z-explain-early z-all-idle? ENDIF
	ENDIF ;

scratch}

\ The key of each position by turn number; moves that are taken back leave later keys, which are
\ written again before they are read.
4096 [] z-keys[] ( i -- addr )  \ Keys of the last 4096 turns.

{scratch

: z-key-of ( turn -- addr )  \ Where the key of a turn is.
	4095 AND z-keys[] ;
: z-key ( -- n )  \ A hash of pieces, stores and turn.
	z-piece-square $board @ - CELLSIZE / $BoardHash turn-offset XOR ;
: z-note-position ( -- )  \ At the beginning of a turn: store the key.
	\ Searches know what a store with z-keys[] before it changes, but not one with z-key-of.
	$partial @ NOT IF z-key turn-number 4095 AND z-keys[] ! ENDIF ;
: z-note-first ( -- )  \ No turn has begun before the first position.
	turn-number 1 = IF z-note-position ENDIF ;
: z-earlier ( -- times )  \ How often did the position occur earlier?
	turn-number z-key-of @ turn-number ( key turn )
	DUP 4096 < IF 1 z-key-of SWAP 1- 0 MAX $CountCells ELSE
		DROP 0 z-keys[] 4096 $CountCells 1-
	ENDIF ;
: z-repetition? ( -- ? )  \ Does the position occur for the third time?
	z-earlier 1 > ;
: OnForget ( -- )  \ To compare positions, of the keys only that number matters.
	z-earlier 0 z-keys[] 4096 CELLS ERASE 0 z-keys[] ! ;

CREATE z-uncounted ( -- addr )  \ For each type a byte: does it not count as a piece?
	#PieceType 1+ ALLOT z-uncounted #PieceType 1+ ERASE
: z-not-counted ( type -- )  \ Do not count a type where pieces of all types are counted.
	z-uncounted + TRUE SWAP C! ;
: z-counts? ( piece type -- ? )  \ Is it a piece of that type?  Type 0: of any.
	DUP IF SWAP #PieceType AND = ELSE
		DROP DUP #PieceType AND z-uncounted + C@ IF DROP FALSE ENDIF 0<>
	ENDIF ;
: z-tally ( type player 'x -- n )  \ The player's pieces of a type, 0: of any, in an array like z-stores.
	>R SWAP DUP IF OR z-store-of R> EXECUTE @ ELSE
		DROP 0 $pieceCount @ BEGIN DUP WHILE ( player n type )
			DUP z-uncounted + C@ NOT IF 2 PICK OVER OR z-store-of R> DUP >R EXECUTE @ ROT + SWAP ENDIF 1-
		REPEAT DROP SWAP DROP R> DROP
	ENDIF ;
: z-store-count ( type player -- n )  \ Number of pieces in the player's store.
	['] z-stores z-tally ;
: z-own-captures ( type -- n )  \ Number of pieces that the viewer has captured.
	z-viewer @ ['] z-captures z-tally ;
: z-all-stores ( type -- n )  \ Number of pieces in the stores of all players.
	0 $playerCount @ BEGIN DUP WHILE
		1- 2 PICK OVER z-player z-store-count ROT + SWAP
	REPEAT DROP SWAP DROP ;
: z-own-count ( type -- n )  \ Number of the viewer's pieces on the board.
	0 $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ DUP #Player AND z-viewer @ = IF
			3 PICK z-counts? IF SWAP 1+ SWAP ENDIF
		ELSE DROP ENDIF
	REPEAT DROP SWAP DROP ;
: z-total-count ( type -- n )  \ Number of all players' pieces on the board.
	0 $positions @ BEGIN 1- DUP -1 > WHILE
		DUP board[] @ 3 PICK z-counts? IF SWAP 1+ SWAP ENDIF
	REPEAT DROP SWAP DROP ;
: z-own-at? ( pos type -- ? )  \ Is the viewer's piece of that type there?
	z-viewer @ OR SWAP board[] @ #PiecePlayer AND = ;
: z-any-at? ( pos type -- ? )  \ Is a piece of that type there?
	SWAP board[] @ #PieceType AND = ;
: z-opponent-at? ( pos type -- ? )  \ Is another player's piece of that type there?
	SWAP board[] @ SWAP OVER #PieceType AND = SWAP #Player AND z-viewer @ <> AND ;

VARIABLE z-most ( -- addr )  \ Most pieces of a player.
VARIABLE z-counted ( -- addr )  \ The player who has them; 0: several.
VARIABLE z-leader ( -- addr )  \ The winner; 0: none; negative: the loser, all others win.
: z-begin-count ( -- )
	-1 z-most ! ;
: z-compare-count ( player n -- )
	DUP z-most @ > IF z-most ! z-counted ! ELSE
		z-most @ = IF z-counted OFF ENDIF DROP
	ENDIF ;
: z-compare ( player -- )  \ Count the pieces of a player on the board.
	DUP z-viewer ! 0 z-own-count z-compare-count ;
: z-compare-all ( player -- )  \ Count those in the store, too.
	DUP z-viewer ! 0 z-own-count 0 z-viewer @ z-store-count + z-compare-count ;
: z-end-count ( -- )  \ The player with the most pieces has won.
	z-counted @ DUP IF z-to-move = IF #WinScore ELSE #LossScore ENDIF
	ELSE DROP #DrawScore ENDIF 5 z-goal-rank @ z-judge ;

: z-somewhere? ( 'x -- ? )  \ Does a pattern ( -- ? ) fit at some position, from the viewer's view?
	$playerOffset @ >R z-side-offset @ >R
	z-viewer @ player-index CELLS DUP $playerOffset ! z-side-offset !
	$positions @ BEGIN 1- DUP -1 > IF 2DUP to EXECUTE NOT ELSE FALSE ENDIF WHILE REPEAT
	R> z-side-offset ! R> $playerOffset ! SWAP DROP -1 > ;

: z-skip-random ( -- )  \ Skip the turns of chance players without a move.
	z-turns BEGIN
		DUP IF current-player z-chance? IF z-idle? ELSE FALSE ENDIF ELSE FALSE ENDIF
	WHILE 1- OnNextTurn z-note-position REPEAT DROP ;

\ --- three and more players -----------------------------------------------------------------------
\ A player who has lost drops out; the last one left has won.  The result is worked out when a turn
\ ends, because the player to move must be the winner when the host asks.

VARIABLE z-losers ( -- addr )  \ Number of players who drop out now.
2 CONSTANT #z-losing ( -- n )  \ In z-outs: the player loses now, and has not dropped out yet.
: z-lead ( leader rank -- )  \ The best result known, if its rank is the lowest.
	DUP z-rank @ < IF z-rank ! z-leader ! z-goal @ z-reason ! ELSE 2DROP ENDIF ;
: z-crowd-won ( player ? -- )
	IF DUP z-out? NOT IF DUP 1 z-rank-of z-lead ELSE DROP ENDIF ELSE DROP ENDIF ;
: z-crowd-chance-won ( player ? -- )
	IF 0 SWAP 1 z-rank-of z-lead ELSE DROP ENDIF ;
: z-crowd-lost ( player ? -- )
	IF DUP z-out? NOT IF #z-losing OVER player-index z-outs ! ENDIF ENDIF DROP ;
: z-crowd-ended ( player ? -- )  \ The loss ends the game, if losers do not drop out.
	IF DUP NEGATE SWAP 2 z-rank-of z-lead ELSE DROP ENDIF ;
: z-asked? ( player 'goal -- ? )  \ Is the goal true for the player, who has not dropped out?
	OVER z-out? IF 2DROP FALSE ELSE EXECUTE ENDIF ;
: z-crowd-drawn ( ? -- )
	IF 0 6 z-goal-rank @ z-lead ENDIF ;
: z-crowd-count ( -- )  \ The game ends by a count.
	z-counted @ 5 z-goal-rank @ z-lead ;
: z-turn-side ( off -- player )  \ The player whose pieces move in a turn.
	$turnOrder @ + CELLSIZE + @ EXECUTE ;
: z-find-turn ( player -- off )  \ A turn of the player; if there is none, of the player's pieces.
	z-turns 2* BEGIN
		1- DUP z-turns < OVER z-turns MOD #TurnOrderCells CELLS * ( player n pieces? off )
		SWAP IF DUP z-turn-side ELSE DUP turn-offset-to-player ENDIF
		3 PICK <> 2 PICK AND
	WHILE DROP REPEAT
	SWAP DROP SWAP DROP ;
: z-end-game ( -- )  \ The game is over: the winner, if there is one, becomes the player to move.
	z-reason @ z-cause !
	z-leader @ DUP IF DUP z-over ! ABS z-find-turn $SetTurn ELSE DROP TRUE z-over ! ENDIF ;
: z-crowd-result ( -- result )
	z-over @ DUP IF
		DUP TRUE = IF DROP #DrawScore ELSE 0> IF #WinScore ELSE #LossScore ENDIF ENDIF
	ELSE DROP #UnknownScore ENDIF ;
VARIABLE z-skips ( -- addr )  \ Number of turns that may still be skipped.
: z-next-turn ( -- )  \ The next turn of a player who has not dropped out.
	BEGIN turn-offset next-turn-offset $SetTurn current-player z-out? NOT UNTIL ;
: z-begin-crowd ( -- )
	1000 z-rank ! z-losers OFF ;
: z-end-below ( rank -- )  \ End the game if a goal of a lower rank holds.
	z-rank @ > z-over @ 0= AND IF z-end-game ENDIF ;
: z-skip-turn ( -- ? )  \ Skip the turn of a player without a move; it is a draw if no player has one.
	z-over @ IF FALSE ELSE z-idle? ENDIF IF
		z-skips @ 0= IF z-leader OFF #z-no-move z-reason ! z-end-game FALSE ELSE
			z-skips -- z-next-turn z-note-position TRUE
		ENDIF
	ELSE FALSE ENDIF ;
: z-drop-out ( player -- )  \ The player drops out if he loses now.
	player-index z-outs DUP @ #z-losing = IF z-losers ++ TRUE SWAP ! ELSE DROP ENDIF ;
: z-begin-left ( -- )
	z-most OFF ;
: z-last-left ( player -- )  \ If the player has not dropped out, count him, and remember him.
	DUP z-out? IF DROP ELSE z-counted ! z-most ++ ENDIF ;
: z-end-left ( -- )  \ If one player is left, he has won; if none is left, it is a draw.
	z-losers @ 0> z-over @ 0= AND z-most @ 2 < AND
	IF
		z-most @ IF #z-last-left z-counted @ ELSE #z-none-left 0 ENDIF
		z-leader ! z-reason ! z-end-game
	ENDIF ;

scratch}
