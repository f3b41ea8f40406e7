"""Saved games of Zillions (`.zsg`): replayed to a position, and written from one."""
