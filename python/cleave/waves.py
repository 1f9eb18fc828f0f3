"""Speeds of elastic waves, from the constants of a case."""
import math

from scipy.optimize import brentq


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

    def equation(x):  # x = c²/s²; divided by x, because 0 is a root
        return ((2 - x) ** 2 - 4 * math.sqrt((1 - ratio * x) * (1 - x))) / x

    return math.sqrt(brentq(equation, 1e-3, 1.0, xtol=1e-14) * shear / density)


def rayleigh_speed_of(case):
    """Lowest Rayleigh speed of the materials of a resolved case; NaN if a user-defined law has other constants."""
    materials = case["material"] if isinstance(case["material"], list) else [case["material"]]
    if not all({"young_modulus", "poisson_ratio", "density"} <= set(m) for m in materials):
        return math.nan
    return min(rayleigh_speed(float(m["young_modulus"]), float(m["poisson_ratio"]), float(m["density"]),
                              m.get("plane", "strain")) for m in materials)
