"""What may be said to have happened to a dose: a closed set, which the tables of kb/spoken name and the judging looks at."""

from __future__ import annotations

FORGOTTEN, SKIPPED, IRREGULAR = "forgotten", "skipped", "irregular"
RAN_OUT, STOPPED, NOT_NEEDED = "ran-out", "stopped", "not-needed"
DOUBLE, EXTRA, TO_BE_SAFE, MAKE_UP = "double", "extra", "to-be-safe", "make-up"
HALVED, HALF_DOSE, BROKEN_UP = "halved", "half-dose", "broken-up"
ALL_AT_ONCE, BY_ACCIDENT, BOTH_NAMES = "all-at-once", "by-accident", "both-names"
CHANGED = "order-changed"
AS_PRESCRIBED, IF_MISSED, UNSURE = "as-prescribed", "if-missed", "unsure"
LASTED_SHORT, LASTED_LONG = "lasted-short", "lasted-long"
SECOND, THIRD = "second-dose", "third-dose"
EARLIER, CARED_FOR, COMMAND, BORROWED = "earlier-day", "cared-for", "command", "borrowed"
MORE_DOSE, LESS_DOSE, MORE_OFTEN, LESS_OFTEN = "more-dose", "less-dose", "more-often", "less-often"

MISSED = frozenset({FORGOTTEN, SKIPPED, IRREGULAR, RAN_OUT, STOPPED, LASTED_LONG})
"""Said of doses that are not taken."""
ADDED = frozenset({DOUBLE, EXTRA, TO_BE_SAFE, BOTH_NAMES, LASTED_SHORT})
"""Said of doses taken beyond the usual ones."""
