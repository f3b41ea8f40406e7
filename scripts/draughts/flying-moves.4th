\ Draughts with kings that fly: moves and captures.

\ Not a game: each game defines its board, `majority?` and `crowns-in-passing?`, and loads this file.

{directions
	-1 -1 {direction} nw    -1 1 {direction} ne
	 1 -1 {direction} sw     1 1 {direction} se
directions}

{players
	{player} White {player} Black
players}
{turn-order
	{turn} White {turn} Black
turn-order}

\ The names of pieces are defined below, but the words here use them.
DEFER MAN
DEFER KING

\ Each move runs this word of the game when it has been made.  quiet: it is a king's move without a capture;
\ steady: no piece has been captured or promoted.
DEFER count-move ( quiet? steady? -- )

\ --- squares -----------------------------------------------------------------------------------

4 CONSTANT #ways
CREATE ways ' nw , ' ne , ' sw , ' se , \ White goes ahead in the first two ways, Black in the last two
: neighbour ( pos way -- pos' ) CELLS ways + @ CFA>PFA SWAP CELLS + @ ; \ -1 beyond the edge
: ahead? ( way -- ? ) 2 < current-player White = = ;
: far-row? ( pos -- ? ) $columns @ / current-player White = IF 0= ELSE $rows @ 1- = ENDIF ;

\ --- captures ----------------------------------------------------------------------------------

\ The captured pieces leave the board when the whole capture is complete.  Until then they are in the way, and cannot be
\ captured again.  So the board remains the same while the words below follow a capture, except that the square
\ where the piece began is free.

32 CONSTANT #most-jumps                 \ a piece on the edge cannot be captured, and 32 other squares are dark
32 CONSTANT #bits
#bits [] bit[]
: number-bits ( -- ) 1 #bits 0 DO DUP I bit[] ! 2* LOOP DROP ;
number-bits

{scratch
VARIABLE origin                         \ the square where the piece began
VARIABLE flies                          \ TRUE: the piece captures as a king
VARIABLE jumps                          \ number of jumps
#most-jumps [] victim[]                 \ for each jump the square of the captured piece
#most-jumps [] landing[]                \ and the square where the jump ended
2 [] taken[]                            \ the set of the captured pieces, one bit for each
scratch}

\ Of two neighbouring squares in a row one is dark, so two squares share a bit.
: bit-of ( pos -- bit addr ) 2/ #bits /MOD SWAP bit[] @ SWAP taken[] ;
: flip-taken ( pos -- ) bit-of SWAP OVER @ XOR SWAP ! ;
: taken? ( pos -- ? ) bit-of @ AND 0<> ;

: free? ( pos -- ? )
	DUP 0< IF DROP FALSE EXIT ENDIF
	DUP origin @ = SWAP empty-at? OR
;
: enemy-left? ( pos -- ? )              \ an enemy that has not been captured
	DUP 0< IF DROP FALSE EXIT ENDIF
	DUP enemy-at? IF taken? NOT ELSE DROP FALSE ENDIF
;
: first-obstacle ( pos way -- pos' )    \ the first square on the way that is not free, or -1
	SWAP BEGIN OVER neighbour DUP free? NOT UNTIL SWAP DROP
;
: prey ( pos way -- pos' )              \ the enemy that the piece on pos can capture on this way, or -1
	SWAP OVER flies @ IF first-obstacle ELSE neighbour ENDIF       ( way pos' )
	DUP enemy-left? NOT IF 2DROP -1 EXIT ENDIF
	SWAP OVER SWAP neighbour free? NOT IF DROP -1 ENDIF
;

\ Captures of the same pieces by the same piece to the same square are one move, even if the jumps differ.
1000 CONSTANT #most-noted
{scratch
VARIABLE noted                          \ number of captures in the arrays
#most-noted [] noted-goal[]
#most-noted [] noted-low[]              \ the set of captured pieces
#most-noted [] noted-high[]
scratch}
: same-capture? ( pos i -- ? )
	SWAP OVER noted-goal[] @ =
	OVER noted-low[] @ 0 taken[] @ = AND
	SWAP noted-high[] @ 1 taken[] @ = AND
;
: noted? ( pos -- ? )
	noted @ BEGIN 1- DUP 0< NOT WHILE
		2DUP same-capture? IF 2DROP TRUE EXIT ENDIF
	REPEAT 2DROP FALSE
;
: note-capture ( pos -- )
	noted @ #most-noted < NOT IF DROP EXIT ENDIF
	noted @ noted-goal[] !
	0 taken[] @ noted @ noted-low[] !
	1 taken[] @ noted @ noted-high[] !
	noted ++
;

\ The text names each jump: `man c3 - e5 x d4 man e5 - g7 x f6`.
: type-item ( type -- ) 1 $TextItem ;
: square-item ( pos -- ) 3 $TextItem ;
: write-jump ( pos pos' pos'' -- )      \ from pos to pos' over pos''
	ROT current-piece-type type-item square-item
	SWAP 0 0 $TextItem square-item          \ -
	1 0 $TextItem square-item               \ x
;
: write-promotion ( pos -- ) 2 0 $TextItem KING type-item 3 0 $TextItem square-item ;  \ = king on
: write-text ( promotes? -- )
	origin @
	jumps @ 0 DO DUP I landing[] @ SWAP OVER I victim[] @ write-jump SWAP DROP LOOP
	SWAP IF write-promotion ELSE DROP ENDIF
;
: write-edits ( promotes? -- )
	jumps @ 1- landing[] @                  ( promotes? pos )
	origin @ OVER <> IF origin @ OVER move ENDIF
	jumps @ 0 DO I victim[] @ capture-at LOOP
	SWAP IF KING SWAP change-type-at ELSE DROP ENDIF
;

: write-count ( quiet? steady? -- ) SWAP COMPILE-LITERAL COMPILE-LITERAL COMPILE count-move ;
: man? ( -- ? ) current-piece-type MAN = ;
: add-capture ( -- )
	man? IF jumps @ 1- landing[] @ far-row? flies @ OR ELSE FALSE ENDIF
	$OmitsTexts? NOT IF DUP write-text ENDIF
	write-edits
	FALSE FALSE write-count
	add-move
;

{scratch
VARIABLE mover                          \ the player whose captures have been measured, or 0
VARIABLE longest                        \ number of pieces that the largest capture takes, or 0
VARIABLE measuring                      \ TRUE: captures are measured; FALSE: captures are added to the list
scratch}
: enough? ( -- ? ) majority? IF jumps @ longest @ = ELSE TRUE ENDIF ;
: end-capture ( pos -- )
	measuring @ IF DROP jumps @ longest @ MAX longest ! EXIT ENDIF
	enough? NOT IF DROP EXIT ENDIF
	DUP noted? IF DROP EXIT ENDIF
	DUP jumps @ 1- landing[] !
	note-capture add-capture
;

DEFER capture-on ( pos -- ? )           \ follow all captures of the piece on pos; are there any?

: next-landing ( pos way -- pos' )      \ another square behind the captured piece, or -1
	flies @ NOT IF 2DROP -1 EXIT ENDIF
	neighbour DUP free? NOT IF DROP -1 ENDIF
;
: goes-on? ( pos -- ? )                 \ can the piece capture more from there?
	DUP jumps @ 1- landing[] !
	flies @ SWAP
	crowns-in-passing? IF DUP far-row? IF flies ON ENDIF ENDIF
	capture-on SWAP flies !
;
: any-goes-on? ( pos way -- ? )         \ from pos or from a square behind it
	FALSE >R
	BEGIN OVER 0< NOT WHILE OVER goes-on? R> OR >R SWAP OVER next-landing SWAP REPEAT
	2DROP R>
;
: end-on-each ( pos way -- )
	BEGIN OVER 0< NOT WHILE OVER end-capture SWAP OVER next-landing SWAP REPEAT 2DROP
;
: jump-over ( pos way -- )              \ over the enemy on pos
	OVER jumps @ victim[] ! jumps ++
	OVER flip-taken
	OVER >R SWAP OVER neighbour SWAP        ( pos' way )
	2DUP any-goes-on? IF 2DROP ELSE end-on-each ENDIF
	R> flip-taken jumps --
;
: capture-along ( pos way -- ? )
	SWAP OVER prey DUP 0< IF 2DROP FALSE ELSE SWAP jump-over TRUE ENDIF
;
: capture-all-ways ( pos -- ? ) FALSE #ways 0 DO OVER I capture-along OR LOOP SWAP DROP ;
' capture-all-ways IS capture-on

: capture-with ( pos -- )
	DUP origin ! DUP piece-type-at KING = flies !
	jumps OFF 0 taken[] 2 CELLS ERASE
	capture-on DROP
;

\ --- moves -------------------------------------------------------------------------------------

\ Only the move words know for which player moves are generated, so the first one measures the captures.
: measure ( -- )
	longest OFF measuring ON
	$positions @ 0 DO I friend-at? IF I capture-with ENDIF LOOP
	measuring OFF
	current-player mover !
;
: must-capture? ( -- ? ) mover @ current-player <> IF measure ENDIF longest @ 0> ;

: captures ( -- ) must-capture? verify noted OFF from capture-with ;

: vacant? ( pos -- ? ) DUP 0< IF DROP FALSE ELSE empty-at? ENDIF ;
: step-to ( pos -- )
	from OVER move
	man? OVER far-row? AND DUP IF KING 2 PICK change-type-at ENDIF
	man? NOT SWAP NOT write-count DROP
	add-move
;
: man-step ( way -- )
	DUP ahead? IF from SWAP neighbour DUP vacant? IF step-to ELSE DROP ENDIF ELSE DROP ENDIF
;
: king-slide ( way -- )
	from
	BEGIN OVER neighbour DUP vacant? WHILE DUP step-to REPEAT 2DROP
;
: man-steps ( -- ) must-capture? NOT verify #ways 0 DO I man-step LOOP ;
: king-steps ( -- ) must-capture? NOT verify #ways 0 DO I king-slide LOOP ;

{moves man-moves
	{move} captures  {move-type} capturing
	{move} man-steps {move-type} stepping
moves}
{moves king-moves
	{move} captures   {move-type} capturing
	{move} king-steps {move-type} stepping
moves}

{pieces
	{piece} man  {moves} man-moves  100 {value}
	{piece} king {moves} king-moves 300 {value}
pieces}
' man IS MAN
' king IS KING

\ After OnGenerateMoves each move word adds the same moves, whichever other move words have run.
TRUE CONSTANT independent-moves

\ For the draws of a game.
: opponent ( player -- player' ) White = IF Black ELSE White ENDIF ;
: how-many ( piece -- n ) 0 board[] $positions @ $CountCells ;
: kings-of ( player -- n ) king OR how-many ;
: pieces-of ( player -- n ) DUP kings-of SWAP man OR how-many + ;
: lone-king? ( player -- ? ) DUP kings-of 1 = IF pieces-of 1 = ELSE DROP FALSE ENDIF ;
