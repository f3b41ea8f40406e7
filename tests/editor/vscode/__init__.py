"""Tests of the extension for VS Code; those of its own modules are in editors/vscode/test."""
