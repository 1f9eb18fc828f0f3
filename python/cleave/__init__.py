"""Results of Cleave in Python: tables, frames, plots, reports; and runs of the program.

    import cleave
    results = cleave.run("configs/quickstart.yaml", set={"time.end": 50e-6})
    results.history.plot("time", "kinetic_energy")
    cleave.plot.fields(results, ["stress"], frames=[-1]).savefig("stress.png")
"""
from . import plot
from .errors import ResultsError
from .results import Results
from .running import RunError, run, sweep
from .study import Study

__all__ = ["Results", "ResultsError", "RunError", "Study", "plot", "run", "sweep"]
