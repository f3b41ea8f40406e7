\ Rithmomachia with the targets of the article's program: each side must capture the value intended for the other.

\ Owns three rules in which that program differs.  The targets are exchanged.  An eruption, a capture from a
\ distance, needs a victim whose value is the attacker's value times the distance; the quotient does not count.
\ A pyramid, a piece that consists of several parts, counts twice if it is captured as a unit: once as its parts,
\ once as their total.  The pieces of White are worth 1312 and those of Black 1752.  So Black can reach its target
\ of 1315 only by capturing a pyramid, while White's target of 984 is slightly more than half of 1752.
LOAD rithmomachia/rithmomachia.4th

eruption=product
pyramid-count=script
984 value-white=
1315 value-black=
