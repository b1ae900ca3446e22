"""Tests of the working folder."""
