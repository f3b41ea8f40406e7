\ Splut! for three, official: South, West and North by the designer's rules.

LOAD splut-three.4th

preset=official
