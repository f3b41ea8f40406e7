\ Rithmomachia with every victory there is: five common ones, three glorious ones, and the pyramid.
LOAD rithmomachia.4th

de-lite=on
de-honore=on
de-honore-liteque=on
glory=all
pyramid-win=on
