"""Values that colour a frame, from the name of a field."""
from dataclasses import dataclass

import numpy as np

from .errors import choose
from .units import scale_for, unit_of

# The colour maps of every kind of quantity: of values from zero, light there so that cracks show, and of signed values.
COLOUR_MAPS = {
    "stress": ("Reds", "RdBu_r"),
    "strain": ("Purples", "PuOr_r"),
    "energy": ("YlOrBr", "BrBG"),
    "velocity": ("GnBu", "PRGn"),
    "displacement": ("summer_r", "PiYG"),
    "other": ("Wistia", "coolwarm"),
}
_KIND_BY_UNIT = {"Pa": "stress", "J/m³": "energy", "m/s": "velocity", "m": "displacement"}

# What a picture shows unless told otherwise: the first of these that the frames have.
_USUAL = ("stress", "largest_principal_stress", "von_mises_stress", "speed")

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


def usual_field(frame):
    """The field that a picture shows unless told otherwise; None if the frame has none of the usual ones."""
    names = field_names(frame)
    return next((name for name in _USUAL if name in names), None)


def field_of(frame, name):
    """The field of a frame: an array by its name, a component of it (velocity_x, stress_xy), `speed` or `energy`.

    A vector without a component gives its length, a tensor its largest principal value. Raises ResultsError with the
    available names.
    """
    array = _ALIASES.get(name, name)
    component = None
    if array not in frame.point_data and array not in frame.cell_data:
        choose(name, field_names(frame), "field")
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
    kind: str  # of COLOUR_MAPS

    @property
    def style(self):
        return {"cmap": COLOUR_MAPS[self.kind][self.signed], "vmin": self.low, "vmax": self.high}


def kind_of(name, unit):
    """The kind of a quantity in COLOUR_MAPS, by its name and its unit."""
    return "strain" if "strain" in name and unit == "" else _KIND_BY_UNIT.get(unit, "other")


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
    return ColourScale(float(scale(low)), float(scale(high)), scale.label(field.name), scale, signed,
                       kind_of(field.name, field.unit))
