#!/usr/bin/env python3
"""The notched strip of VERIFICATION.md, section 3, in Akantu and in Cleave: all facets above their strength break at once.

Usage: notched_strip.py PROGRAM [STEP_IN_NS...]     PROGRAM: cleave; steps 4 2 1 unless given
Needs `pip install akantu gmsh numpy`. Makes the folder notched_strip, with the mesh and the results of both.

Prints for each step what is left of the strain energy and what has been dissipated at 2.4 us, J/m; the largest speed and the
largest change of stress at 0.2 us in a part of the strip that no wave has reached, where both are zero by theory; and
element-steps per second of processor time, on one core. The last lines have that of an elastic strip of T6.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import time

WIDTH, HEIGHT, NOTCH = 16e-3, 4e-3, 2e-3  # m
YOUNG, POISSON, DENSITY = 3.24e9, 0.35, 1190.0  # Pa, -, kg/m^3; plane stress
STRENGTH, ENERGY = 32.4e6, 352.0  # Pa, J/m^2
STRAIN, END, EARLY = 0.015, 2.4e-6, 0.2e-6  # -, s, s
CONTACT = 5e14  # Pa/m, of Akantu; about 10 E / facet length
STRESS = YOUNG / (1 - POISSON**2) * STRAIN  # Pa, across the strip
SCRIPT = os.path.abspath(__file__)
QUIET = (5e-3, 13e-3)  # m: 3 mm from the notch and from the end, where a wave takes 1.7 us


def make_mesh(program):
    """Triangles of about 66 um; `cleave mesh` doubles the nodes of the notch."""
    import gmsh

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    geometry, size = gmsh.model.geo, 6.58e-5
    corners = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT), (0, HEIGHT / 2), (NOTCH, HEIGHT / 2)]
    points = [geometry.addPoint(x, y, 0, size) for x, y in corners]
    sides = [geometry.addLine(points[i], points[(i + 1) % 5]) for i in range(5)]
    notch = geometry.addLine(points[4], points[5])
    body = geometry.addPlaneSurface([geometry.addCurveLoop(sides)])
    geometry.synchronize()
    gmsh.model.mesh.embed(1, [notch], 2, body)
    for name, line in (("bottom", sides[0]), ("top", sides[2]), ("notch", notch)):
        gmsh.model.addPhysicalGroup(1, [line], name=name)
    gmsh.model.addPhysicalGroup(2, [body], name="body")
    gmsh.model.mesh.generate(2)
    gmsh.write("whole.msh")
    gmsh.finalize()
    write_case(4)
    subprocess.run([program, "mesh", "case.yaml", "-o", "strip.msh", "--format", "msh22-ascii"], check=True,
                   stdout=subprocess.DEVNULL)


def write_case(step_ns):
    every = round(EARLY / (step_ns * 1e-9))
    middle = HEIGHT / 2
    with open("case.yaml", "w") as out:
        out.write(f"""mesh: {{file: whole.msh, cracks: [notch], thickness: 1}}
material: {{law: linear_elastic, young_modulus: {YOUNG}, poisson_ratio: {POISSON}, density: {DENSITY}, plane: stress}}
cohesive: {{law: linear, normal: {{strength: {STRENGTH}, energy: {ENERGY}}}, insertion: {{every: 1}}}}
time: {{step: {step_ns * 1e-9}, end: {END}}}
initial: {{strain: {{yy: {STRAIN}}}}}
boundary: [{{on: bottom, fix: y}}, {{on: top, fix: y}}]
output:
  directory: cleave_{step_ns:g}
  history_every: {every}
  fields_every: 0
  lines: [{{name: quiet, from: [{QUIET[0]}, {middle}], to: [{QUIET[1]}, {middle}], points: 500, every: {every}}}]
