\ Rithmomachia: Distant Siege, Glorious Victories after the Pyramid.
LOAD rithmomachia-glorious-pyramid.4th

siege=natural
