\ Rithmomachia: with all victories, common and glorious.
LOAD rithmomachia.4th

de-lite=on
de-honore=on
de-honore-liteque=on
glory=all
pyramid-win=on
