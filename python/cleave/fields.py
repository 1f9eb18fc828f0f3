"""Values that colour a frame, from the name of a field."""
from dataclasses import dataclass

import numpy as np

from .errors import choose
from .units import scale_for, unit_of

_ALIASES = {"speed": "velocity", "energy": "strain_energy_density"}
_COMPONENTS = {3: ("x", "y"), 6: ("xx", "yy", "zz", "xy")}


@dataclass(frozen=True)
class Field:
    name: str  # for a label
    unit: str
    values: np.ndarray  # SI units
    at_points: bool  # False: by cell


def field_names(frame):
    """All names that `field_of` knows for this frame."""
    names = []
    for name in dict.fromkeys([*frame.point_data, *frame.cell_data]):
        names.append(name)
        names += [f"{name}_{part}" for part in _COMPONENTS.get(_width(frame[name]), ())]
    return names + [alias for alias, name in _ALIASES.items() if name in names]


def field_of(frame, name):
    """The field of a frame: an array by its name, a component of it (velocity_x, stress_xy), `speed` or `energy`.

    A vector without a component gives its length, a tensor its largest principal value. Raises ResultsError with the
    available names.
    """
    choose(name, field_names(frame), "field")
    array = _ALIASES.get(name, name)
    component = None
    if array not in frame.point_data and array not in frame.cell_data:
        array, part = array.rsplit("_", 1)
        component = _COMPONENTS[_width(frame[array])].index(part)
    values = np.asarray(frame[array])
    label = name.replace("_", " ")
    if component is not None:
        values = values[:, component]
    elif _width(values) == 3:
        values = np.linalg.norm(values, axis=1)
        label = "speed" if array == "velocity" else f"length of {label}"
    elif _width(values) == 6:
        values = _largest_principal(values)
        label = f"largest principal {label}"
    label = "strain energy density" if name == "energy" else label
    return Field(label, unit_of(array), values, at_points=array in frame.point_data)


def _largest_principal(tensors):
    """Largest principal value of each row XX, YY, ZZ, XY, YZ, XZ; the last two are zero."""
    xx, yy, zz, xy = tensors[:, :4].T
    return np.maximum((xx + yy) / 2 + np.hypot((xx - yy) / 2, xy), zz)


def _width(values):
    return values.shape[1] if values.ndim == 2 else 1


@dataclass(frozen=True)
class ColourScale:
    """One range of colours for all frames of a picture or a series, in the unit of `scale`."""

    low: float
    high: float
    label: str
    scale: object
    signed: bool  # the range is symmetric about zero

    @property
    def style(self):
        return {"cmap": "RdBu_r" if self.signed else "viridis", "vmin": self.low, "vmax": self.high}


def colour_scale(frames, name, limits=None):
    """The scale of a field over frames; limits: (low, high) in SI units; None: the range of all but 1 % of the values."""
    low = high = 0.0
    for frame in frames:
        field = field_of(frame, name)
        finite = field.values[np.isfinite(field.values)]  # all of them, unless the run has failed
        if finite.size:
            low = min(low, float(np.percentile(finite, 0.5)))
            high = max(high, float(np.percentile(finite, 99.5)))
    signed = low < -0.02 * high and limits is None
    if limits is not None:
        low, high = limits
    elif signed:
        low, high = -max(-low, high), max(-low, high)
    else:
        low = 0.0
    scale = scale_for([low, high], field.unit)
    if high == low:
        high = low + 1 / scale.factor
    return ColourScale(float(scale(low)), float(scale(high)), scale.label(field.name), scale, signed)
