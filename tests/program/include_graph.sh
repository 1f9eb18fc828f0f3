#!/usr/bin/env bash
# Includes point one way. Reads every #include "..." of include/cleave, src and cuda, and says file, line and reason of
# each that is against the rules below. Then plants errors in a copy, each of which must be found.
#
#     include_graph.sh REPOSITORY
set -euo pipefail

repository=$(cd "$1" && pwd)

# A folder, and the folders whose headers its files may include besides its own. Public headers (include/cleave/NAME)
# go by NAME. A line may name folders of lines above it only, so there are no cycles.
# `solver` is the interface of a running simulation. `model` is include/cleave/solver/model.hpp, which depends on the
# case file; output must not. `src/terms/*` is the folder of any term but bulk; a line of its own names what it may include
# besides, and one without folders stands for a term that other lines name.
layers='
core
lockstep:     core
mesh:         core
partition:    core mesh
material:     core
force:        core material
process:      core lockstep mesh material
case:         core mesh material force process
solver:       core mesh process
model:        core mesh material force case
output:       core mesh case solver
src/mesh:     core mesh
src/partition: core mesh partition
src/case:     core mesh material force process case
src/model:    core mesh partition material force process case model src/mesh
src/output:   core mesh case solver output
src/backend:  core lockstep partition
src/body:     core lockstep mesh partition material process src/backend
src/terms/bulk: core lockstep mesh partition material solver model src/backend src/body
src/fracture: core lockstep mesh partition material solver model src/backend src/body src/terms/bulk
src/parts:    core lockstep mesh partition solver model src/backend src/body src/fracture
src/terms:    core lockstep solver model src/body
src/terms/forces: force
src/terms/processes: process
src/terms/*:  core lockstep mesh material solver model src/backend src/body src/fracture src/parts src/terms src/terms/bulk
src/terms/cohesive:
src/terms/loads:
src/terms/outside:
src/terms/held_groups:
src/terms/friction: src/terms/cohesive
src/terms/cracks: src/terms/cohesive src/terms/loads
src/terms/contact: src/terms/cohesive
src/step:     core lockstep mesh partition material process case solver model src/backend src/body src/fracture src/parts src/terms src/terms/bulk src/terms/*
src/published: core lockstep mesh material solver model src/backend src/body src/fracture src/terms/bulk src/terms/cohesive src/terms/cracks src/terms/outside src/terms/held_groups src/step
src/solvers:  core mesh solver model src/step src/published src/terms/cohesive
src/backend/cpu: core lockstep partition solver model src/backend src/step src/solvers
src/backend/counting: core lockstep partition solver model src/backend src/solvers
cuda:         core lockstep partition solver model src/backend src/step src/solvers
src/app: core mesh partition material case solver model output src/model
src:          core src/app
'

# Includes that run back up, which are to become fewer: FILE NAME.
upward='
src/terms/cohesive/face_forces.hpp terms/cracks/crack_pressure.hpp
src/terms/cohesive/face_forces.hpp terms/friction/friction_law.hpp
'

# Folders that nvcc reads, and headers of libraries that must not get there.
for_nvcc='^(core|lockstep|mesh|partition|material|force|case|solver|model|src/(backend|body|fracture|parts|step|solvers|published|terms|terms/[a-z_]+)|cuda)$'
host_library='^[ \t]*#[ \t]*include[ \t]*<(vtk|mpi|yaml-cpp|Eigen|unsupported/Eigen)'
# What only nvcc understands.
cuda_word='(__global__|__device__|__host__|__shared__|__constant__|__launch_bounds__|__sync[a-z]+|threadIdx|blockIdx|<<<|cuda[A-Z][A-Za-z]*[(]|#[ \t]*include[ \t]*<(cub|thrust|cuda|cooperative_groups))'

# Prints what is wrong with the tree at $1; fails if anything is.
check() {
  (cd "$1" && find include/cleave src cuda -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort |
    xargs awk -v layers="$layers" -v upward="$upward" -v for_nvcc="$for_nvcc" -v host_library="$host_library" -v cuda_word="$cuda_word" '
    function wrong(what) { printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, what; faults++ }

    # The folder of a file, as `layers` names it.
    function folder_of(path, part, n) {
      if (path == "include/cleave/solver/model.hpp") return "model"
      n = split(path, part, "/")
      if (part[1] == "include") return part[3]
      if (part[1] == "src" && part[2] == "terms") return n == 3 ? "src/terms" : "src/terms/" part[3]
      if (path ~ /^src\/backend\/cpu\//) return "src/backend/cpu"
      if (path ~ /^src\/backend\/counting\//) return "src/backend/counting"
      if (part[1] == "src" && n > 2) return "src/" part[2]
      return part[1]
    }

    # The line that holds for all folders like this one.
    function kind_of(folder) { return folder ~ /^src\/terms\// && folder != "src/terms/bulk" ? "src/terms/*" : folder }
    function is_allowed(to) {
      return to == from || ((from, to) in may) || ((from, kind_of(to)) in may) || ((kind_of(from), to) in may)
    }

    # The file that an #include "..." means.
    function target_of(name) {
      if (name ~ /^cleave\//) return "include/" name
      if (name ~ /\//) return "src/" name
      return from == "cuda" ? "cuda/" name : ""
    }

    function check_include(name, to, target) {
      target = target_of(name)
      if (target == "" || name ~ /\.\./) return wrong("name the folder: \"cleave/FOLDER/...\" or \"FOLDER/...\"")
      to = folder_of(target)
      if (!(kind_of(to) in known)) return wrong("no layer for " to ": add it to tests/program/include_graph.sh")
      if (!is_allowed(to) && index(upward, "\n" FILENAME " " name "\n") == 0)
        wrong(from " must not include " to)
    }

    # Whether the line stands between #if and #endif of a condition about nvcc.
    function follow_guards(i) {
      if ($0 ~ /^[ \t]*#[ \t]*if/) guard[++depth] = $0 ~ /__CUDACC__|__CUDA_ARCH__/
      else if ($0 ~ /^[ \t]*#[ \t]*endif/) depth--
      guarded = 0
      for (i = 1; i <= depth; i++) guarded = guarded || guard[i]
    }

    function finish_file() {
      if (file ~ /^cuda\// && !holds_cuda) {
        printf "%s: a C++ compiler can read it: it does not belong in cuda/\n", file
        faults++
      }
    }

    BEGIN {
      rows = split(layers, row, "\n")
      for (r = 1; r <= rows; r++) {
        words = split(row[r], word, /[: ]+/)
        if (row[r] == "") continue
        for (w = 2; w <= words; w++) {
          if (word[w] != "" && !(word[w] in known)) { printf "layers: %s must stand above %s\n", word[w], word[1]; faults++ }
          may[word[1], word[w]]
        }
        known[word[1]]
      }
    }

    FNR == 1 {
      finish_file()
      file = FILENAME; from = folder_of(FILENAME); depth = 0; holds_cuda = 0
      if (!(kind_of(from) in known)) wrong("no layer for " from ": add it to tests/program/include_graph.sh")
    }
    { follow_guards() }
    /^[ \t]*\/\// { next }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, quoted, "\"")
      check_include(quoted[2])
      if (quoted[2] ~ /\.cuh$/) {
        holds_cuda = 1
        if (from != "cuda") wrong("only cuda/ may include a .cuh")
      }
    }
    $0 ~ host_library && from ~ for_nvcc { wrong("nvcc reads this file: VTK, yaml-cpp and Eigen stay out") }
    $0 ~ cuda_word && !guarded {
      holds_cuda = 1
      if (from != "cuda") wrong("CUDA that only nvcc understands: guard it with __CUDACC__, or move it to cuda/")
    }
    END { finish_file(); exit faults > 0 }')
}

check "$repository"

# Each planted error must be found, by its file and line.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
planted=0
plant() {  # plant FILE LINE: the line before the first of FILE, which may be new
  rm -rf "${copy:?}"/* && cp -r "$repository/include" "$repository/src" "$repository/cuda" "$copy"
  mkdir -p "$(dirname "$copy/$1")"
  { echo "$2"; cat "$repository/$1" 2> /dev/null || true; } > "$copy/$1"
  if found=$(check "$copy") || [[ $found != *"$1:"* ]]; then
    echo "not found in $1: $2"
    exit 1
  fi
  planted=$((planted + 1))
}
plant include/cleave/material/ppr.hpp '#include "cleave/case/case.hpp"'        # upwards
plant include/cleave/mesh/mesh.hpp '#include "cleave/material/curve.hpp"'        # sideways
plant include/cleave/core/types.hpp '#include "cleave/lockstep/kernel.hpp"'
plant src/body/element_mass.hpp '#include "fracture/facet_list.hpp"'
plant src/body/element_mass.hpp '#include "cleave/solver/model.hpp"'
plant src/body/element_mass.hpp '#include "sums.hpp"'                                 # names no folder
plant src/output/vtk.cpp '#include "cleave/solver/model.hpp"'
plant src/body/body_state.hpp '#include "backend/cpu/cpu_backend.hpp"'
plant src/body/body_state.hpp '#include "case/tree.hpp"'                          # private, of another folder
plant src/backend/cpu/cpu_solver.cpp '#include "cuda_backend.cuh"'
plant src/published/coloured_stress.hpp '#include <Eigen/Dense>'
plant src/body/body_state.hpp '#include <vtkNew.h>'
plant include/cleave/case/case.hpp '#include <yaml-cpp/yaml.h>'
plant src/published/coloured_stress.hpp '__device__ inline double twice(double x) { return 2 * x; }'
plant src/step/new_stage.hpp '  __syncthreads();'
plant cuda/plain.hpp 'int answer();'
plant src/terms/support/support.hpp '#include "terms/viscosity/viscosity.hpp"'    # one term another
plant src/terms/bulk/element_force.hpp '#include "terms/support/support.hpp"'
plant src/terms/new/new_term.hpp '#include "step/terms.hpp"'
plant src/unheard_of/thing.hpp '#include "cleave/core/types.hpp"'                # a folder without a layer
echo "includes point one way, but for $(grep -c . <<< "$upward"); $planted planted errors found"
