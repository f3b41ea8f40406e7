\ Yonin Shogi: shogi for four; check shifts the turn, and the mating player takes over the army.

\ Game by Ota Mitsuyasu (1963): nine pieces each.  See README.md for rules and interpretations.
\ Shogi counts files 9 to 1 from left to right and ranks a to i from top to bottom.  Here a square is a
\ letter and a digit: columns a to i are files 9 to 1, rows 9 to 1 are ranks a to i.  So 5i is e1, 1e is i5.
\ The parts, in the order in which they are loaded and should be read:
\   this file   settings, board, players, pieces, set-up
\   men.4th     properties of pieces: directions, zones, promotion; hands
\   check.4th   attacks on a square, squares of kings
\   moves.4th   legal moves and drops
\   turns.4th   the player to move: check, mate, taking over armies, winning
\   search.4th  repetition, the end of a game, the search with four players
\   worth.4th   evaluation and remarks

\ === 1 Settings ====================================================================================

\ A word for each value of each option, the default first.  The settings are read when a game starts or runs.
VARIABLE kings-fall
: rules=mate ( -- ) kings-fall OFF ;            \ a player in check must end it, mate eliminates (default)
: rules=capture ( -- ) kings-fall ON ;          \ kings are captured and dropped like other pieces

VARIABLE strict-order
: check-shift=on ( -- ) strict-order OFF ;      \ a player in check moves next (default)
: check-shift=off ( -- ) strict-order ON ;      \ strict order: a player in check replies in its next turn

0 CONSTANT #taken
1 CONSTANT #inert
2 CONSTANT #removed
VARIABLE army-fate
: mated-army=taken ( -- ) #taken army-fate ! ;  \ a mated army goes to the mating player (default)
: mated-army=inert ( -- ) #inert army-fate ! ;  \ its pieces stay as obstacles that can be captured
: mated-army=removed ( -- ) #removed army-fate ! ;  \ its pieces, including the king, leave the board

VARIABLE last-wins
: win=two ( -- ) last-wins OFF ;                \ mate two players, or one that has mated another (default)
: win=last ( -- ) last-wins ON ;                \ be the last player in the game

VARIABLE stalemate-kills
: stalemate=pass ( -- ) stalemate-kills OFF ;   \ without a move and not in check: skipped (default)
: stalemate=mated ( -- ) stalemate-kills ON ;   \ without a move: eliminated like a mated player

VARIABLE in-pairs
: partners=off ( -- ) in-pairs OFF ;            \ four single players (default)
: partners=on ( -- ) in-pairs ON ;              \ South and North against West and East

VARIABLE pawn-may-mate
: pawn-mate=forbidden ( -- ) pawn-may-mate OFF ;  \ a pawn drop may not mate (default)
: pawn-mate=allowed ( -- ) pawn-may-mate ON ;     \ a pawn drop may mate

VARIABLE lots
: first=south ( -- ) lots OFF ;                 \ South moves first (default)
: first=draw ( -- ) lots ON ;                   \ a random player chooses the first player

\ === 2 Board =======================================================================================

\ A hand is a row of positions beside the board, one for each kind of piece: a piece x2 of South on South-pawn
\ means that South has two pawns in hand.  So hands are copied, hashed and undone with the board.  Move
\ generation visits these positions, so a piece there has moves like any other: its drops.
{board
	9 9 {grid}
	{position} South-pawn {position} South-silver {position} South-gold
	{position} South-rook {position} South-king
	{position} West-pawn {position} West-silver {position} West-gold
	{position} West-rook {position} West-king
	{position} North-pawn {position} North-silver {position} North-gold
	{position} North-rook {position} North-king
	{position} East-pawn {position} East-silver {position} East-gold
	{position} East-rook {position} East-king
	{position} urn                  \ the drawn first player, with first=draw
	{dummy-positions}               \ move generation does not visit the positions below
	{position} South-out {position} West-out {position} North-out {position} East-out
	{position} mind                 \ in a search: the player for which it searches
board}

81 CONSTANT #squares
5 CONSTANT #kinds                       \ kinds of pieces in hand: pawn, silver, gold, rook, king

\ Clockwise, so that a turn to the right adds two.
{directions
	-1  0 {direction} n
	-1  1 {direction} ne
	 0  1 {direction} e
	 1  1 {direction} se
	 1  0 {direction} s
	 1 -1 {direction} sw
	 0 -1 {direction} w
	-1 -1 {direction} nw
directions}

\ === 3 Players =====================================================================================

\ The built-in search, two plies deep; deeper with a time limit.
: Yonin-Engine ( -- )
	$searchTime @ 0= IF $depthLimit @ DUP 0= SWAP 2 > OR IF 2 $depthLimit ! ENDIF ENDIF
	$NegamaxMove
;

{players
	{player} South {search-engine} Yonin-Engine
	{player} West  {search-engine} Yonin-Engine
	{player} North {search-engine} Yonin-Engine
	{player} East  {search-engine} Yonin-Engine
	{player} ?Lot  {random}
	{neutral} Nobody                \ owns the pieces of eliminated players that no player takes over
players}

