\ Rithmomachia: Glorious Victories after Pyramid capturing.
LOAD rithmomachia-glorious.4th

glory-needs-pyramid=on
