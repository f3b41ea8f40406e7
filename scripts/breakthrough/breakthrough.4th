\ Breakthrough: the first pawn on the far row wins.

\ Shows moves and captures by landing, symmetries, a set-up and an evaluation.

{board
	8 8 {grid}                      \ position 0 is a8, at the top left; 63 is h1
board}

{directions
	-1  0 {direction} ahead         \ rows are counted from the top: -1 is up
	-1 -1 {direction} left
	-1  1 {direction} right
	 1  0 {direction} behind
	 1 -1 {direction} behind-left
	 1  1 {direction} behind-right
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

\ Black's directions are the opposite ones, so that the same move words serve both players.
{symmetries
	Black {symmetry} ahead behind
	Black {symmetry} left behind-left
	Black {symmetry} right behind-right
symmetries}

: go ( -- ) from here move add-move ;
: advance ( -- ) ahead verify empty? verify go ;
: slant ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: slant-left ( -- ) ['] left slant ;
: slant-right ( -- ) ['] right slant ;

{moves pawn-moves
	{move} advance
	{move} slant-left
	{move} slant-right
moves}

{pieces
	{piece} pawn {moves} pawn-moves
pieces}

{board-setup
	{setup} White pawn a1 {setup} White pawn b1 {setup} White pawn c1 {setup} White pawn d1
	{setup} White pawn e1 {setup} White pawn f1 {setup} White pawn g1 {setup} White pawn h1
	{setup} White pawn a2 {setup} White pawn b2 {setup} White pawn c2 {setup} White pawn d2
	{setup} White pawn e2 {setup} White pawn f2 {setup} White pawn g2 {setup} White pawn h2
	{setup} Black pawn a7 {setup} Black pawn b7 {setup} Black pawn c7 {setup} Black pawn d7
	{setup} Black pawn e7 {setup} Black pawn f7 {setup} Black pawn g7 {setup} Black pawn h7
	{setup} Black pawn a8 {setup} Black pawn b8 {setup} Black pawn c8 {setup} Black pawn d8
	{setup} Black pawn e8 {setup} Black pawn f8 {setup} Black pawn g8 {setup} Black pawn h8
board-setup}

: reached? ( player pos -- ? )          \ does the player have a pawn in the row that begins at pos?
	FALSE SWAP
	DUP 8 + SWAP DO OVER I player-at = OR LOOP
	SWAP DROP
;

\ A pawn on the far row got there by the last move, so the player to move has lost.  A player without moves has also
\ lost: it has no pawns, because the most advanced pawn can always move.
: OnIsGameOver ( -- result )
	#UnknownScore
	White a8 reached? Black a1 reached? OR IF DROP ^" a pawn on the last row" #LossScore ELSE
	stalemate? IF DROP ^" no legal move" #LossScore ENDIF ENDIF
;

\ Each move word depends only on the board and the turn.  OnIsGameOver and OnEvaluate ask at most whether there are moves,
\ and leave the board as it is.  The host reads these constants; the original ignores them.
TRUE CONSTANT independent-moves
TRUE CONSTANT hooks-keep-moves

\ --- evaluation -------------------------------------------------------------------------------------
\ A search may stop in the middle of an exchange, so the result of each exchange is computed here.

\ A pawn is worth ten, plus the square of the number of rows that it has advanced.
: worth ( rows -- n ) DUP * 10 + ;
: rows-advanced ( pos -- n )            \ rows that the pawn on pos has advanced from its own edge
	DUP 8 / SWAP player-at White = IF 7 SWAP - ENDIF
;

\ The symmetries reverse directions for Black, so `ahead` is towards the enemy of the player to move.
: one-if-friend ( ? -- n ) IF friend? 1 AND ELSE 0 ENDIF ;
: one-if-enemy ( ? -- n ) IF enemy? 1 AND ELSE 0 ENDIF ;
: friends-reaching ( pos -- n ) DUP to behind-left one-if-friend SWAP to behind-right one-if-friend + ;
: enemies-reaching ( pos -- n ) DUP to left one-if-enemy SWAP to right one-if-enemy + ;

\ Two players capture alternately on one square, and each may stop.  `takers` is the number of pawns with which the
\ first player can capture there, `keepers` that of the second player.  The first capture gains `prize`, the next
\ one gains `risk`.  `gain` is the first player's gain with best play.
: exchange ( takers keepers prize risk -- gain )
	3 PICK 0= IF 2DROP 2DROP 0 ELSE
		OVER >R
		SWAP >R >R SWAP 1- R> R>                ( keepers takers-1 risk prize )
		RECURSE R> SWAP - 0 MAX
	ENDIF
;
: exchange-at ( takers keepers pos -- gain ) rows-advanced DUP worth 7 ROT - worth exchange ;

VARIABLE gain                           \ gain of the best capture of the player to move
VARIABLE threat                         \ gain of the enemy's best capture, if it were the enemy's turn
VARIABLE next-threat                    \ gain of the enemy's second-best capture

: note-threat ( n -- )
	DUP threat @ > IF threat @ next-threat ! threat ! ELSE next-threat @ MAX next-threat ! ENDIF
;
: own-pawn ( pos -- n )
	DUP enemies-reaching DUP IF OVER friends-reaching 2 PICK exchange-at note-threat ELSE DROP ENDIF
	rows-advanced worth
;
: enemy-pawn ( pos -- n )
	DUP friends-reaching DUP IF OVER enemies-reaching 2 PICK exchange-at gain @ MAX gain ! ELSE DROP ENDIF
	rows-advanced worth NEGATE
;

\ The player to move either makes its best capture and then loses a pawn by the enemy's best capture, or prevents the
\ enemy's best capture and then loses a pawn by the second best.
: captures-to-come ( -- n ) gain @ threat @ - next-threat @ NEGATE MAX ;

: OnEvaluate ( -- score )
	gain OFF threat OFF next-threat OFF
	0
	64 0 DO
		I not-empty-at?
		IF I friend-at? IF I own-pawn ELSE I enemy-pawn ENDIF + ENDIF
	LOOP
	captures-to-come +
;
