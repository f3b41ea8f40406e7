\ Rithmomachia with Glorious Victories after Pyramid capturing: they count once the enemy's pyramid is gone.
LOAD rithmomachia-glorious.4th

glory-needs-pyramid=on
