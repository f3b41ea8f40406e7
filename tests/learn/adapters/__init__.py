"""Tests of the environments for PettingZoo, Gymnasium and OpenSpiel."""
