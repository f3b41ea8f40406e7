\ A stronger engine than the article's: the same search, but it sees threats, remembers and looks deeper.

\ As in custom-engine.4th, whose words it goes on using, the searcher stays current-player, all others are one
\ hostile player, and the turn is a number that we step on ourselves.  What is different:
\   - a kill within the steps that a player has left is seen, not searched (threats.4th);
\   - the depth grows from 1 up, and each look begins with what the last one found best;
\   - moves are tried in an order: the best one remembered, throws, moves that refuted others, the rest;
\   - positions are remembered: the three steps of a turn lead to the same one in up to six orders;
\   - where there is one move only (a pass, the cleaner's) it costs no depth, nor does half a throw.

LOAD threats.4th

\ --- What a recursive word must keep for each ply -------------------------------------------------------

\ Here the index counts plies from the root, since some plies cost no depth.
40 CONSTANT #most-plies
VARIABLE ply
: each-ply ( -- ) #most-plies 1+ [] ;   \ makes an array of the name that follows
each-ply ply-turns[]
each-ply ply-types[]
each-ply depths[]
each-ply costs[]
each-ply ply-alphas[]
each-ply ply-betas[]
each-ply floors[]
each-ply ply-moves[]
each-ply keys[]
each-ply hopes[]
each-ply killers[]
each-ply killers2[]
: ply-turn ( -- addr ) ply @ ply-turns[] ;
: ply-type ( -- addr ) ply @ ply-types[] ;
: depth-left ( -- addr ) ply @ depths[] ;
: move-cost ( -- addr ) ply @ costs[] ;         \ what a move from here costs of it
: ply-alpha ( -- addr ) ply @ ply-alphas[] ;
: ply-beta ( -- addr ) ply @ ply-betas[] ;
: old-bound ( -- addr ) ply @ floors[] ;        \ alpha or beta, whichever moves here, as it was at first
: ply-move ( -- addr ) ply @ ply-moves[] ;
: ply-key ( -- addr ) ply @ keys[] ;
: hope ( -- addr ) ply @ hopes[] ;              \ the hash of the best move known here
: killer ( -- addr ) ply @ killers[] ;          \ moves that refuted others on this ply
: killer2 ( -- addr ) ply @ killers2[] ;

: ply-mover ( -- player ) ply-turn @ turn-offset-to-player ;
: ply-ours? ( -- ? ) ply-mover current-player = ;
: bound ( -- addr ) ply-ours? IF ply-alpha ELSE ply-beta ENDIF ;

\ The third cell of a move's record, whatever the version; with it moves are told apart in equal positions and
\ recognized in similar ones.
: .moveHash ( move -- addr ) .moveType CELLSIZE + ;

\ --- Memory of positions ----------------------------------------------------------------------------------

\ An entry is: key, four times the depth plus the kind of the score, score, hash of the best move.  An exact score
\ is the true one; of others we know only that the true one is not greater, or not less.
\ It is all zeros again when the engine has finished, so that it does not swell saved positions.
8192 CONSTANT #entries
4 CONSTANT #entry-cells
#entries #entry-cells * [] memo[]
: clear-memo ( -- ) 0 memo[] #entries #entry-cells * CELLS ERASE ;
: entry ( -- addr ) ply-key @ #entries 1- AND #entry-cells * memo[] ;
: .depth ( entry -- addr ) CELLSIZE + ;
: .score ( entry -- addr ) [ 2 CELLS ] LITERAL + ;
: .hope ( entry -- addr ) [ 3 CELLS ] LITERAL + ;

: set-key ( -- )
	key @ ply-turn @ 1640531527 * + ply-type @ 40503 * +
	DUP 65536 / XOR ply-key !
;
: known-here? ( -- ? ) entry @ ply-key @ = ;

0 CONSTANT #upper                       \ kinds of scores: the true one is not greater,
1 CONSTANT #lower                       \ not less,
2 CONSTANT #exact                       \ the same
: usable? ( score kind -- ? )
	DUP #exact = IF 2DROP TRUE ELSE
	#lower = IF ply-beta @ >= ELSE ply-alpha @ <= ENDIF ENDIF
;
: recall ( -- score TRUE | FALSE )
	hope OFF
	known-here? IF
		entry .hope @ hope !
		entry .depth @ 4 /MOD               ( kind depth )
		depth-left @ = IF entry .score @ SWAP 2DUP usable? IF DROP TRUE ELSE 2DROP FALSE ENDIF
		ELSE DROP FALSE ENDIF
	ELSE FALSE ENDIF
;
: kind-of ( score -- kind )
	ply-ours?
	IF DUP old-bound @ > NOT IF DROP #upper ELSE ply-beta @ < IF #exact ELSE #lower ENDIF ENDIF
	ELSE DUP old-bound @ < NOT IF DROP #lower ELSE ply-alpha @ > IF #exact ELSE #upper ENDIF ENDIF ENDIF
;
: memorize ( score -- )
	ply-key @ entry !
	DUP kind-of depth-left @ 4 * + entry .depth !
	entry .score ! hope @ entry .hope !
;

\ --- Order of moves -----------------------------------------------------------------------------------------

\ The links of a fresh list are ours to change until it is dropped: moves are dealt into five heaps, and the heaps
\ are linked into one list again.
1024 [] history[]                       \ how often a move was the best, by its hash
: past ( move -- addr ) .moveHash @ 1023 AND history[] ;
: clear-history ( -- )
	0 history[] 1024 CELLS ERASE
	0 killers[] #most-plies CELLS ERASE 0 killers2[] #most-plies CELLS ERASE
;
: heap-of ( move -- n )
	DUP .moveHash @
	DUP hope @ = IF 2DROP 0 ELSE
	DUP killer @ = SWAP killer2 @ = OR IF DROP 2 ELSE
	DUP .moveType @ throwing = IF DROP 1 ELSE
	past @ 0> IF 3 ELSE 4 ENDIF ENDIF ENDIF ENDIF
;
5 [] heaps[]                            \ the first move of each heap, 0 if it is empty
5 [] ends[]                             \ the cell to link the next one to; a move's link is its first cell
: clear-heaps ( -- ) 5 0 DO I heaps[] DUP OFF I ends[] ! LOOP ;
: deal ( move -- )
	DUP OFF DUP heap-of                     ( move n )
	2DUP ends[] @ ! ends[] !
;
: gather ( -- move )
	0
	0 4 DO I ends[] @ ! I heaps[] @ -1 +LOOP        ( counting down, DO visits the limit, too )
;
: in-order ( -- move )
	clear-heaps
	$FirstMove BEGIN DUP WHILE DUP $NextMove SWAP deal REPEAT DROP
	gather
;
: praise ( -- )                         \ the move just tried was good
	ply-move @ .moveHash @ DUP hope !
	killer @ OVER = IF DROP ELSE killer @ killer2 ! killer ! ENDIF
	ply-move @ past ++
;

\ --- The search -----------------------------------------------------------------------------------------------

VARIABLE own-wizards
VARIABLE other-wizards
VARIABLE last-other                     \ owner of one of them
: count-wizards ( -- )
	own-wizards OFF other-wizards OFF
	wizard-count @ IF
		wizard-count @ 0 DO
			I wizards[] @ owner-at
			DUP current-player = IF DROP own-wizards ++ ELSE last-other ! other-wizards ++ ENDIF
		LOOP
	ENDIF
;
: won-in ( n -- score ) depth-left @ SWAP - #won + ;    \ the sooner, the better

\ Is it decided, or can the mover decide it before anybody else is to move?  In half a throw he has his stone in
\ his hand, and it is not on the board.
: foreseen ( -- score TRUE | FALSE )
	count-wizards ply-turn @ read-turn
	other-wizards @ 0= IF 0 won-in TRUE ELSE
	own-wizards @ 0= IF 0 won-in NEGATE TRUE ELSE
	ply-type @ IF FALSE ELSE
	ply-ours? IF
		last-other @ steps-to-kill DUP in-time? other-wizards @ 1 = AND IF won-in TRUE ELSE DROP FALSE ENDIF
	ELSE
		current-player steps-to-kill DUP in-time? IF won-in NEGATE TRUE ELSE DROP FALSE ENDIF
	ENDIF ENDIF ENDIF ENDIF
;

DEFER ply-node                          \ ( -- score ) of the position on the board

: go-down ( -- score )
	ply-alpha @ ply-beta @ ply-turn @
	$partial @ IF $ofType @ 0 ELSE following 0 move-cost @ ENDIF
	depth-left @ SWAP -                     ( alpha beta turn type depth )
	ply ++
	depth-left ! ply-type ! ply-turn ! ply-beta ! ply-alpha !
	ply-node
	ply --
;
: try-it ( -- score ) ply-move @ make go-down $DeallocateBoard ;
: better? ( score -- ? ) ply-ours? IF ply-alpha @ > ELSE ply-beta @ < ENDIF ;
: take-it ( score -- ) DUP better? stop? NOT AND IF bound ! praise ELSE DROP ENDIF ;
: still-open? ( -- ? ) ply-alpha @ ply-beta @ < stop? NOT AND ;

: all-replies ( -- score )
	ply-mover FALSE ply-type @ $GenerateMoves
	move-count 1 = IF 0 ELSE 1 ENDIF move-cost !
	in-order ply-move !
	bound @ old-bound !
	BEGIN ply-move @ IF still-open? ELSE FALSE ENDIF WHILE
		try-it take-it
		ply-move @ $NextMove ply-move !
	REPEAT
	$DeallocateMoves
	bound @
	stop? NOT IF DUP memorize ENDIF
;
: at-end? ( -- ? ) depth-left @ 1 < ply-type @ 0= AND ply @ #most-plies = OR ;
: search-ply ( -- score )
	nodes ++ $Yield
	analyse-board
	foreseen NOT IF
		at-end? IF board-worth ELSE
			set-key recall NOT IF all-replies ENDIF
		ENDIF
	ENDIF
;
' search-ply IS ply-node

\ --- The root ---------------------------------------------------------------------------------------------------

\ The host's list must stay as it is; so its moves are put into an array, the best one first, the others in a
\ random order, since among equals the first one stays the best.  A die makes games differ, as in custom-engine.4th.
\ Two players who see all threats may walk in circles for ever; so the die grows with the game, and in the end
\ somebody leaves the circle.  What is decided it does not touch.
256 [] roots[]
VARIABLE root-count
: swap-roots ( i j -- ) roots[] SWAP roots[] 2DUP @ SWAP @ ROT ! SWAP ! ;
: collect-roots ( -- )
	root-count OFF
	$FirstMove BEGIN
		DUP root-count @ roots[] ! root-count ++
		$NextMove DUP 0= root-count @ 256 = OR
	UNTIL DROP
	root-count @ 1 DO I 0 I $RAND-WITHIN swap-roots LOOP
;
VARIABLE best-root
30 CONSTANT #far                        \ no look goes deeper
: die ( -- n ) 0 turn-number 8 / $RAND-WITHIN ;
: plus ( score n -- score' ) OVER ABS #won #far - > IF DROP ELSE + ENDIF ;
: consider-root ( i -- )
	DUP roots[] @ DUP ply-move ! $MoveString CurrentMove!
	die best @ OVER - ply-alpha !
	try-it SWAP plus                        ( i score )
	DUP best @ > stop? NOT AND IF
		best !
		DUP best-root ! roots[] @ DUP best-move ! $MoveString BestMove!
	ELSE 2DROP ENDIF
	nodes @ Nodes!
;
: look-deeper ( depth -- )
	depth-left ! best-root OFF
	#infinity NEGATE best ! #infinity ply-beta !
	0 BEGIN DUP consider-root 1+ DUP root-count @ >= stop? OR UNTIL DROP
	best @ #infinity NEGATE > IF
		best @ Score! 0 best-root @ swap-roots
		stop? NOT IF depth-left @ Depth! ENDIF
	ENDIF
;

\ Deeper and deeper, to the same limits as custom-engine.4th, or until it is decided.
: deepest-look ( -- depth )
	time-limit? IF #far ELSE search-depth @ ENDIF
	$depthLimit @ DUP 0> IF MIN ELSE DROP ENDIF
	1 MAX
;
: seen-all? ( depth -- ? )
	deepest-look > best @ ABS #won #far - > OR stop? OR
;
: look-all ( -- )
	clear-history collect-roots
	0 ply ! turn-offset ply-turn ! 0 ply-type ! 1 move-cost !
	1 BEGIN DUP look-deeper 1+ DUP seen-all? UNTIL DROP
	clear-memo
;

\ Called with the legal moves in place, as any engine.
: Strong-Engine ( -- )
	nodes OFF
	$FirstMove DUP best-move ! $MoveString BestMove! 0 Score! 1 Nodes! 0 Depth!
	$partial @ $ofType @
	move-count 1 > IF look-all ENDIF
	$ofType ! $partial !
;
