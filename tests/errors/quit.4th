QUIT   \ expect error: QUIT
