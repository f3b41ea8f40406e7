\ The options of the rules.  Each group of words sets one option; the first word of a group is the default.

\ A variant is a file that loads a game and runs some of these words, as splut-official.4th does; on the
\ command line they follow --set.  The words only store a number, which is read when a game starts and while
\ it runs.

VARIABLE lock-rule                      \ 0 round, 1 previous-turn, 2 each-opponent
: lock=round ( -- ) 0 lock-rule ! ;             \ stones that another team moved last in this round are locked (default)
: lock=previous-turn ( -- ) 1 lock-rule ! ;     \ stones that the previous player moved in its turn are locked
: lock=each-opponent ( -- ) 2 lock-rule ! ;     \ stones that another player moved in its most recent turn are locked

VARIABLE home-rule                      \ true: no locks at the start
: home-locks=on ( -- ) home-rule OFF ;          \ at the start each team counts as last mover of its stone (default)
: home-locks=off ( -- ) home-rule ON ;          \ no stones are locked at the start

VARIABLE dead-rule
: dead-teams=pass ( -- ) dead-rule OFF ;        \ an eliminated team keeps its turns and passes (default)
: dead-teams=skip ( -- ) dead-rule ON ;         \ its turns are skipped

VARIABLE after-rule
: after-throw=pass ( -- ) after-rule OFF ;      \ after a throw the player passes in its remaining steps (default)
: after-throw=skip ( -- ) after-rule ON ;       \ the next player moves immediately

VARIABLE win-rule
: win-test=own-move ( -- ) win-rule OFF ;       \ the game ends when the winner is about to step (default)
: win-test=at-once ( -- ) win-rule ON ;         \ it ends immediately after the deciding throw

VARIABLE turn-limit
: max-turns= ( n -- ) turn-limit ! ;            \ draw after n turns without an elimination; 0: never (default)

VARIABLE throw-rule
: throw=whole ( -- ) throw-rule OFF ;           \ a step onto a stone and its throw are one move (default)
: throw=partial ( -- ) throw-rule ON ;          \ as in the article: two moves, the first a partial one

VARIABLE engine-rule
: engine=article ( -- ) engine-rule OFF ;       \ the article's engine plays, custom-engine.4th (default)
: engine=strong ( -- ) engine-rule ON ;         \ the project's engine, strong-engine.4th

\ Five options together: the rules of the article's script, and the designer's rules.
: preset=article ( -- )                         \ the rules of the article (default)
	lock=round home-locks=on dead-teams=pass after-throw=pass win-test=own-move
;
: preset=official ( -- )                        \ the designer's rules
	lock=previous-turn home-locks=off dead-teams=skip after-throw=skip win-test=at-once
;
