"""Lines of a problem list → what each names, and what it says of that."""
