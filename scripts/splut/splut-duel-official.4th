\ Splut! duel official: South against North by the designer's rules.

LOAD splut-duel.4th

preset=official
