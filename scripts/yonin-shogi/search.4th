\ search.4th: the end of a game of Yonin Shogi, repetition, and the two sides that the search distinguishes.

\ === 1 Repetition ==================================================================================

\ The kernel has a stack of positions, which include the player to move, and counts the occurrences of a new
\ position in it.  Each position is pushed before its moves are generated.  Positions of the same and of later
\ turns, left by moves that were taken back, are popped first, so the stack contains the path to the position.
VARIABLE repeats                        \ how often the position has occurred before
16000 CONSTANT #most-noted              \ the kernel's stack has room for 16384
: forget-later ( -- ) BEGIN noted @ turn-number >= WHILE repetition-pop-position noted -- REPEAT ;
: note-position ( -- )
	forget-later
	noted @ #most-noted < IF repetition-push-position 1- repeats ! noted ++ ELSE repeats OFF ENDIF
;

\ === 2 Two sides ===================================================================================

\ The built-in search knows only two sides, and negates the score when the turn passes from one side to the
\ other.  One side is the player for which it searches, and its partner if it has one; the other players are the
\ other side.  $iterationDepth is not 0 while it runs; other engines evaluate for each player.
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

\ The transposition table of that search identifies positions by their pieces.  But the score depends on the
\ searching player and on the positions before.  So the board position `mind` contains a mark of the player and
\ its turn: a piece of a type that does not exist.
: mark-searcher ( -- ) searcher-turn @ 900 MOD 100 + searcher @ OR mind board[] ! ;
: unmark-searcher ( -- ) 0 mind board[] ! ;

\ The search generates move lists at its leaves, but does not read them, so they may be empty.
: leaf? ( -- ? ) two-sided? $ply @ 0> AND $ply @ $iterationDepth @ >= AND ;

: OnGenerateMoves ( -- )
	searching? NOT IF current-player searcher ! turn-number searcher-turn ! $iterationDepth OFF ENDIF
	unmark-searcher note-position
	two-sided? IF mark-searcher ENDIF
	0 mover ! leaf? no-list !
;

\ === 3 The end =====================================================================================

\ The turn never passes to a player that cannot move, unless no player can.  But such a position can be set up.
: any-player-able? ( -- ? )
	FALSE 4 0 DO I 1+ $EncodePlayer DUP out? IF DROP ELSE able? OR ENDIF LOOP
;
: stuck-score ( -- score )
	current-player in-check? IF #LossScore EXIT ENDIF
	any-player-able? IF #UnknownScore ELSE #DrawScore ENDIF
;
: OnIsGameOver ( -- score )             \ for the player about to move: the winner gets the turn
	current-player contestant? NOT IF #UnknownScore EXIT ENDIF
	any-player-out? IF current-player won? IF #WinScore EXIT ENDIF ENDIF
	repeats @ 2 > kings-fall @ NOT AND IF #DrawScore EXIT ENDIF
	no-list @ NOT IF stalemate? IF stuck-score EXIT ENDIF ENDIF
	#UnknownScore
;
