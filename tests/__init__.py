"""A tree for each package, one for what a browser shows, one for the repository itself."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
