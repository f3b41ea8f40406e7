\ search.4th: the end of a game of Yonin Shogi, repetition, and how the search sees four players.

\ === 1 Repetition ==================================================================================

\ The kernel keeps a pile of positions, with all that stands anywhere and the player to move, and says how
\ often a new one lies in it.  A position is noted before its moves are generated; all of its turn and later
\ ones go first, left over from moves taken back.  So what lies there is always the way to the position.
VARIABLE repeats                        \ how often the position has occurred before
16000 CONSTANT #most                    \ there is room for few more
: forget-later ( -- ) BEGIN noted @ turn-number >= WHILE repetition-pop-position noted -- REPEAT ;
: note-position ( -- )
	forget-later
	noted @ #most < IF repetition-push-position 1- repeats ! noted ++ ELSE repeats OFF ENDIF
;

\ === 2 Two sides ===================================================================================

\ The built-in search knows two sides only, and turns the score round when the move goes from one to the
\ other.  So there is the player for whom it thinks, with his partner if he has one, and all others are the
\ other side.  It is at work if $iterationDepth is not 0; other engines let each player judge for himself.
VARIABLE thinks                         \ the last player who had a list of moves outside of a search ...
VARIABLE thinks-at                      \ ... and the number of his turn
: two-sided? ( -- ? ) searching? $iterationDepth @ 0> AND ;
: viewer ( -- player ) two-sided? IF thinks @ ELSE current-player ENDIF ;
: paired? ( -- ? ) kings-fall @ IF FALSE ELSE in-pairs @ ENDIF ;        \ rule set `capture` knows no partners
: allied? ( player player' -- ? ) 2DUP = ROT ROT partner = paired? AND OR ;
: on-side? ( player -- ? ) viewer allied? ;
: OnFriends? ( player player' -- ? )
	two-sided? IF on-side? SWAP on-side? = ELSE allied? ENDIF
;

\ The table of that search knows positions by what stands where.  But what one is worth depends on who is
\ thinking and on what was played before.  So a mark of him and his turn lies beside the board: a piece of a
\ type that there is not.
: mark-thinker ( -- ) thinks-at @ 900 MOD 100 + thinks @ OR mind board[] ! ;
: unmark-thinker ( -- ) 0 mind board[] ! ;

\ At the leaves of the search a list is made that nobody looks into.  There it may be empty.
: leaf? ( -- ? ) two-sided? $ply @ 0> AND $ply @ $iterationDepth @ >= AND ;

: OnGenerateMoves ( -- )
	searching? NOT IF current-player thinks ! turn-number thinks-at ! $iterationDepth OFF ENDIF
	unmark-thinker note-position
	two-sided? IF mark-thinker ENDIF
	0 mover ! leaf? no-list !
;

\ === 3 The end =====================================================================================

\ The turn never goes to a player who cannot move, unless nobody can.  But a game can be set up so.
: anybody-able? ( -- ? )
	FALSE 4 0 DO I 1+ $EncodePlayer DUP out? IF DROP ELSE able? OR ENDIF LOOP
;
: stuck-score ( -- score )
	current-player in-check? IF #LossScore EXIT ENDIF
	anybody-able? IF #UnknownScore ELSE #DrawScore ENDIF
;
: OnIsGameOver ( -- score )             \ for the player about to move: the winner gets the turn
	current-player contestant? NOT IF #UnknownScore EXIT ENDIF
	anybody-out? IF current-player won? IF #WinScore EXIT ENDIF ENDIF
	repeats @ 2 > kings-fall @ NOT AND IF #DrawScore EXIT ENDIF
	no-list @ NOT IF stalemate? IF stuck-score EXIT ENDIF ENDIF
	#UnknownScore
;
