"""Test results and vital signs: where they lie, how urgent they are, where they are heading, what medicines do to them."""
