\ search.4th: the end of a game of Yonin Shogi, repetition, and the two sides that the search distinguishes.

\ === 1 Repetition ==================================================================================

\ The kernel has a stack of positions.  When a position is pushed, the kernel counts its occurrences in the stack;
\ positions with different players to move differ.  A position is pushed before its moves are generated.  First the
\ positions of the current turn and of later turns, left by moves that were taken back, are popped.  So the stack
\ contains the path to the current position.
VARIABLE repeats                        \ how often the position has occurred before
16000 CONSTANT #most-noted              \ the kernel's stack has room for 16384
: forget-later ( -- ) BEGIN noted @ turn-number >= WHILE repetition-pop-position noted -- REPEAT ;
: note-position ( -- )
	forget-later
	noted @ #most-noted < IF repetition-push-position 1- repeats ! noted ++ ELSE repeats OFF ENDIF
;

\ === 2 Two sides ===================================================================================

\ The built-in search supports only two sides, and negates the score when the turn passes from one side to the other.
\ One side is the player for which it searches, with its partner if it has one; the other players are the other side.
\ While the built-in search runs, $iterationDepth is not 0.  For other engines each player is a side of its own.
VARIABLE searcher                       \ the last player for which moves were generated outside of a search
VARIABLE searcher-turn                  \ the number of that turn
: two-sided? ( -- ? ) searching? $iterationDepth @ 0> AND ;
: viewer ( -- player ) two-sided? IF searcher @ ELSE current-player ENDIF ;
: paired? ( -- ? ) kings-fall @ IF FALSE ELSE in-pairs @ ENDIF ;        \ rule set `capture` has no partners
: allied? ( player player' -- ? ) 2DUP = ROT ROT partner = paired? AND OR ;
: on-side? ( player -- ? ) viewer allied? ;
: OnFriends? ( player player' -- ? )
	two-sided? IF on-side? SWAP on-side? = ELSE allied? ENDIF
;

\ The transposition table of the built-in search identifies positions by their pieces.  But the score depends also on
\ the searching player and on earlier positions.  So during a search `mind` contains a mark: a cell with the searching
\ player as owner, and a number of the turn (100 to 999, greater than all types) as type.
: mark-searcher ( -- ) searcher-turn @ 900 MOD 100 + searcher @ OR mind board[] ! ;
: unmark-searcher ( -- ) 0 mind board[] ! ;

\ The search generates move lists at its leaves, but does not read them.  So these lists stay empty, which saves time.
: leaf? ( -- ? ) two-sided? $ply @ 0> AND $ply @ $iterationDepth @ >= AND ;

: OnGenerateMoves ( -- )
	searching? NOT IF current-player searcher ! turn-number searcher-turn ! $iterationDepth OFF ENDIF
	unmark-searcher note-position
	two-sided? IF mark-searcher ENDIF
	0 mover ! leaf? no-list !
;

\ === 3 The end =====================================================================================

\ The turn never passes to a player that cannot move, unless no player can move.  But a position with such a player to
\ move can be set up.
: any-player-able? ( -- ? )
	FALSE 4 0 DO I 1+ $EncodePlayer DUP eliminated? IF DROP ELSE can-move? OR ENDIF LOOP
;
: stuck-score ( -- score )
	current-player in-check? IF ^" checkmate" #LossScore EXIT ENDIF
	any-player-able? IF #UnknownScore ELSE ^" no player can move" #DrawScore ENDIF
;
: winning-text ( -- )
	kings-fall @ IF ^" the last king" ELSE
	in-pairs @ IF ^" a player of the other pair is checkmated" ELSE
	current-player alone? IF ^" all other players are checkmated" ELSE
		^" checkmate"
	ENDIF ENDIF ENDIF
;
: OnIsGameOver ( -- score )             \ for the player about to move: the winner gets the turn
	current-player contestant? NOT IF #UnknownScore EXIT ENDIF
	any-player-eliminated? IF current-player won? IF winning-text #WinScore EXIT ENDIF ENDIF
	repeats @ 2 > kings-fall @ NOT AND IF ^" the position has occurred four times" #DrawScore EXIT ENDIF
	no-list @ NOT IF stalemate? IF stuck-score EXIT ENDIF ENDIF
	#UnknownScore
;
