\ A game on 19 by 19: a stone is dropped next to another stone; four stones in a row win.
{board 19 19 {grid} board}
{directions
	-1  0 {direction} up	 1  0 {direction} down
	 0 -1 {direction} left	 0  1 {direction} right
directions}
{players {player} Black {player} White players}
{turn-order {turn} Black {turn} White turn-order}
: beside? ( 'dir -- ? ) from to EXECUTE IF not-empty? ELSE FALSE ENDIF ;
: near? ( -- ? ) ['] up beside? ['] down beside? OR ['] left beside? OR ['] right beside? OR from to ;
: grow ( -- ) empty? verify near? verify drop add-move ;
{moves growing {move} grow moves}
{pieces {piece} stone {drops} growing pieces}
{board-setup
	{setup} Black stone a19 {setup} White stone s1
	{setup} Black stone b19 {setup} White stone r1
	{setup} White stone a18 {setup} Black stone s2
board-setup}

VARIABLE row-owner
: row-length ( 'dir pos -- n )          \ length of the row of one owner's stones that begins at pos
	DUP player-at row-owner ! to
	0 SWAP
	BEGIN not-empty? IF here player-at row-owner @ = ELSE FALSE ENDIF
	WHILE SWAP 1+ SWAP DUP EXECUTE NOT IF DROP EXIT ENDIF
	REPEAT
	DROP
;
: OnIsGameOver ( -- score )
	#UnknownScore
	361 0 DO                            \ 19 times 19 squares
		I not-empty-at?
		IF ['] right I row-length 3 > ['] down I row-length 3 > OR
			IF DROP I friend-at? IF #WinScore ELSE #LossScore ENDIF ENDIF
		ENDIF
	LOOP
;
: OnEvaluate ( -- score )
	0 361 0 DO
		I not-empty-at?
		IF ['] right I row-length DUP * ['] down I row-length DUP * + I 7 MOD +
			I friend-at? NOT IF NEGATE ENDIF +
		ENDIF
	LOOP
;
