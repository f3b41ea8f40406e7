\ Russian draughts: eight by eight squares, kings fly, and a man that passes the far row captures on as a king.

{board
	8 8 {grid}                      \ play is on the dark squares: a1, c1 ... h8
	{variable} quiet                \ plies since a capture or a move of a man
	{variable} steady               \ plies without a capture or promotion while there is a `limit`
	{variable} on-road              \ positions in a row in which a lone king holds the main road
board}

FALSE CONSTANT majority?                \ any capture may be chosen
TRUE CONSTANT crowns-in-passing?        \ a man that reaches the far row captures on as a king
LOAD flying-moves.4th

\ --- draws by counting -------------------------------------------------------------------------

\ If both players have a king, few pieces must bring about a capture or promotion in time.
CREATE limits 0 , 0 , 10 , 10 , 60 , 60 , 120 , 120 ,   \ in plies, by the number of all pieces
: limit ( -- n )                        \ 0: none
	White kings-of 0> Black kings-of 0> AND IF
		White pieces-of Black pieces-of + DUP 8 < IF CELLS limits + @ ELSE DROP 0 ENDIF
	ELSE 0 ENDIF
;

\ The main road is the long diagonal from a1 to h8.
: on-road? ( player -- ? ) king OR FALSE 57 7 DO OVER I piece-at = OR 7 +LOOP SWAP DROP ;
: holds-road? ( player -- ? )           \ with a lone king, against three pieces
	DUP lone-king? NOT IF DROP FALSE EXIT ENDIF
	DUP on-road? SWAP opponent DUP kings-of 0> SWAP pieces-of 3 = AND AND
;

: tally ( ? addr -- ) SWAP IF ++ ELSE OFF ENDIF ;
: count-plies ( quiet? steady? -- )
	limit 0> AND steady tally quiet tally
	White holds-road? Black holds-road? OR on-road tally
;
' count-plies IS count-move

: drawn-by-count? ( -- ? )
	quiet @ 30 >= IF ^" 15 moves of kings without a capture" TRUE EXIT ENDIF
	limit 0> steady @ limit >= AND IF ^" no capture or promotion" TRUE EXIT ENDIF
	on-road @ 10 > DUP IF ^" five moves against a king on the main road" ENDIF
;
: OnShow ( -- ) ." quiet steady on-road" ;

LOAD flying-ending.4th
LOAD flying-evaluation.4th

{board-setup
	{setup} White man a1 {setup} White man c1 {setup} White man e1 {setup} White man g1
	{setup} White man b2 {setup} White man d2 {setup} White man f2 {setup} White man h2
	{setup} White man a3 {setup} White man c3 {setup} White man e3 {setup} White man g3
	{setup} Black man b6 {setup} Black man d6 {setup} Black man f6 {setup} Black man h6
	{setup} Black man a7 {setup} Black man c7 {setup} Black man e7 {setup} Black man g7
	{setup} Black man b8 {setup} Black man d8 {setup} Black man f8 {setup} Black man h8
board-setup}
