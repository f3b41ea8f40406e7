\ Rithmomachia with the targets of the article's program: each side must take the value meant for the other.

\ Owns what of that program decides matches: the targets changed round, eruption by products, and a pyramid taken
\ whole counting twice.  The values of both sides are 1752 and 1312, so Black's target is out of all reach but by
\ such a pyramid, while White's is little more than half of what Black has.
LOAD rithmomachia/rithmomachia.4th

eruption=product
pyramid-count=script
984 value-white=
1315 value-black=
