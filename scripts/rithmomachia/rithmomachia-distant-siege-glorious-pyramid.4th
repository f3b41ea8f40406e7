\ Rithmomachia, Distant Siege, with Glorious Victories after Pyramid capturing.
LOAD rithmomachia-glorious-pyramid.4th

siege=natural
