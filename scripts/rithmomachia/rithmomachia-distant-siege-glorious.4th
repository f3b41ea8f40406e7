\ Rithmomachia: Distant Siege with Glorious Victories.
LOAD rithmomachia-glorious.4th

siege=natural
