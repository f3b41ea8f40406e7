"""Games as environments of PettingZoo, Gymnasium and OpenSpiel.

Each module adapts games to one framework and imports its package: `pettingzoo`, `gymnasium` and
`openspiel`.  All rules, actions and observations come from the layers below.
"""
