\ Thud by the published rules: the troll player picks which dwarfs are taken.

LOAD thud.4th
troll-capture=choice
