"""Distributions of fragments over time, from fragments.csv: the content of fragment_statistics.csv.

The size of a fragment is the square root of its area; its speed is relative to the centre of mass of all fragments.
Fits are by maximum likelihood, for frames with at least five fragments:

    weibull    P(X > x) = exp(-(x / scale)^modulus)                  of sizes and of speeds
    rayleigh   P(X > x) = exp(-x² / (2 scale²))                      of sizes
    grady      P(X > x) = exp(-x / scale)                            of masses: D. E. Grady, M. E. Kipp, "Geometric
               statistics and dynamic fragmentation", J. Appl. Phys. 58 (1985) 1210

If all fragments have the same density, the second and the third law are equivalent.

column                                          unit
step, time, fragments                           -, s, -
mean_mass, largest_mass                         kg
mean_size, largest_size                         m
mean_speed, largest_speed                       m/s
size_weibull_scale, size_weibull_modulus        m, -
size_rayleigh_scale                             m
mass_grady_scale                                kg
speed_weibull_scale, speed_weibull_modulus      m/s, -
..._distance                                    -     Kolmogorov-Smirnov distance of each fit: the largest difference
                                                      between measured and fitted distribution; 0: a perfect fit
"""
from dataclasses import dataclass

import numpy as np
import pandas
from scipy import stats

FEWEST = 5  # smallest number of fragments for a fit
_LAWS = {"weibull": stats.weibull_min, "rayleigh": stats.rayleigh, "grady": stats.expon}
FITTED = (("size", "weibull"), ("size", "rayleigh"), ("mass", "grady"), ("speed", "weibull"))


@dataclass(frozen=True)
class Fit:
    law: str  # weibull, rayleigh or grady
    scale: float  # in the unit of the values
    modulus: float  # of weibull, else NaN
    distance: float  # Kolmogorov-Smirnov distance

    def survival(self, x):
        """Fraction of values larger than x."""
        return _frozen(self.law, self.scale, self.modulus).sf(x)


def _frozen(law, scale, modulus):
    return _LAWS[law](*([modulus] if law == "weibull" else []), loc=0, scale=scale)


def fit(values, law):
    """Maximum-likelihood fit of the law to positive values; None for fewer than five values, or if all are equal."""
    values = np.asarray(values, dtype=float)
    values = values[values > 0]
    if len(values) < FEWEST or np.ptp(values) == 0:
        return None
    *modulus, _, scale = _LAWS[law].fit(values, floc=0)
    modulus = modulus[0] if modulus else np.nan
    distance = stats.kstest(values, _frozen(law, scale, modulus).cdf).statistic
    return Fit(law, float(scale), float(modulus), float(distance))


def measures(fragments):
    """Mass, size and speed of the fragments of one frame (rows of fragments.csv) as arrays, without eroded triangles."""
    fragments = fragments[fragments["fragment"] >= 0]
    mass = fragments["mass"].to_numpy()
    velocity = fragments[["velocity_x", "velocity_y"]].to_numpy()
    of_all = mass @ velocity / mass.sum() if len(mass) else np.zeros(2)
    return {"mass": mass, "size": np.sqrt(fragments["area"].to_numpy()),
            "speed": np.linalg.norm(velocity - of_all, axis=1)}


def fragment_table(fragments):
    """A row for each frame, with the columns above."""
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
