"""Networks: evaluations of positions that are learned by self-play.

    import forthvm
    from forthvm.learn.network import TrainingSettings, train

    game = forthvm.load("breakthrough")
    network = train(game, TrainingSettings(games=100))
    network.write("breakthrough.net")

This file owns the public names.  The files below it own what a network sees of a game (inputs.py),
the games (selfplay.py), what their scores mean (own_evaluation.py), the rounds of training
(training.py), matches that show whether it helps (strength.py), what was learned about pieces
(effects.py), and networks as scripts (forth.py).  Engines read the files (engines/network.py); the
arithmetic is in native/network.
"""

from __future__ import annotations

from .forth import evaluation_script
from .selfplay import SelfPlaySettings
from .strength import Strength, compare
from .training import Progress, TrainingSettings, train

__all__ = [
    "Progress",
    "SelfPlaySettings",
    "Strength",
    "TrainingSettings",
    "compare",
    "evaluation_script",
    "train",
]
