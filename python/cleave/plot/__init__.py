"""Plots of results. Each function returns a Matplotlib Figure; `figure.savefig("file.png")` writes it.

No window is opened and no state of matplotlib.pyplot is touched.
"""
from .columns import columns
from .cracks import cracks
from .fields import fields, pattern
from .fragments import fragments
from .history import history
from .law import law
from .lines import lines
from .probes import probes
from .study import histories, outcomes

__all__ = ["columns", "cracks", "fields", "fragments", "histories", "history", "law", "lines", "outcomes", "pattern",
           "probes"]
