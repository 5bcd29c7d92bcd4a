"""What a timing was made on, in one line that stands beside it."""

import os
import platform
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

_CPU_INFO = Path("/proc/cpuinfo")
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


def cores():
    """Return the cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(affinity(0)) if affinity else os.cpu_count()


def last_level_cache(folder=_CACHES):
    """Return the bytes of the largest cache, or None where the system does not tell.

    Only Linux tells without help. A virtual machine may share the cache with others.
    """
    sizes = [path.read_text().strip() for path in folder.glob("index*/size")]
    return max((int(size[:-1]) * _UNITS[size[-1]] for size in sizes), default=None)


def _cpu():
    lines = _CPU_INFO.read_text().splitlines() if _CPU_INFO.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _blas():
    """Name the BLAS that NumPy calls, and its threads (None where it does not tell)."""
    for library in threadpool_info():
        if library["user_api"] == "blas":
            kernel = library.get("architecture")
            name = f"{library['internal_api']} {library['version']}"
            return f"{name} ({kernel})" if kernel else name, library["num_threads"]
    return np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"], None


def this_machine():
    """Return what is needed to judge a timing made here and now.

    Returns
    -------
    dict
        ``cpu``, ``cores``, ``last_level_cache`` (bytes or None), ``numpy``, ``blas``,
        ``threads`` (of the BLAS, or None), ``date``.
    """
    blas, threads = _blas()
    return {
        "cpu": _cpu(),
        "cores": cores(),
        "last_level_cache": last_level_cache(),
        "numpy": np.__version__,
        "blas": blas,
        "threads": threads,
        "date": time.strftime("%Y-%m-%d"),
    }


def describe(machine):
    """Return one line, of what `this_machine` gave here or elsewhere."""
    cache, threads = machine["last_level_cache"], machine["threads"]
    return (
        f"{machine['cpu']}, cores: {machine['cores']}, last-level cache: "
        f"{f'{cache / 2**20:.0f} MiB' if cache else 'unknown'}; "
        f"NumPy {machine['numpy']}, {machine['blas']}, "
        f"threads: {'unknown' if threads is None else threads}; {machine['date']}"
    )
