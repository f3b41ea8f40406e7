\ Rithmomachia with the targets of the article's program: each side must capture the value intended for the other.

\ Owns three rules in which that program differs: the exchanged targets, eruption by products, and pyramids that
\ count twice if captured as a unit.  The pieces of White are worth 1312 and those of Black 1752.  So Black can reach
\ its target of 1315 only by capturing a pyramid, while White's target of 984 is slightly more than half of 1752.
LOAD rithmomachia/rithmomachia.4th

eruption=product
pyramid-count=script
984 value-white=
1315 value-black=
