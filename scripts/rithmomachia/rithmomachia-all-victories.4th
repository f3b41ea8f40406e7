\ Rithmomachia: with all victories, common and glorious.
LOAD rithmomachia.4th

de-lite=on
de-honore=on
de-honore-liteque=on
glory=all
2 glory-own=                            \ with 1 White wins by force: 1. P91 i4-h7
pyramid-win=on
