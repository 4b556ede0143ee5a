"""Doses: the text of a sig → a schedule; strengths and totals → how much of each ingredient, exactly."""
