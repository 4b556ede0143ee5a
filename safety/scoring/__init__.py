"""Metrics of treatment plans, as MedConsultBench defines them, and one score of many metrics for a table of models."""

from safety.scoring.run import Scores, score

__all__ = ["Scores", "score"]
