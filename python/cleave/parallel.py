"""Functions called by several processes."""
import concurrent.futures
import multiprocessing
import os

from .errors import ResultsError

_MOST = 8  # processes, each with a frame in memory
_jobs = []  # of `each`; processes that are forked inherit it


def processors():
    """Number of processes that it makes sense to use here."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(there, _MOST)


def each(jobs, workers):
    """Yields what functions without arguments give back, in their order; by forked processes where that is possible."""
    if workers < 2 or len(jobs) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from (job() for job in jobs)
        return
    _jobs[:] = jobs
    try:
        with concurrent.futures.ProcessPoolExecutor(min(workers, len(jobs)), multiprocessing.get_context("fork")) as pool:
            yield from pool.map(_call, range(len(jobs)))
    except concurrent.futures.process.BrokenProcessPool:
        raise ResultsError("a process that drew has been ended from outside; there may be too little memory") from None
    finally:
        _jobs.clear()


def _call(number):
    return _jobs[number]()
