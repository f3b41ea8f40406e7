\ Splut!: four teams of wizard, dwarf and troll; throw a stone at every other wizard.

\ A team without a wizard is eliminated.  A turn has three steps.  Trolls throw and pull stones, dwarfs push rows
\ of pieces, and wizards levitate stones.  A locked stone cannot be levitated: see memory.4th.
\ Game by Tommy De Coninck (2009), for non-commercial use: see README.md.  This is the four-player game
\ with the rules called `article`; the other splut files load it and change settings, players or set-up.
\ Read the parts in the order in which they are loaded; this file ends with players, turns and set-up.

LOAD settings.4th                       \ the options of the rules
LOAD board.4th                          \ squares, memory positions, tests of their contents
LOAD memory.4th                         \ last movers of stones, the levitated stone, throws
LOAD moves.4th                          \ the moves of every piece
LOAD pieces.4th                         \ lists of moves, pieces
LOAD turns.4th                          \ whose turn comes next, when the game is over
LOAD worth.4th                          \ evaluation
LOAD custom-engine.4th                  \ the article's engine
LOAD strong-engine.4th                  \ a stronger engine

: Splut-Engine ( -- ) engine-rule @ IF Strong-Engine ELSE Custom-Engine ENDIF ;

\ A name that begins with a question mark is a random player: the host moves for it.
{players
	{player} South    {search-engine} Splut-Engine
	{player} West     {search-engine} Splut-Engine
	{player} North    {search-engine} Splut-Engine
	{player} East     {search-engine} Splut-Engine
	{player} ?Cleaner {random}
	{neutral} Nobody
players}

\ One step, then two, then always three.
{turn-order
	{turn} South
	{turn} West  {turn} West
	{turn} North {turn} North {turn} North
	{turn} East  {turn} East  {turn} East
	{repeat}
	{turn} ?Cleaner
	{turn} South {turn} South {turn} South
	{turn} West  {turn} West  {turn} West
	{turn} North {turn} North {turn} North
	{turn} East  {turn} East  {turn} East
turn-order}

\ With home-locks=on every team counts as the last mover of its own stone at the start.  The names in a set-up are words
\ that run when a game starts, so the position of a lock can depend on the settings.  A lock that the settings do not
\ need is put into the shed; the broom, which is set up last, replaces it there.
: shed-if-no-home-locks ( pos -- pos' ) home-rule @ IF DROP shed ENDIF ;
: sstone-home ( -- pos )                \ only with lock=round: with other rules South's first turn ends its lock
	lock-rule @ IF shed ELSE sstone-by ENDIF shed-if-no-home-locks
;
: wstone-home ( -- pos ) wstone-by shed-if-no-home-locks ;
: nstone-home ( -- pos ) nstone-by shed-if-no-home-locks ;
: estone-home ( -- pos ) estone-by shed-if-no-home-locks ;
{board-setup
	{setup} Nobody sstone e1
	{setup} South wizard d2 {setup} South dwarf e2 {setup} South troll f2
	{setup} Nobody wstone a5
	{setup} West wizard b6 {setup} West dwarf b5 {setup} West troll b4
	{setup} Nobody nstone e9
	{setup} North wizard f8 {setup} North dwarf e8 {setup} North troll d8
	{setup} Nobody estone i5
	{setup} East wizard h4 {setup} East dwarf h5 {setup} East troll h6
	{setup} South lock sstone-home
	{setup} West lock wstone-home
	{setup} North lock nstone-home
	{setup} East lock estone-home
	{setup} ?Cleaner broom shed
board-setup}
