\ Ann has two turns in a row, Bob has one, Cid has two.  A captured player has lost; the other two have won.
{board 3 5 {grid} board}
{directions 0 -1 {direction} left 0 1 {direction} right 1 0 {direction} down -1 0 {direction} up directions}
{players {player} Ann {player} Bob {player} Cid players}
{turn-order {turn} Ann {turn} Ann {turn} Bob {turn} Cid {turn} Cid turn-order}
: walk ( 'dir -- ) EXECUTE verify friend? NOT verify from here move add-move ;
: go-left ['] left walk ;	: go-right ['] right walk ;	: go-down ['] down walk ;	: go-up ['] up walk ;
{moves walks {move} go-left {move} go-right {move} go-down {move} go-up moves}
{pieces {piece} walker {moves} walks pieces}
{board-setup {setup} Ann walker a1 {setup} Bob walker c2 {setup} Cid walker e3 board-setup}
: on-board? ( player -- ? ) 0 15 0 DO I player-at 2 PICK = IF DROP TRUE ENDIF LOOP SWAP DROP ;
: OnIsGameOver ( -- score )             \ for the player to move
	#UnknownScore
	current-player on-board? NOT IF DROP #LossScore ELSE
		Ann on-board? Bob on-board? AND Cid on-board? AND NOT IF DROP #WinScore ENDIF
	ENDIF
;
: square-value ( pos -- n ) DUP 5 MOD DUP * 5 * SWAP 5 / 3 * + ;
: OnEvaluate ( -- score )
	0 15 0 DO I not-empty-at? IF I square-value I player-at current-player = IF 2 * ELSE NEGATE ENDIF + ENDIF LOOP
;