\ Each player has a slot in the order of the players; turns.4th chooses among them.
{turn-order
	{turn} South
	{turn} West
	{turn} North
	{turn} East
	{turn} ?Lot
turn-order}

\ === 4 Pieces ======================================================================================

\ moves.4th defines their move words; DEFER provides the names until then.
DEFER steps
DEFER slides
DEFER diagonals
DEFER drops
DEFER lot-draws

{moves stepper {move} steps moves}
{moves slider  {move} slides moves}
{moves dragons {move} slides {move} diagonals moves}
{moves in-hand {move} drops moves}
{moves lotter  {move} lot-draws moves}

\ A piece faces its owner's direction: forward is north for South, east for West, south for North, west for East.
\ A piece taken over with a mated army keeps its facing and has a name with a prefix: a w-pawn moves like
\ West's pawns, for any owner.  Kings and dragons move alike in all directions and need no second name.
\ Words below depend on this order: six names, then the same six for each facing, in the order of the
\ players.  Values are tenths of a pawn.
{pieces
	{piece} king     {moves} stepper 100 {value}
	{piece} fallen                     0 {value}    \ the king of a mated player, turned over
	{piece} dragon   {moves} dragons 120 {value}
	{piece} pawn     {moves} stepper  10 {value}
	{piece} silver   {moves} stepper  50 {value}
	{piece} gold     {moves} stepper  60 {value}
	{piece} rook     {moves} slider   90 {value}
	{piece} tokin    {moves} stepper  60 {value}
	{piece} +silver  {moves} stepper  60 {value}
	{piece} s-pawn   {moves} stepper  10 {value}
	{piece} s-silver {moves} stepper  50 {value}
	{piece} s-gold   {moves} stepper  60 {value}
	{piece} s-rook   {moves} slider   90 {value}
	{piece} s-tokin  {moves} stepper  60 {value}
	{piece} s-+silver {moves} stepper 60 {value}
	{piece} w-pawn   {moves} stepper  10 {value}
	{piece} w-silver {moves} stepper  50 {value}
	{piece} w-gold   {moves} stepper  60 {value}
	{piece} w-rook   {moves} slider   90 {value}
	{piece} w-tokin  {moves} stepper  60 {value}
	{piece} w-+silver {moves} stepper 60 {value}
	{piece} n-pawn   {moves} stepper  10 {value}
	{piece} n-silver {moves} stepper  50 {value}
	{piece} n-gold   {moves} stepper  60 {value}
	{piece} n-rook   {moves} slider   90 {value}
	{piece} n-tokin  {moves} stepper  60 {value}
	{piece} n-+silver {moves} stepper 60 {value}
	{piece} e-pawn   {moves} stepper  10 {value}
	{piece} e-silver {moves} stepper  50 {value}
	{piece} e-gold   {moves} stepper  60 {value}
	{piece} e-rook   {moves} slider   90 {value}
	{piece} e-tokin  {moves} stepper  60 {value}
	{piece} e-+silver {moves} stepper 60 {value}
	{piece} x1  {moves} in-hand 0 {value}           \ number of pieces in hand
	{piece} x2  {moves} in-hand 0 {value}
	{piece} x3  {moves} in-hand 0 {value}
	{piece} x4  {moves} in-hand 0 {value}
	{piece} x5  {moves} in-hand 0 {value}
	{piece} x6  {moves} in-hand 0 {value}
	{piece} x7  {moves} in-hand 0 {value}
	{piece} x8  {moves} in-hand 0 {value}
	{piece} x9  {moves} in-hand 0 {value}
	{piece} x10 {moves} in-hand 0 {value}
	{piece} x11 {moves} in-hand 0 {value}
	{piece} x12 {moves} in-hand 0 {value}
	{piece} lot {moves} lotter 0 {value}
	{piece} victor 0 {value}                        \ on South-out: its owner has eliminated South
pieces}

\ === 5 Set-up ======================================================================================

{board-setup
	{setup} South king e1
	{setup} South gold d1   {setup} South gold f1
	{setup} South silver c1 {setup} South silver g1
	{setup} South rook e2
	{setup} South pawn d2   {setup} South pawn e3   {setup} South pawn f2
	{setup} West king a5
	{setup} West gold a6    {setup} West gold a4
	{setup} West silver a7  {setup} West silver a3
	{setup} West rook b5
	{setup} West pawn b6    {setup} West pawn c5    {setup} West pawn b4
	{setup} North king e9
	{setup} North gold d9   {setup} North gold f9
	{setup} North silver c9 {setup} North silver g9
	{setup} North rook e8
	{setup} North pawn d8   {setup} North pawn e7   {setup} North pawn f8
	{setup} East king i5
	{setup} East gold i6    {setup} East gold i4
	{setup} East silver i7  {setup} East silver i3
	{setup} East rook h5
	{setup} East pawn h6    {setup} East pawn g5    {setup} East pawn h4
board-setup}

\ === 6 The rules ===================================================================================

LOAD men.4th
LOAD check.4th
LOAD moves.4th
LOAD turns.4th
LOAD search.4th
LOAD worth.4th
