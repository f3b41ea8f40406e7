\ Rhythmomachia 2: the same as rithmomachia-2, under the name of the rules.
LOAD rithmomachia-2.4th
