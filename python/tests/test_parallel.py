import functools
import os
import signal

import pytest

import cleave
from cleave.parallel import each


@pytest.mark.parametrize("workers", [1, 3])
def test_what_functions_give_comes_in_their_order(workers):
    assert list(each([functools.partial(pow, number, 2) for number in range(20)], workers)) == [n * n for n in range(20)]


def test_an_error_in_a_process_is_raised(results):
    jobs = [functools.partial(cleave.plot.fields, results, "sped"), functools.partial(abs, 1)]
    with pytest.raises(cleave.ResultsError, match="did you mean 'speed'"):
        list(each(jobs, 2))


def test_a_process_that_dies_is_an_error():
    with pytest.raises(cleave.ResultsError, match="ended from outside"):
        list(each([lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1], 2))
