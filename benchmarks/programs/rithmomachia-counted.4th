\ Rithmomachia with the targets of the article's program: each side must capture the value intended for the other.

\ Owns the rules of that program that decide matches: the exchanged targets, eruption by products, and pyramids that
\ count twice if captured as a unit.  The sides have 1752 and 1312 in value, so Black can reach its target only by
\ such a pyramid, while White's target is slightly more than half of the value that it can capture.
LOAD rithmomachia/rithmomachia.4th

eruption=product
pyramid-count=script
984 value-white=
1315 value-black=
