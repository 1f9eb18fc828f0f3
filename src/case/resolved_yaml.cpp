/// Writer of the case file, in its structure: one function per section, one line per key.

#include "case/sections.hpp"
#include "case/writer.hpp"
#include "cleave/case/case.hpp"
#include "cleave/case/names.hpp"

namespace cleave {
namespace {

using namespace case_file;

void write_time(Writer& w, const TimeCase& c) {
  c.step ? w.key("step", *c.step) : w.key("step", automatic_step);
  w.key("safety", c.safety);
  c.end ? w.key("end", *c.end) : w.key("steps", c.steps);
}

void write_boundary(Writer& w, const BoundaryCase& c) {
  w.key(spelling_of_on, c.on);
  switch (c.kind) {
    case BoundaryCase::Kind::pressure:
      w.key("pressure", c.pressure);
      w.key("follow", name_of(c.follows, truth_names));
      w.key("in_cracks", name_of(c.in_cracks, truth_names));
      break;
    case BoundaryCase::Kind::traction:
      w.section("traction", [&] {
        w.key("x", c.traction[0]);
        w.key("y", c.traction[1]);
      });
      break;
    case BoundaryCase::Kind::fix:
      w.directions("fix", c.x, c.y);
      break;
    case BoundaryCase::Kind::velocity:
      w.section("velocity", [&] {
        if (c.x) w.key("x", c.velocity[0]);
        if (c.y) w.key("y", c.velocity[1]);
      });
      break;
    case BoundaryCase::Kind::absorb:
      w.key("absorb", name_of(true, truth_names));
      break;
  }
  if (!c.curve.empty()) w.key("curve", c.curve);
}

void write_body_force(Writer& w, const BodyForceCase& c) {
  w.key("x", c.acceleration[0]);
  w.key("y", c.acceleration[1]);
  if (!c.curve.empty()) w.key("curve", c.curve);
}

void write_damping(Writer& w, const DampingCase& c) {
  w.key("rate", c.rate);
  c.until ? w.key("until", *c.until) : w.key("until", end_of_run);
}

void write_curve(Writer& w, const Curve& curve) {
  switch (curve.kind()) {
    case Curve::Kind::constant:
      w.table("table", {{0, 1}});
      break;
    case Curve::Kind::exponential:
      w.key("exponential", curve.decay_time());
      break;
    case Curve::Kind::linear_decay:
      w.key("linear_decay", curve.decay_time());
      break;
    case Curve::Kind::half_sine:
      w.key("half_sine", curve.decay_time());
      break;
    case Curve::Kind::table:
      w.table("table", curve.points());
      break;
  }
}

void write_output(Writer& w, const OutputCase& c) {
  w.key("directory", c.directory.string());
  w.key("replace", name_of(c.replace, truth_names));
  w.key("format", name_of(c.format, output_format_names));
  c.fields ? w.words("fields", *c.fields) : w.key("fields", all_fields);
  w.key("real", name_of(c.real, output_real_names));
  w.key("compression", name_of(c.compression, compression_names));
  w.key("inria", name_of(c.inria, inria_frames_names));
  w.key("fields_every", c.fields_every);
  w.key("fields_interval", c.fields_interval);
  w.key("history_every", c.history_every);
  w.key("checkpoint_every", c.checkpoint_every);
  w.key("checkpoint_interval", c.checkpoint_interval);
  w.key("checkpoint_minutes", c.checkpoint_minutes);
  w.list("probes", c.probes, [&](const ProbeCase& probe) {
    w.key("name", probe.name);
    w.key("at", probe.at);
    w.key("every", probe.every);
  });
  w.list("lines", c.lines, [&](const LineCase& line) {
    w.key("name", line.name);
    if (line.on.empty()) {
      w.key("from", line.from);
      w.key("to", line.to);
    } else {
      w.key(spelling_of_on, line.on);
    }
    w.key("points", line.points);
    w.key("every", line.every);
  });
}

void write_run(Writer& w, const RunCase& c) {
  w.key("backend", name_of(c.backend, backend_names));
  w.key("precision", name_of(c.precision, precision_names));
  w.key("assembly", name_of(c.assembly, assembly_names));
  w.key("threads", c.threads);
  w.key("device", c.device);
  w.key("transport", name_of(c.transport, transport_names));
  if (!c.devices) return w.key("devices", all_devices);
  std::vector<std::string> devices;
  for (const int device : *c.devices) devices.push_back(std::to_string(device));
  w.words("devices", devices);
}

}  // namespace

std::string resolved_yaml(const Case& c) {
  Writer w;
  w.key("title", c.title);
  w.section("mesh", [&] { write_mesh(w, c.mesh); });
  write_material(w, c.material);
  w.key("kinematics", name_of(c.kinematics, kinematics_names));
  write_cohesive(w, c.cohesive);
  w.section("time", [&] { write_time(w, c.time); });
  write_initial(w, c);
  w.list("boundary", c.boundary, [&](const BoundaryCase& entry) { write_boundary(w, entry); });
  w.section("body_force", [&] { write_body_force(w, c.body_force); });
  w.section("damping", [&] { write_damping(w, c.damping); });
  w.list("support", c.support, [&](const SupportCase& entry) {
    w.key(spelling_of_on, entry.on);
    w.key("stiffness", entry.stiffness);
  });
  write_forces(w, c.forces);
  write_processes(w, c.processes);
  write_contact(w, c);
  w.section("curves", [&] {
    for (const auto& named : c.curves) w.section(named.first, [&] { write_curve(w, named.second); });
  });
  w.section("output", [&] { write_output(w, c.output); });
  w.section("run", [&] { write_run(w, c.run); });
  return w.text();
}

}  // namespace cleave
