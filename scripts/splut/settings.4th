\ The options of the rules.  Each group of words chooses one of them; the first word of a group is the default.

\ A variant is a file that loads a game and says which words it wants, as splut-official.4th does; on the
\ command line the same words follow --set.  The words only store a number: what it means is decided where the
\ number is read, when a game starts and while it runs.

VARIABLE lock-rule                      \ 0 round, 1 previous-turn, 2 each-opponent
: lock=round ( -- ) 0 lock-rule ! ;             \ no flying of stones that another moved last in this round (default)
: lock=previous-turn ( -- ) 1 lock-rule ! ;     \ none that the player before moved in his turn
: lock=each-opponent ( -- ) 2 lock-rule ! ;     \ none that any other player moved in his latest turn

VARIABLE home-rule                      \ true: no locks at the start
: home-locks=on ( -- ) home-rule OFF ;          \ at the start each team counts as last mover of its stone (default)
: home-locks=off ( -- ) home-rule ON ;          \ at the start all stones are free

VARIABLE dead-rule
: dead-teams=pass ( -- ) dead-rule OFF ;        \ a team that is out keeps its turns and passes (default)
: dead-teams=skip ( -- ) dead-rule ON ;         \ its turns disappear

VARIABLE after-rule
: after-throw=pass ( -- ) after-rule OFF ;      \ who has thrown passes in the steps that are left (default)
: after-throw=skip ( -- ) after-rule ON ;       \ the next player is to move at once

VARIABLE win-rule
: win-test=own-move ( -- ) win-rule OFF ;       \ the end is noticed when the winner is about to step (default)
: win-test=at-once ( -- ) win-rule ON ;         \ right after the deciding throw

VARIABLE turn-limit
: max-turns= ( n -- ) turn-limit ! ;            \ draw after n turns without an elimination; 0: never (default)

VARIABLE throw-rule
: throw=whole ( -- ) throw-rule OFF ;           \ going onto a stone and throwing it is one move (default)
: throw=partial ( -- ) throw-rule ON ;          \ the article's way: two moves, the first of them a partial one

VARIABLE engine-rule
: engine=article ( -- ) engine-rule OFF ;       \ the article's engine plays, custom-engine.4th (default)
: engine=strong ( -- ) engine-rule ON ;         \ ours, strong-engine.4th

\ Five options together: what the article's script plays, and the designer's rules.
: preset=article ( -- )                         \ the rules of the article (default)
	lock=round home-locks=on dead-teams=pass after-throw=pass win-test=own-move
;
: preset=official ( -- )                        \ the designer's rules
	lock=previous-turn home-locks=off dead-teams=skip after-throw=skip win-test=at-once
;
