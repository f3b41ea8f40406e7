5 EXECUTE   \ expect error: the cell 5 (0x5) was run, but it is not a word
