\ International draughts: ten by ten squares, kings fly, and the capture of the most pieces is compulsory.

\ The parts, in the order in which they are loaded and can be read:
\   this file              board, draws, set-up
\   flying-moves.4th       moves and captures
\   flying-ending.4th      the end of the game
\   flying-evaluation.4th  the worth of positions
{board
	10 10 {grid}                    \ play is on the dark squares: a1, c1 ... j10
	{variable} quiet                \ plies since a capture or a move of a man
	{variable} ending               \ plies since an ending against a lone king began
	{variable} limit                \ number of plies after which it is drawn; 0: no such ending
board}

TRUE CONSTANT majority?                 \ the capture of the most pieces is compulsory
FALSE CONSTANT crowns-in-passing?       \ a man is promoted only where its move ends
LOAD flying-moves.4th

\ --- draws by counting -------------------------------------------------------------------------

\ Against a lone king, a king and at most one piece more have five moves to win, a king and two pieces more have sixteen.
CREATE limits 0 , 10 , 10 , 32 ,        \ in plies, by the number of pieces
: limit-against ( player -- n )         \ 0: none
	DUP lone-king? NOT IF DROP 0 EXIT ENDIF
	opponent DUP kings-of 0= IF DROP 0 EXIT ENDIF
	pieces-of DUP 4 < IF CELLS limits + @ ELSE DROP 0 ENDIF
;
: present-limit ( -- n ) White limit-against Black limit-against MAX ;
: count-plies ( quiet? steady? -- )
	DROP IF quiet ++ ELSE quiet OFF ENDIF
	present-limit DUP 0> OVER limit @ = AND IF DROP ending ++ ELSE limit ! ending OFF ENDIF
;
' count-plies IS count-move

: drawn-by-count? ( -- ? )
	quiet @ 50 >= IF ^" 25 moves of kings without a capture" TRUE EXIT ENDIF
	limit @ 0> ending @ limit @ >= AND DUP IF ^" too few pieces to win" ENDIF
;
: OnShow ( -- ) ." quiet ending limit" ;

LOAD flying-ending.4th
LOAD flying-evaluation.4th

{board-setup
	{setup} White man a1 {setup} White man c1 {setup} White man e1 {setup} White man g1 {setup} White man i1
	{setup} White man b2 {setup} White man d2 {setup} White man f2 {setup} White man h2 {setup} White man j2
	{setup} White man a3 {setup} White man c3 {setup} White man e3 {setup} White man g3 {setup} White man i3
	{setup} White man b4 {setup} White man d4 {setup} White man f4 {setup} White man h4 {setup} White man j4
	{setup} Black man a7 {setup} Black man c7 {setup} Black man e7 {setup} Black man g7 {setup} Black man i7
	{setup} Black man b8 {setup} Black man d8 {setup} Black man f8 {setup} Black man h8 {setup} Black man j8
	{setup} Black man a9 {setup} Black man c9 {setup} Black man e9 {setup} Black man g9 {setup} Black man i9
	{setup} Black man b10 {setup} Black man d10 {setup} Black man f10 {setup} Black man h10 {setup} Black man j10
board-setup}
