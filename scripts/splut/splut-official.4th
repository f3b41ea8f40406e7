\ Splut! official: four teams by the designer's rules, without passes for eliminated teams.

LOAD splut.4th

preset=official
