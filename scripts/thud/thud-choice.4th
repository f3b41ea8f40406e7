\ Thud by the published rules: the troll player chooses the captured dwarfs.

LOAD thud.4th
troll-capture=choice
