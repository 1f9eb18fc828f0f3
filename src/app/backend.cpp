#include "app/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "cleave/case/names.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/output/text.hpp"
#include "cleave/partition/partition.hpp"
#include "cleave/solver/intact_memory.hpp"

namespace cleave {

namespace {

/// Devices for the ranks of a machine, in this order.
std::vector<int> devices_of(const RunCase& run, bool alone) {
  const auto there = static_cast<int>(cuda_devices().size());
  std::vector<int> devices;
  if (alone)
    devices = {run.device};
  else if (run.devices)
    devices = *run.devices;
  else
    for (int d = 0; d < there; ++d) devices.push_back(d);
  for (const int device : devices)
    if (device >= there)
      throw InputError(fmt::format("run.{}: there is no CUDA device {}: expected {}; `cleave info` lists them",
                                   alone ? "device" : "devices", device,
                                   there == 1 ? "0" : fmt::format("0 to {}", there - 1)));
  return devices;
}

bool are_on_one_machine(const Ranks& ranks) { return ranks.host_count() == ranks.count(); }

/// Reason why the ranks of this machine cannot exchange by NCCL; empty if they can.
std::string obstacle_of_nccl(const Ranks& ranks, std::vector<int> devices) {
  devices.resize(std::min(devices.size(), static_cast<std::size_t>(ranks.host_count())));
  std::sort(devices.begin(), devices.end());
  if (std::adjacent_find(devices.begin(), devices.end()) != devices.end())
    return "it needs a CUDA device for each rank, and run.devices names one several times";
  return why_no_nccl();
}

/// How the devices of ranks exchange.
TransportChoice transport_of(const RunCase& run, const Ranks& ranks, const std::vector<int>& devices) {
  if (run.transport != TransportChoice::automatic) return run.transport;
  if (are_on_one_machine(ranks)) return TransportChoice::peer;
  return obstacle_of_nccl(ranks, devices).empty() ? TransportChoice::nccl : TransportChoice::mpi;
}

/// Reason why several ranks cannot share the work on these devices; empty if they can. Throws InputError where NCCL is
/// asked for and cannot be used.
std::string obstacle_of_ranks(const Case& c, const Ranks& ranks, const std::vector<int>& devices) {
  if (ranks.is_alone()) return {};
  const TransportChoice transport = transport_of(c.run, ranks, devices);
  if (transport == TransportChoice::peer && !are_on_one_machine(ranks))
    return "run.transport: peer is for ranks on one machine";
  if (transport == TransportChoice::mpi && !ranks.can_carry())
    return "this MPI lets one thread of a rank call it, and devices exchange by a second one";
  if (static_cast<std::size_t>(ranks.host_count()) > devices.size())
    return fmt::format(
        "{} ranks for {} CUDA device{}; start one rank for each, or name a device several times in "
        "run.devices, which is slow",
        ranks.host_count(), devices.size(), devices.size() == 1 ? "" : "s");
  if (transport == TransportChoice::nccl)
    if (const std::string obstacle = obstacle_of_nccl(ranks, devices); !obstacle.empty())
      throw InputError(fmt::format("run.transport: nccl cannot be used: {}; take auto", obstacle));
  for (const BoundaryCase& condition : c.boundary)
    if (condition.in_cracks) return "pressure enters cracks (in_cracks) on one CUDA device only; start without mpirun";
  return {};
}

}  // namespace

Backend choose_backend(const Case& c, const Ranks& ranks) {
  const RunCase& run = c.run;
  if (run.backend == BackendChoice::cpu) return {false, "asked for"};
  const bool asked_for = run.backend == BackendChoice::cuda;
  std::string obstacle = why_no_cuda();
  std::vector<int> devices;
  if (obstacle.empty()) {
    devices = devices_of(run, ranks.is_alone());
    obstacle = obstacle_of_ranks(c, ranks, devices);
  }
  if (!obstacle.empty() && asked_for)
    throw InputError(fmt::format("the cuda backend cannot be used: {}; take --backend cpu or auto", obstacle));
  if (!obstacle.empty()) return {false, "auto: " + obstacle};
  const int device = devices[ranks.host_rank()];
  std::string reason = asked_for ? "asked for" : "auto: there is a CUDA device";
  if (ranks.is_alone()) {
    use_cuda_device(device);
    return {true, reason, device};
  }
  const TransportChoice chosen = transport_of(run, ranks, devices);
  reason += fmt::format("; devices exchange by {}", case_file::name_of(chosen, case_file::transport_names));
  const Transport transport = chosen == TransportChoice::nccl  ? Transport::nccl
                              : chosen == TransportChoice::mpi ? Transport::mpi
                                                               : Transport::peer;
  use_cuda_device(device, transport);
  return {true, reason, device, transport};
}

namespace {

/// Bytes of the solvers of the first ranks of a run on CPUs.
/// @param here  their number
double memory_of_ranks(const Model& model, int here, int ranks, bool in_parts) {
  double bytes = 0;
  for (int r = 0; r < here; ++r) bytes += memory_of_rank(model, false, r, ranks, in_parts).solver;
  return bytes;
}

}  // namespace

void check_memory(const Model& model, const Backend& backend, const Ranks& ranks, bool in_parts) {
  const double there = machine_memory();
  const int here = ranks.host_count();
  if (backend.cuda || here * solver_memory(model) <= there) return;
  const double needed = memory_of_ranks(model, here, ranks.count(), in_parts);
  if (needed <= there) return;
  const std::string triangles = with_thousands(model.mesh.element_count());
  const std::string single = "with run.precision: single about half";
  if (here == 1)
    throw InputError(
        fmt::format("{} triangles need about {} on the CPU, and this machine has {}; take a coarser mesh, or {}",
                    triangles, as_bytes(needed), as_bytes(there), single));
  throw InputError(
      fmt::format("{} triangles need about {} on the {} ranks of this machine, which has {}; start fewer ranks "
                  "with more threads each, take a coarser mesh, or {}",
                  triangles, as_bytes(needed), here, as_bytes(there), single));
}

void check_ranks(const Case& c, const Model& model, int ranks) {
  if (ranks == 1) return;
  const Index blocks = cut_blocks(model.material_ranges).back().end_block();
  if (blocks < ranks)
    throw InputError(
        fmt::format("{} ranks for a mesh of {} triangles, which are {} blocks of {}: start at most {} ranks", ranks,
                    with_thousands(model.mesh.element_count()), blocks, elements_per_block, blocks));
  if (c.run.assembly != Assembly::gather)
    throw InputError(fmt::format("run.assembly: {} works on one rank: take gather, or start without mpirun",
                                 assembly_name(c.run.assembly)));
  if (c.cohesive && c.cohesive->insertion.numbering == CopyNumbering::counter)  // ids must follow in the same order
    throw InputError("cohesive.insertion.numbering: counter works on one rank: leave it out, or start without mpirun");
  // The thickness at a face on another rank's triangle follows from displacements that only that rank has.
  const bool thickness_changes =
      c.kinematics == Kinematics::finite && c.material.front().properties.parameters.plane == PlaneType::stress;
  for (std::size_t i = 0; i < c.boundary.size(); ++i)
    if (thickness_changes && c.boundary[i].in_cracks)
      throw InputError(
          fmt::format("boundary.{}.in_cracks: in plane stress with finite kinematics it works on one rank: "
                      "take plane strain, or start without mpirun",
                      i));
}

std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads, Ranks& ranks) {
  if (!backend.cuda) return make_cpu_solver(model, threads, ranks);
  use_cuda_device(backend.device, backend.transport);
  return make_cuda_solver(model, ranks);
}

}  // namespace cleave
