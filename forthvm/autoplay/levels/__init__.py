"""The measurement of levels: engines whose neighbours differ by 100 Elo.

plans.py has the choices for each game, scale.py the engines of a scale and the choice of the next
one, calibration.py the matches.
"""
