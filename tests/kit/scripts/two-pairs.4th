\ Two teams of two racers.  A racer on the last column wins for its team; a captured racer is out of the game.
{board 4 5 {grid} board}
{directions 0 1 {direction} ahead -1 0 {direction} up 1 0 {direction} down directions}
{players {player} Ann {player} Bob {player} Cid {player} Dan players}
{turn-order {turn} Ann {turn} Bob {turn} Cid {turn} Dan turn-order}
: in-first-team? ( player -- ? ) DUP Ann = SWAP Cid = OR ;
: OnFriends? ( player player -- ? ) in-first-team? SWAP in-first-team? = ;
: enemy-here? ( -- ? ) empty? IF FALSE ELSE player in-first-team? current-player in-first-team? = NOT ENDIF ;
: run ( 'dir -- ) EXECUTE verify empty? enemy-here? OR verify from here move add-move ;
: run-ahead ( -- ) ['] ahead run ;	: run-up ( -- ) ['] up run ;	: run-down ( -- ) ['] down run ;
{moves runs {move} run-ahead {move} run-up {move} run-down moves}
{pieces {piece} racer {moves} runs pieces}
{board-setup
	{setup} Ann racer b4 {setup} Bob racer b3 {setup} Cid racer c2 {setup} Dan racer a1
board-setup}
: column ( pos -- n ) 5 MOD ;
: OnIsGameOver ( -- score )
	#UnknownScore
	20 0 DO I not-empty-at? IF I column 4 = IF
		DROP I player-at in-first-team? current-player in-first-team? = IF #WinScore ELSE #LossScore ENDIF
	ENDIF ENDIF LOOP
;
: OnEvaluate ( -- score )
	0 20 0 DO I not-empty-at? IF
		I column DUP * I player-at current-player = IF 3 * ENDIF
		I player-at in-first-team? current-player in-first-team? = NOT IF NEGATE ENDIF +
	ENDIF LOOP
;
