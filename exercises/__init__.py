"""Exercises: a question bank, other numbers for every student, grading outside their process.

Run `python -m exercises --help` from the root of the repository.
"""
