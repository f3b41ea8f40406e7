\ Rithmomachia, Distant Siege: a piece is besieged when all its own ways are closed, from afar too.
LOAD rithmomachia.4th

siege=natural
