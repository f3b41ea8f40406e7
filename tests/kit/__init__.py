"""What many tests use.

- `boards`: small games and the beginnings of games, as texts.
- `games`: loaded games, games from texts, and moves by their texts.
- `random_games`: random moves.
- `every_game`: the bundled games, as parameters of a test.
- `cases`: many small cases in one test.
- `messages`: the words of error messages, in one file.
- `commands`: the fixture `cli`, which runs commands in this process.
- `processes`: programs in processes of their own.
- `files`: files that a test writes.
"""
