"""Speeds of elastic waves, from the constants of a case."""
import math

import numpy as np


def rayleigh_speed(young_modulus, poisson_ratio, density, plane="strain"):
    """Speed of waves along a free surface, m/s, an upper bound for the speed of mode I cracks.

    Root of Rayleigh's equation (2 - c²/s²)² = 4 √(1 - c²/p²) √(1 - c²/s²), with p and s the speeds of pressure and
    shear waves in the plane. Pa, -, kg/m³; plane: strain or stress.
    """
    shear = young_modulus / (2 * (1 + poisson_ratio))
    if plane == "strain":
        pressure = young_modulus * (1 - poisson_ratio) / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))
    else:
        pressure = young_modulus / (1 - poisson_ratio**2)
    ratio = shear / pressure  # s²/p²

    # With x = c²/s², squared, and divided by x: x³ - 8 x² + (24 - 16 ratio) x - 16 (1 - ratio) = 0.
    roots = np.roots([1, -8, 24 - 16 * ratio, -16 * (1 - ratio)])
    x = next(root.real for root in roots if abs(root.imag) < 1e-9 and 0 < root.real < 1)
    return math.sqrt(x * shear / density)


def rayleigh_speed_of(case):
    """Lowest Rayleigh speed of the materials of a resolved case; NaN if a user-defined law has other constants."""
    materials = case["material"] if isinstance(case["material"], list) else [case["material"]]
    if not all({"young_modulus", "poisson_ratio", "density"} <= set(m) for m in materials):
        return math.nan
    return min(rayleigh_speed(float(m["young_modulus"]), float(m["poisson_ratio"]), float(m["density"]),
                              m.get("plane", "strain")) for m in materials)
