\ CONSTANT reads a name, but the text ends.
1 CONSTANT
