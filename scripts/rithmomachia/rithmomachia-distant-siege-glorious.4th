\ Rithmomachia, Distant Siege, with Glorious Victories: sieges from afar, and progressions win.
LOAD rithmomachia-glorious.4th

siege=natural