run: {{threads: 1}}
""")


def cleave(program, step_ns):
    write_case(step_ns)

    def processor_time(*options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", "case.yaml", "--quiet", "--force", *options], check=True, stdout=subprocess.DEVNULL)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    start = processor_time("--set", "time={step: %g, steps: 1}" % (step_ns * 1e-9))
    seconds = processor_time() - start
    folder = f"cleave_{step_ns:g}"
    with open(folder + "/history.csv") as file:
        row = list(csv.DictReader(file))[-1]
    with open(folder + "/summary.json") as file:
        summary = json.load(file)
    with open(folder + "/lines.csv") as file:
        rows = list(csv.DictReader(file))
    first = min(float(r["time"]) for r in rows if float(r["time"]) > 0)
    early = [r for r in rows if float(r["time"]) == first]
    return {
        "elements": summary["elements"], "strain": float(row["strain_energy"]), "kinetic": float(row["kinetic_energy"]),
        "dissipated": float(row["dissipated_energy"]), "reversible": float(row["recoverable_energy"]),
        "speed": max((float(r["vx"])**2 + float(r["vy"])**2)**0.5 for r in early),
        "stress": max(abs(float(r["syy"]) / STRESS - 1) for r in early),
        "rate": summary["elements"] * (summary["steps"] - 1) / seconds}


def akantu(step_ns):
    import akantu as aka
    import numpy as np

    with open("material.dat", "w") as out:
        out.write(f"""model solid_mechanics_model_cohesive [
  cohesive_inserter []
  material elastic [
    name = body
    rho = {DENSITY}
    E = {YOUNG}
    nu = {POISSON}
    Plane_Stress = 1
  ]
  material cohesive_linear [
    name = cohesive
    sigma_c = {STRENGTH}
    G_c = {ENERGY}
    beta = 1
    kappa = 1
    penalty = {CONTACT}
  ]
]
""")
    aka.parseInput("material.dat")
    mesh = aka.Mesh(2)
    mesh.read("strip.msh")
    model = aka.SolidMechanicsModelCohesive(mesh)
    model.initFull(_analysis_method=aka._explicit_lumped_mass, _is_extrinsic=True)
    step = step_ns * 1e-9
    model.setTimeStep(step)
    model.updateAutomaticInsertion()
    x, held = mesh.getNodes(), model.getBlockedDOFs()
    model.getDisplacement()[:, 1] = STRAIN * (x[:, 1] - HEIGHT / 2)
    held[(abs(x[:, 1]) < 1e-9) | (abs(x[:, 1] - HEIGHT) < 1e-9), 1] = True
    model.assembleInternalForces()
    elements, steps, early = mesh.getNbElement(type=aka._triangle_3), round(END / step), round(EARLY / step)
    result, seconds = {"elements": elements}, 0
    for i in range(steps):
        start = time.process_time()
        model.checkCohesiveStress()
        model.solveStep("explicit_lumped")
        seconds += time.process_time() - start
        if i + 1 == early:
            position = mesh.getNodes()
            inside = (position[:, 0] > QUIET[0]) & (position[:, 0] < QUIET[1])
            result["speed"] = float(np.linalg.norm(model.getVelocity(), axis=1)[inside].max())
            corners = position[mesh.getConnectivity(aka._triangle_3)]
            within = (corners[:, :, 0] > QUIET[0]).all(axis=1) & (corners[:, :, 0] < QUIET[1]).all(axis=1)
            stress = model.getMaterial(0).getStress(aka._triangle_3)[:, 3]
            result["stress"] = float(abs(stress[within] / STRESS - 1).max())
    for name, energy in (("strain", "potential"), ("kinetic", "kinetic"), ("dissipated", "dissipated"),
                         ("reversible", "reversible")):
        result[name] = model.getEnergy(energy)
    result["rate"] = elements * steps / seconds
    print(json.dumps(result))


ELASTIC_STEPS, ELASTIC_STEP = 200, 4e-9  # -, s


def write_elastic_case():
    with open("elastic.yaml", "w") as out:
        out.write(f"""mesh: {{shape: rectangle, size: [{WIDTH}, {HEIGHT}], divisions: [96, 24], element: T6, thickness: 1}}
material: {{law: linear_elastic, young_modulus: {YOUNG}, poisson_ratio: {POISSON}, density: {DENSITY}, plane: stress}}
time: {{step: {ELASTIC_STEP}, steps: 20000}}
initial: {{strain: {{yy: {STRAIN}}}}}
output: {{directory: elastic, history_every: 1000, fields_every: 0}}
run: {{threads: 1}}
""")


def cleave_elastic(program):
    seconds = []
    for steps in (1, 20000):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([program, "run", "elastic.yaml", "--quiet", "--force", "--set", f"time.steps={steps}"], check=True,
                       stdout=subprocess.DEVNULL)
        seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return {"rate": 4 * 96 * 24 * 19999 / (seconds[1] - seconds[0])}


def akantu_elastic():
    import akantu as aka

    with open("elastic.dat", "w") as out:
        out.write(f"""material elastic [
  name = body
  rho = {DENSITY}
  E = {YOUNG}
  nu = {POISSON}
  Plane_Stress = 1
]
""")
    aka.parseInput("elastic.dat")
    mesh = aka.Mesh(2)
    mesh.read("elastic.msh")
    model = aka.SolidMechanicsModel(mesh)
    model.initFull(_analysis_method=aka._explicit_lumped_mass)
    model.setTimeStep(ELASTIC_STEP)
    model.getDisplacement()[:, 1] = STRAIN * mesh.getNodes()[:, 1]
    start = time.process_time()
    for _ in range(ELASTIC_STEPS):
        model.solveStep("explicit_lumped")
    elements = mesh.getNbElement(type=aka._triangle_6)
    print(json.dumps({"rate": elements * ELASTIC_STEPS / (time.process_time() - start)}))


def in_own_process(*arguments):
    """Akantu keeps what it has read until its process ends."""
    text = subprocess.run([sys.executable, SCRIPT, "--akantu", *arguments], check=True, capture_output=True, text=True)
    return json.loads(text.stdout.splitlines()[-1])


def main():
    if sys.argv[1] == "--akantu":
        return akantu_elastic() if sys.argv[2] == "elastic" else akantu(float(sys.argv[2]))
    program = os.path.abspath(sys.argv[1])
    steps = [float(s) for s in sys.argv[2:]] or [4.0, 2.0, 1.0]
    os.makedirs("notched_strip", exist_ok=True)
    os.chdir("notched_strip")
    make_mesh(program)
    print("program step_ns strain kinetic dissipated reversible speed stress_change rate")
    for step in steps:
        for name, run in (("akantu", lambda: in_own_process(str(step))), ("cleave", lambda: cleave(program, step))):
            r = run()
            print(f"{name} {step:g} {r['strain']:.2f} {r['kinetic']:.2f} {r['dissipated']:.2f} {r['reversible']:.2f} "
                  f"{r['speed']:.3g} {r['stress']:.3g} {r['rate']:.3g}", flush=True)
    write_elastic_case()
    subprocess.run([program, "mesh", "elastic.yaml", "-o", "elastic.msh", "--format", "msh22-ascii"], check=True,
                   stdout=subprocess.DEVNULL)
    print(f"akantu elastic T6 {in_own_process('elastic')['rate']:.3g}")
    print(f"cleave elastic T6 {cleave_elastic(program)['rate']:.3g}")


main()
