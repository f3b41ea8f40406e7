\ English draughts: diagonal moves, compulsory captures by jumps in a chain.

\ Shows move priorities (captures are compulsory), chains of partial moves in which one piece jumps repeatedly,
\ promotion, board variables, and a draw by counting.

{board
	8 8 {grid}                      \ play is on the dark squares: a1, c1 ... h8
	{variable} jumper               \ within a chain of jumps: the square of the jumping piece plus one; otherwise 0
	{variable} quiet                \ turns since a move of a man or a capture
board}

{directions
	-1 -1 {direction} ahead-left
	-1  1 {direction} ahead-right
	 1 -1 {direction} back-left
	 1  1 {direction} back-right
directions}

{players
	{player} Black
	{player} White
players}

{turn-order
	{turn} Black
	{turn} White
turn-order}

{symmetries
	White {symmetry} ahead-left back-left
	White {symmetry} ahead-right back-right
symmetries}

\ The names of pieces and move types are defined below, in their sections, but the words here use them:
\ DEFER creates a word now, IS assigns its meaning later.
DEFER MAN
DEFER KING
DEFER JUMPING

80 CONSTANT #quiet-limit                \ forty turns of each player

\ --- actions of a move besides moving pieces --------------------------------------------------

\ Board variables are part of the position and are undone with it.  A move changes them through
\ COMPILE: the call is compiled into the move and runs when the move is made.
: set-jumper ( n -- ) jumper ! ;
: set-quiet ( n -- ) quiet ! ;

: compile-set-jumper ( n -- ) COMPILE-LITERAL COMPILE set-jumper ;
: compile-set-quiet ( n -- ) COMPILE-LITERAL COMPILE set-quiet ;

\ --- moves --------------------------------------------------------------------------------------

: far-row? ( -- ? )                     \ a8 is 0, so the upper edge is 0 ... 7, the lower 56 ... 63
	current-player Black = IF here 8 < ELSE here 55 > ENDIF
;
: promotes? ( -- ? ) current-piece-type MAN = far-row? AND ;
: promote-man ( -- ) promotes? IF KING change-type ENDIF ;

: step ( 'dir -- )
	EXECUTE verify empty? verify
	from here move
	promote-man
	current-piece-type MAN = IF 0 ELSE quiet @ 1+ ENDIF compile-set-quiet
	add-move
;

VARIABLE captured-square                \ the square that is being jumped over
VARIABLE landing                        \ the square where the jump ends

\ Can the piece jump again from its landing square?  The board still shows the position before the jump.
\ Therefore the captured piece and the jumping piece on its old square must be ignored.
: other-enemy? ( -- ? ) enemy? here captured-square @ <> AND ;
: free-after-jump? ( -- ? ) empty? here from = OR ;
: can-jump? ( 'dir -- ? )
	landing @ to
	DUP EXECUTE other-enemy? AND        ( at the edge `here` stays on the landing square, which is empty )
	IF EXECUTE free-after-jump? AND ELSE DROP FALSE ENDIF
;
: can-jump-ahead? ( -- ? ) ['] ahead-left can-jump? ['] ahead-right can-jump? OR ;
: can-jump-back? ( -- ? ) ['] back-left can-jump? ['] back-right can-jump? OR ;
: can-jump-again? ( -- ? )
	can-jump-ahead? current-piece-type KING = IF can-jump-back? OR ENDIF
	landing @ to
;

\ Within a chain the engine lets any piece continue; the script requires the same piece.
: may-jump? ( -- ? ) jumper @ 0= jumper @ from 1+ = OR ;

\ A man that reaches the far row becomes a king, and its turn ends.
: continue-or-end ( -- )
	promotes? IF FALSE ELSE can-jump-again? ENDIF
	IF JUMPING partial-move-type landing @ 1+ ELSE 0 ENDIF
	compile-set-jumper
;

: jump ( 'dir -- )
	DUP EXECUTE verify enemy? verify here captured-square !
	EXECUTE verify empty? verify here landing !
	may-jump? verify
	from here move
	captured-square @ capture-at
	promote-man
	continue-or-end
	0 compile-set-quiet
	add-move
;

: step-al ( -- ) ['] ahead-left step ;
: step-ar ( -- ) ['] ahead-right step ;
: step-bl ( -- ) ['] back-left step ;
: step-br ( -- ) ['] back-right step ;
: jump-al ( -- ) ['] ahead-left jump ;
: jump-ar ( -- ) ['] ahead-right jump ;
: jump-bl ( -- ) ['] back-left jump ;
: jump-br ( -- ) ['] back-right jump ;

{moves man-moves
	{move} jump-al {move-type} jumping
	{move} jump-ar {move-type} jumping
	{move} step-al {move-type} stepping
	{move} step-ar {move-type} stepping
moves}

{moves king-moves
	{move} jump-al {move-type} jumping
	{move} jump-ar {move-type} jumping
	{move} jump-bl {move-type} jumping
	{move} jump-br {move-type} jumping
	{move} step-al {move-type} stepping
	{move} step-ar {move-type} stepping
	{move} step-bl {move-type} stepping
	{move} step-br {move-type} stepping
moves}
' jumping IS JUMPING

{move-priorities
	{move-priority} jumping
	{move-priority} stepping
move-priorities}

{pieces
	{piece} man  {moves} man-moves  100 {value}
	{piece} king {moves} king-moves 150 {value}
pieces}
' man IS MAN
' king IS KING

{board-setup
	{setup} Black man a1 {setup} Black man c1 {setup} Black man e1 {setup} Black man g1
	{setup} Black man b2 {setup} Black man d2 {setup} Black man f2 {setup} Black man h2
	{setup} Black man a3 {setup} Black man c3 {setup} Black man e3 {setup} Black man g3
	{setup} White man b6 {setup} White man d6 {setup} White man f6 {setup} White man h6
	{setup} White man a7 {setup} White man c7 {setup} White man e7 {setup} White man g7
	{setup} White man b8 {setup} White man d8 {setup} White man f8 {setup} White man h8
board-setup}

: OnIsGameOver ( -- result )
	#UnknownScore
	stalemate? IF DROP ^" no legal move" #LossScore ELSE
	quiet @ #quiet-limit >= IF DROP ^" no progress" #DrawScore ENDIF ENDIF
;

\ Besides material: a man is worth more for each row that it has advanced, and on its player's first row, where
\ it prevents promotions.
: rows-advanced ( pos -- n ) DUP 8 / SWAP player-at Black = IF 7 SWAP - ENDIF ;
: man-worth ( pos -- n ) rows-advanced DUP 0= IF DROP 6 ENDIF ;

: position-worth ( -- n )
	0
	64 0 DO
		I piece-type-at MAN =
		IF I man-worth I friend-at? NOT IF NEGATE ENDIF + ENDIF
	LOOP
;

: OnEvaluate ( -- score ) current-player material-balance position-worth + ;

\ A search does not stop if captures are compulsory: it continues until the exchange is over.
\ Captures are compulsory if the first move in the list is a jump, because then all moves are jumps.
: OnIsTerminal? ( -- ? )
	stalemate? IF TRUE ELSE $FirstMove .moveType @ JUMPING <> ENDIF
;
