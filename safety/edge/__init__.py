"""Text in: what was said, as typed items that quote it; and what a conversing agent should do about it. Nothing is decided."""
