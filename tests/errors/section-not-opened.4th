{board 1 1 {grid} board}
players}   \ expect error: players} without {players before it
