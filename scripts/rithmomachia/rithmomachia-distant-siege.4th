\ Rithmomachia: Distant Siege, all ways of a piece closed from afar.
LOAD rithmomachia.4th

siege=natural
