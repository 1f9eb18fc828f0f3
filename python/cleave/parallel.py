"""Functions called by several processes."""
import multiprocessing

_jobs = []  # of `each`; processes that are forked inherit it


def each(jobs, workers):
    """Yields what functions without arguments give back, in their order; by forked processes where that is possible."""
    if workers < 2 or len(jobs) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from (job() for job in jobs)
        return
    _jobs[:] = jobs
    with multiprocessing.get_context("fork").Pool(min(workers, len(jobs))) as pool:
        yield from pool.imap(_call, range(len(jobs)))


def _call(number):
    return _jobs[number]()
