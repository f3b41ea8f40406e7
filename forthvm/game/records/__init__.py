"""Games in the files of other programs: PGN, KIF, PDN and SGF."""
