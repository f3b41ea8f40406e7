\ Hands: 400 squares and twenty kinds of piece, which captured pieces rejoin from the hand.

\ Stands for large relatives of shogi: every kind has moves and drops, the drop word is the same for all kinds and
\ ends at once if the hand holds no piece of that kind.  Hands are arrays in the board, changed by compiled words.

{board
	20 20 {grid}
	42 {array} hands[]              \ by player and kind: pieces in hand
	2 {array} kings[]
board}

{directions
	-1  0 {direction} n     -1  1 {direction} ne
	 0  1 {direction} e      1  1 {direction} se
	 1  0 {direction} s      1 -1 {direction} sw
	 0 -1 {direction} w     -1 -1 {direction} nw
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
	White {symmetry} n s
	White {symmetry} ne se
	White {symmetry} nw sw
symmetries}

DEFER KING

: hand ( kind -- addr ) current-player player-index 21 * + hands[] ;
: gain-piece ( kind -- ) hand ++ ;
: spend-piece ( kind -- ) hand -- ;
: lose-king ( player -- ) player-index kings[] -- ;

: take-here ( -- )                      \ the captured piece changes sides
	enemy? IF
		piece-type KING = IF
			player COMPILE-LITERAL COMPILE lose-king
		ELSE
			piece-type COMPILE-LITERAL COMPILE gain-piece
		ENDIF
	ENDIF
;
: go ( -- ) from here move take-here add-move ;

: step ( 'dir -- ) EXECUTE verify friend? NOT verify go ;
: step-n ( -- ) ['] n step ;	: step-ne ( -- ) ['] ne step ;
: step-e ( -- ) ['] e step ;	: step-se ( -- ) ['] se step ;
: step-s ( -- ) ['] s step ;	: step-sw ( -- ) ['] sw step ;
: step-w ( -- ) ['] w step ;	: step-nw ( -- ) ['] nw step ;

: slide ( 'dir -- )
	BEGIN
		DUP EXECUTE IF
			friend? NOT IF go ENDIF
			empty? NOT
		ELSE
			TRUE
		ENDIF
	UNTIL
	DROP
;
: slide-n ( -- ) ['] n slide ;	: slide-ne ( -- ) ['] ne slide ;
: slide-e ( -- ) ['] e slide ;	: slide-se ( -- ) ['] se slide ;
: slide-s ( -- ) ['] s slide ;	: slide-sw ( -- ) ['] sw slide ;
: slide-w ( -- ) ['] w slide ;	: slide-nw ( -- ) ['] nw slide ;

: from-hand ( -- )
	current-piece-type hand @ 0> verify
	empty? verify
	drop
	current-piece-type COMPILE-LITERAL COMPILE spend-piece
	add-move
;
{moves hand-drops {move} from-hand moves}

{moves m-a {move} step-n moves}
{moves m-b {move} step-n {move} step-s moves}
{moves m-c {move} step-ne {move} step-nw {move} step-s moves}
{moves m-d {move} step-n {move} step-ne {move} step-nw moves}
{moves m-e {move} step-n {move} step-e {move} step-s {move} step-w moves}
{moves m-f {move} step-ne {move} step-se {move} step-sw {move} step-nw moves}
{moves m-g {move} step-n {move} step-ne {move} step-nw {move} step-e {move} step-w {move} step-s moves}
{moves m-h {move} step-n {move} step-ne {move} step-nw {move} step-se {move} step-sw moves}
{moves m-k {move} step-n {move} step-ne {move} step-e {move} step-se
	{move} step-s {move} step-sw {move} step-w {move} step-nw moves}
{moves m-l {move} slide-n moves}
{moves m-m {move} slide-n {move} slide-s moves}
{moves m-o {move} slide-e {move} slide-w {move} step-n moves}
{moves m-p {move} slide-n {move} slide-e {move} slide-s {move} slide-w moves}
{moves m-q {move} slide-ne {move} slide-se {move} slide-sw {move} slide-nw moves}
{moves m-r {move} slide-n {move} step-e {move} step-w moves}

{pieces
	{piece} king    {moves} m-k {drops} hand-drops 100 {value}
	{piece} pawn    {moves} m-a {drops} hand-drops   1 {value}
	{piece} spear   {moves} m-b {drops} hand-drops   2 {value}
	{piece} stone   {moves} m-c {drops} hand-drops   2 {value}
	{piece} crab    {moves} m-d {drops} hand-drops   2 {value}
	{piece} ox      {moves} m-e {drops} hand-drops   3 {value}
	{piece} cat     {moves} m-f {drops} hand-drops   3 {value}
	{piece} gold    {moves} m-g {drops} hand-drops   4 {value}
	{piece} silver  {moves} m-h {drops} hand-drops   4 {value}
	{piece} prince  {moves} m-k {drops} hand-drops   5 {value}
	{piece} lance   {moves} m-l {drops} hand-drops   4 {value}
	{piece} chariot {moves} m-m {drops} hand-drops   5 {value}
	{piece} mover   {moves} m-o {drops} hand-drops   5 {value}
	{piece} rook    {moves} m-p {drops} hand-drops   9 {value}
	{piece} bishop  {moves} m-q {drops} hand-drops   8 {value}
	{piece} boar    {moves} m-r {drops} hand-drops   5 {value}
	{piece} heron   {moves} m-d {drops} hand-drops   2 {value}
	{piece} mouse   {moves} m-c {drops} hand-drops   2 {value}
	{piece} bear    {moves} m-g {drops} hand-drops   4 {value}
	{piece} owl     {moves} m-f {drops} hand-drops   3 {value}
pieces}
' king IS KING

{board-setup
	{setup} Black king   j1  {setup} Black rook   d2  {setup} Black bishop q2 {setup} Black gold   i1
	{setup} Black silver k1  {setup} Black lance  a1  {setup} Black lance  t1 {setup} Black mover  j3
	{setup} Black pawn   c5  {setup} Black pawn   g5  {setup} Black pawn   n5 {setup} Black pawn   r5
	{setup} Black ox     e4  {setup} Black cat    m4  {setup} Black boar   h3 {setup} Black owl    l3
	{setup} White king   k20 {setup} White rook   q19 {setup} White bishop d19 {setup} White gold  l20
	{setup} White silver j20 {setup} White lance  t20 {setup} White lance  a20 {setup} White mover k18
	{setup} White pawn   r16 {setup} White pawn   n16 {setup} White pawn   g16 {setup} White pawn  c16
	{setup} White ox     p17 {setup} White cat    h17 {setup} White boar   m18 {setup} White owl   i18
board-setup}

: OnNewGame ( -- )
	1 0 kings[] !  1 1 kings[] !
	2 2 hands[] !  2 23 hands[] !   \ two pawns in each hand
	1 8 hands[] !  1 29 hands[] !   \ and a gold general
;
: OnIsGameOver ( -- result )
	#UnknownScore
	current-player player-index kings[] @ 0= stalemate? OR IF DROP #LossScore ENDIF
	turn-number 120 > IF DROP #DrawScore ENDIF
;
: OnEvaluate ( -- score ) current-player material-balance ;
