/// Fields and kernels of a user's own, compiled apart from Cleave: docs/user_processes.md.
///
/// A process is a struct in namespace cleave::inline CLEAVE_PRECISION, because it is compiled in single and in double
/// precision. docs/examples/own_kernel/heat.hpp is a complete example.
#pragma once

#include <cmath>
#include <concepts>
#include <memory>
#include <type_traits>

#include "cleave/core/elementary.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/process/process_body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A kernel of a user's own over the rows of one kind, as a kernel of Cleave's.
template <class UserKernel, class Element, FieldOn on>
struct OverRows {
  static_assert(std::is_trivially_copyable_v<UserKernel>, "the members of a kernel are copied to the device");
  static constexpr KernelTraits traits{.name = UserKernel::name, .has_in_use = on != FieldOn::element};
  UserKernel kernel;
  ProcessBody<Element> body;

  CLEAVE_HD Index size() const {
    if constexpr (on == FieldOn::element)
      return body.end_element - body.first_element;
    else
      return on == FieldOn::node ? body.node_capacity : body.cohesive_capacity;
  }
  CLEAVE_HD Index in_use() const requires(on != FieldOn::element) {
    return on == FieldOn::node ? *body.nodes_in_use : *body.cohesive_in_use;
  }
  CLEAVE_HD void operator()(Index i) const {
    if (*body.pending != 0) return;
    if constexpr (on == FieldOn::element) {
      kernel(body, body.first_element + i);
    } else if constexpr (on == FieldOn::node) {
      if (body.has_node(i)) kernel(body, i);
    } else {
      if (body.has_cohesive(i)) kernel(body, i);
    }
  }
};

#if defined(__CUDACC__)
template <class Kernel>
__global__ void __launch_bounds__(Itemwise<Kernel>::workers) run_foreign(const __grid_constant__ Kernel kernel) {
  __shared__ typename Itemwise<Kernel>::Shared shared;
  Itemwise<Kernel>{kernel}(CudaWorker{static_cast<Index>(blockIdx.x)}, shared);
}
#endif

/// The launches of a step.
template <class Element>
class ProcessRun {
 public:
  ProcessRun(ProcessSolver& solver, const ProcessBody<Element>& body) : solver_(solver), body_(body) {}

  /// Calls kernel(body, e) for each element of this rank, in any order and at the same time. A kernel writes to the
  /// rows of its own element, and reads of others what no kernel of the launch writes.
  template <class Kernel>
  void elements(const Kernel& kernel) {
    launch<FieldOn::element>(kernel);
  }
  /// The same for each node and for each cohesive element.
  template <class Kernel>
  void nodes(const Kernel& kernel) {
    launch<FieldOn::node>(kernel);
  }
  template <class Kernel>
  void cohesive(const Kernel& kernel) {
    launch<FieldOn::cohesive>(kernel);
  }
  /// After kernels have written to a field on elements of which kernels read those of neighbours.
  void exchange(int field) { solver_.exchange(field); }

 private:
  template <FieldOn on, class UserKernel>
  void launch(const UserKernel& kernel) {
    using Kernel = OverRows<UserKernel, Element, on>;
    static_assert(matches_traits<Kernel> && sizeof(Kernel) <= 4000, "the members of the kernel are too large");
    const Kernel over{kernel, body_};
    ForeignKernel foreign{.name = Kernel::traits.name,
                          .blocks = Itemwise<Kernel>{over}.blocks(),
                          .kernel = &over,
                          .run_block =
                              [](const void* of, Index block) {
                                const Itemwise<Kernel> all{*static_cast<const Kernel*>(of)};
                                typename Itemwise<Kernel>::Shared shared;
                                all(CpuWorker<Itemwise<Kernel>::workers>{block}, shared);
                              },
                          .launch = nullptr};
#if defined(__CUDACC__)
    foreign.launch = [](const void* of, Index blocks, void* stream) {
      run_foreign<<<static_cast<unsigned>(blocks), Itemwise<Kernel>::workers, 0, static_cast<cudaStream_t>(stream)>>>(
          *static_cast<const Kernel*>(of));
    };
#endif
    solver_.launch(foreign);
  }

  ProcessSolver& solver_;
  const ProcessBody<Element>& body_;
};

/// Requirements of a process. `parameters` and `static double largest_step(const ProcessCase&, const ProcessMesh&)` may
/// be left out.
template <class Law>
concept UserProcess = requires(const Law law, ProcessCase c, ProcessRun<T3>& run) {
  { Law::name } -> std::convertible_to<const char*>;
  { Law::fields[0] } -> std::convertible_to<ProcessField>;
  { Law::make(c) } -> std::same_as<Law>;
  law.step(run);
};

/// A user's struct as a Process.
template <UserProcess Law>
class ProcessOf final : public Process {
  static_assert(std::size(Law::fields) <= most_fields_of_process, "a process has up to 8 fields");
  static_assert(widths_fit(Law::fields), "the width of a field is 1 to 4");
  static_assert(names_differ(Law::fields), "two fields of a process have one name");
  static_assert(columns_fit(Law::fields), "only a field of width 1 on nodes or elements has a column");

 public:
  explicit ProcessOf(const ProcessCase& c) : law_(Law::make(c)) {}
  void step(ProcessSolver& solver, const void* body, bool is_t6) const override {
    is_t6 ? step_on<T6>(solver, body) : step_on<T3>(solver, body);
  }
  static ProcessType type() {
    ProcessType made{.name = Law::name, .fields = Law::fields};
    if constexpr (requires { Law::parameters; }) made.parameters = Law::parameters;
    if constexpr (requires { &Law::largest_step; }) made.largest_step = &Law::largest_step;
#if defined(__CUDACC__)
    made.on_cuda = true;
#endif
    made.make[sizeof(Real) < sizeof(double)] = [](const ProcessCase& c) -> std::unique_ptr<Process> {
      return std::make_unique<ProcessOf>(c);
    };
    return made;
  }

 private:
  template <class Element>
  void step_on(ProcessSolver& solver, const void* body) const {
    ProcessRun<Element> run(solver, *static_cast<const ProcessBody<Element>*>(body));
    law_.step(run);
  }
  Law law_;
};

}  // namespace cleave::inline CLEAVE_PRECISION

/// Use on a line of its own, outside any namespace, once for each process of a header.
#define CLEAVE_USER_PROCESS(Law)                                         \
  [[maybe_unused]] static const bool CLEAVE_PROCESS_IS_KNOWN(__LINE__) = \
      cleave::add_process_type(cleave::ProcessOf<Law>::type())
#define CLEAVE_PROCESS_IS_KNOWN(line) CLEAVE_PROCESS_IS_KNOWN_(line)
#define CLEAVE_PROCESS_IS_KNOWN_(line) process_is_known_##line
