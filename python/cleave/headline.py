"""The numbers about a run that a reader asks for first, as texts."""
import numpy as np

from .errors import ResultsError
from .page import number


def headline(results):
    """Names and texts. The failed length is left out when the frames do not tell it."""
    last, numbers = results.history.iloc[-1], []
    numbers += [("simulated", number(float(last["time"]), "s")), ("triangles", number(results.summary["elements"])),
                ("fragments", number(int(last["fragments"])))]
    try:
        numbers.append(("failed length of cracks", number(results.failed_length, "m")))
    except ResultsError:
        pass
    return numbers + [
        ("dissipated by cracks", number(float(last["dissipated_energy"]), "J")),
        ("cohesive elements failed, of those inserted",
         f"{number(int(last['failed_elements']))} of {number(int(last['cohesive_elements']))}"),
        ("steps", number(int(last["step"]))),
        ("largest balance error", f"{np.abs(results.history['balance_error']).max():.1e}")]
