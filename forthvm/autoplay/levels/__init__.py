"""The measurement of levels: engines whose neighbours differ by 100 Elo.

calibration.py has the choices for each game and the matches, scale.py the engines of a scale and
the choice of the next one.
"""
