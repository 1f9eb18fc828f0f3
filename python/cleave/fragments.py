"""Distributions of fragments over time, from fragments.csv: what fragment_statistics.csv holds.

A size is the square root of an area, a speed that of a fragment relative to the centre of mass of all. Fits are by
largest likelihood, to frames with at least five fragments:

    weibull    P(X > x) = exp(-(x / scale)^modulus)                  of sizes and of speeds
    rayleigh   P(X > x) = exp(-x² / (2 scale²))                      of sizes
    grady      P(X > x) = exp(-x / scale)                            of masses: D. E. Grady, M. E. Kipp, "Geometric
               statistics and dynamic fragmentation", J. Appl. Phys. 58 (1985) 1210

Where all fragments have one density, the second and the third say the same, one of sizes and one of masses.

column                                          unit
step, time, fragments                           -, s, -
mean_mass, largest_mass                         kg
mean_size, largest_size                         m
mean_speed, largest_speed                       m/s
size_weibull_scale, size_weibull_modulus        m, -
size_rayleigh_scale                             m
mass_grady_scale                                kg
speed_weibull_scale, speed_weibull_modulus      m/s, -
..._distance                                    -     of each fit: of Kolmogorov and Smirnov, the largest difference
                                                      between measured and fitted distribution; 0: a perfect fit
"""
from dataclasses import dataclass

import numpy as np
import pandas
from scipy import stats

FEWEST = 5  # fragments in a fit
_LAWS = {"weibull": stats.weibull_min, "rayleigh": stats.rayleigh, "grady": stats.expon}
FITTED = (("size", "weibull"), ("size", "rayleigh"), ("mass", "grady"), ("speed", "weibull"))


@dataclass(frozen=True)
class Fit:
    law: str  # weibull, rayleigh or grady
    scale: float  # in the unit of the values
    modulus: float  # of weibull, else NaN
    distance: float  # of Kolmogorov and Smirnov

    def survival(self, x):
        """Part of all that is larger than x."""
        return _frozen(self.law, self.scale, self.modulus).sf(x)


def _frozen(law, scale, modulus):
    return _LAWS[law](*([modulus] if law == "weibull" else []), loc=0, scale=scale)


def fit(values, law):
    """The law that makes these positive values the likeliest, or None of fewer than five, or if all are the same."""
    values = np.asarray(values, dtype=float)
    values = values[values > 0]
    if len(values) < FEWEST or np.ptp(values) == 0:
        return None
    *modulus, _, scale = _LAWS[law].fit(values, floc=0)
    modulus = modulus[0] if modulus else np.nan
    distance = stats.kstest(values, _frozen(law, scale, modulus).cdf).statistic
    return Fit(law, float(scale), float(modulus), float(distance))


def measures(fragments):
    """Mass, size and speed of the fragments of one frame (rows of fragments.csv) as arrays, without what has eroded."""
    fragments = fragments[fragments["fragment"] >= 0]
    mass = fragments["mass"].to_numpy()
    velocity = fragments[["velocity_x", "velocity_y"]].to_numpy()
    of_all = mass @ velocity / mass.sum() if len(mass) else np.zeros(2)
    return {"mass": mass, "size": np.sqrt(fragments["area"].to_numpy()),
            "speed": np.linalg.norm(velocity - of_all, axis=1)}


def fragment_table(fragments):
    """A row for each frame; columns as above."""
    frames = fragments.groupby(["step", "time"])
    return pandas.DataFrame([_row(step, time, measures(rows)) for (step, time), rows in frames])


def _row(step, time, measured):
    row = {"step": step, "time": time, "fragments": len(measured["mass"])}
    for name in ("mass", "size", "speed"):
        values = measured[name] if len(measured[name]) else np.array([np.nan])
        row[f"mean_{name}"], row[f"largest_{name}"] = values.mean(), values.max()
    for name, law in FITTED:
        fitted = fit(measured[name], law)
        row[f"{name}_{law}_scale"] = fitted.scale if fitted else np.nan
        if law == "weibull":
            row[f"{name}_{law}_modulus"] = fitted.modulus if fitted else np.nan
        row[f"{name}_{law}_distance"] = fitted.distance if fitted else np.nan
    return row
