: loaded-six 6 . ; loaded-six
