"""Measure what chapters print as timings, and store it with this machine described.

Run as ``python tools/record_timings.py [names...]``, on a machine that does nothing else;
without names, all of them. Then ``make notebooks`` stores the chapters anew.
"""
import os
import sys

from crossover.evidence import batch_rates, cache_saving, round_times, weight_read
from crossover.evidence.machine import cores
from crossover.evidence.recorded import record

MEASURES = {
    "batch_rates": batch_rates.measure,
    "cache_saving": cache_saving.measure,
    "round_times": round_times.measure,
    "weight_read": weight_read.measure,
}


def main(names):
    """Record `names`, or all."""
    unknown = [name for name in names if name not in MEASURES]
    if unknown:
        sys.exit(f"unknown timing: {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    for name in names or MEASURES:
        # Whatever else runs takes time from what is measured.
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
        busy = f", on a busy machine (load {load:.1f} on {cores()} cores)" if load > 0.5 else ""
        print(f"{name}: {record(name, MEASURES[name])}{busy}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
