\ Rithmomachia: Distant Siege with Glorious Victories; White wins in two moves.
LOAD rithmomachia-glorious.4th

siege=natural
