"""The inference model behind *The Staging Benchmark That Lied*.

Imports point one way: ``show`` -> ``serving``, ``evidence`` -> ``engine`` -> ``theory``.
"""

__version__ = "0.1.0"
