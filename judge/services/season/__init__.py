"""Seasons: the points of several events added up."""
