\ Loaded by main.4th in the parent folder.
: loaded-six 6 . ; loaded-six
