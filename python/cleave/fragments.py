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
from dataclasses import dataclass, replace

import numpy as np
import pandas

FEWEST = 5  # smallest number of fragments for a fit
FITTED = (("size", "weibull"), ("size", "rayleigh"), ("mass", "grady"), ("speed", "weibull"))


@dataclass(frozen=True)
class Fit:
    law: str  # weibull, rayleigh or grady
    scale: float  # in the unit of the values
    modulus: float  # of weibull, else NaN
    distance: float  # Kolmogorov-Smirnov distance

    def survival(self, x):
        """Fraction of values larger than x."""
        ratio = np.maximum(x, 0) / self.scale
        return np.exp(-(ratio**self.modulus if self.law == "weibull" else ratio**2 / 2 if self.law == "rayleigh" else ratio))


def fit(values, law):
    """Maximum-likelihood fit of the law to positive values; None for fewer than five values, or if all are equal."""
    values = np.sort(np.asarray(values, dtype=float))
    values = values[values > 0]
    if len(values) < FEWEST or np.ptp(values) == 0:
        return None
    modulus = _weibull_modulus(values) if law == "weibull" else np.nan
    power = {"weibull": modulus, "rayleigh": 2.0, "grady": 1.0}[law]
    scale = values[-1] * np.mean((values / values[-1]) ** power) ** (1 / power)  # divided by the largest: no overflow
    fitted = Fit(law, float(scale / np.sqrt(2) if law == "rayleigh" else scale), modulus, np.nan)
    below, steps = 1 - fitted.survival(values), np.arange(len(values) + 1) / len(values)
    return replace(fitted, distance=float(max((steps[1:] - below).max(), (below - steps[:-1]).max())))


def _weibull_modulus(values):
    """The root k of sum(x^k ln x) / sum(x^k) - 1 / k - mean(ln x), which increases with k; by halving an interval."""
    logs = np.log(values / values.max())
    low, high = 1e-3, 1e3
    while high > low * (1 + 1e-12):
        middle = np.sqrt(low * high)
        powers = np.exp(middle * logs)
        if powers @ logs / powers.sum() - 1 / middle - logs.mean() < 0:
            low = middle
        else:
            high = middle
    return float(np.sqrt(low * high))


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
