"""Answers for people and for other programs: a page to look at, Markdown, tables, SARIF. Shows, decides nothing."""
