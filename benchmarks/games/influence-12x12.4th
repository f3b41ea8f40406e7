\ Influence: pieces on 144 squares; who stops the other from moving, or captures the tower, wins.

\ Stands for games with an expensive evaluation: it walks the board twice, looks along the lines from each piece, and
\ generates the moves of the enemy to count them.

{board
	12 12 {grid}
	2 {array} towers[]
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
	-2  1 {direction} nne    2  1 {direction} sse
	-2 -1 {direction} nnw    2 -1 {direction} ssw
	-1  2 {direction} ene    1  2 {direction} ese
	-1 -2 {direction} wnw    1 -2 {direction} wsw
	 0  1 {direction} next
directions}

{players
	{player} White
	{player} Black
players}

{turn-order
	{turn} White
	{turn} Black
turn-order}

{symmetries
	Black {symmetry} n s
	Black {symmetry} ne se
	Black {symmetry} nw sw
symmetries}

DEFER TOWER
: lose-tower ( player -- ) player-index towers[] -- ;
: go ( -- )
	from here move
	enemy? piece-type TOWER = AND IF player COMPILE-LITERAL COMPILE lose-tower ENDIF
	add-move
;
: step ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: slide ( 'dir -- )
	BEGIN
		DUP EXECUTE empty? AND
	WHILE
		go
	REPEAT
	here from <> enemy? AND IF go ENDIF
	DROP
;
: step-n ( -- ) ['] n step ;	: step-ne ( -- ) ['] ne step ;	: step-nw ( -- ) ['] nw step ;
: step-e ( -- ) ['] e step ;	: step-w ( -- ) ['] w step ;	: step-s ( -- ) ['] s step ;
: slide-n ( -- ) ['] n slide ;	: slide-ne ( -- ) ['] ne slide ;
: slide-e ( -- ) ['] e slide ;	: slide-se ( -- ) ['] se slide ;
: slide-s ( -- ) ['] s slide ;	: slide-sw ( -- ) ['] sw slide ;
: slide-w ( -- ) ['] w slide ;	: slide-nw ( -- ) ['] nw slide ;
: jump-1 ( -- ) ['] nne step ;	: jump-2 ( -- ) ['] nnw step ;
: jump-3 ( -- ) ['] sse step ;	: jump-4 ( -- ) ['] ssw step ;
: jump-5 ( -- ) ['] ene step ;	: jump-6 ( -- ) ['] ese step ;
: jump-7 ( -- ) ['] wnw step ;	: jump-8 ( -- ) ['] wsw step ;

{moves man-moves {move} step-n {move} step-ne {move} step-nw moves}
{moves tower-moves {move} step-n {move} step-e {move} step-s {move} step-w moves}
{moves rook-moves {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}
{moves bishop-moves {move} slide-ne {move} slide-se {move} slide-sw {move} slide-nw moves}
{moves knight-moves {move} jump-1 {move} jump-2 {move} jump-3 {move} jump-4
	{move} jump-5 {move} jump-6 {move} jump-7 {move} jump-8 moves}

{pieces
	{piece} man    {moves} man-moves      10 {value}
	{piece} tower  {moves} tower-moves    20 {value}
	{piece} rook   {moves} rook-moves     50 {value}
	{piece} bishop {moves} bishop-moves   30 {value}
	{piece} knight {moves} knight-moves   30 {value}
pieces}
' tower IS TOWER

{board-setup
	{setup} White tower f1  {setup} White rook b1  {setup} White rook k1  {setup} White bishop d1 {setup} White bishop i1
	{setup} White knight c1 {setup} White knight j1 {setup} White man b3  {setup} White man d3    {setup} White man f3
	{setup} White man g3    {setup} White man i3   {setup} White man k3
	{setup} Black tower f12 {setup} Black rook b12 {setup} Black rook k12 {setup} Black bishop d12 {setup} Black bishop i12
	{setup} Black knight c12 {setup} Black knight j12 {setup} Black man b10 {setup} Black man d10  {setup} Black man f10
	{setup} Black man g10   {setup} Black man i10  {setup} Black man k10
board-setup}

: OnNewGame ( -- ) 1 0 towers[] ! 1 1 towers[] ! ;

: OnIsGameOver ( -- result )
	#UnknownScore
	current-player player-index towers[] @ 0= stalemate? OR IF DROP #LossScore ENDIF
	turn-number 150 > IF DROP #DrawScore ENDIF
;

VARIABLE sum
: centre ( pos -- n )                   \ the nearer to the middle, the more
	DUP 12 / DUP 5 > IF 11 SWAP - ENDIF
	SWAP 12 MOD DUP 5 > IF 11 SWAP - ENDIF
	+
;
: seen ( pos 'dir -- )                  \ free squares along a line
	SWAP to
	BEGIN
		DUP EXECUTE IF sum ++ empty? NOT ELSE TRUE ENDIF
	UNTIL
	DROP
;
: look-around ( pos -- )
	DUP ['] n seen DUP ['] e seen DUP ['] s seen ['] w seen
;
: enemy-mobility ( -- n ) next-player FALSE 0 $GenerateMoves move-count $DeallocateMoves ;

: OnEvaluate ( -- score )
	0 sum !
	144 0 DO
		I friend-at? IF I piece-at piece-value I centre + sum +! I look-around ENDIF
	LOOP
	sum @
	0 sum !
	144 0 DO
		I enemy-at? IF I piece-at piece-value I centre + sum +! I look-around ENDIF
	LOOP
	sum @ -
	move-count +
	enemy-mobility -
;
