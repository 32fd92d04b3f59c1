// SPDX-License-Identifier: Apache-2.0
// See describe.hpp.
#include "native/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bytecode/format.hpp"
#include "bytecode/program.hpp"
#include "native/c_source.hpp"
#include "native/compilation.hpp"
#include "native/segments.hpp"
#include "segment/batch_services.hpp"
#include "value/dist_object.hpp"
#include "value/print.hpp"

namespace chancel::native {

namespace {

std::string describe_slot(const ResumePoint& p, const SlotPlace& place) {
  switch (place.in) {
    case SlotIn::Nowhere:
      return "";
    case SlotIn::Constant: {
      constexpr std::size_t kMost = 40;
      const std::string text = show(p.constants[place.index]);
      return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
    }
    case SlotIn::Common:
      return fmt::format("common {}", place.index);
    case SlotIn::Value:
      return fmt::format("value {}", place.index);
    case SlotIn::Pointer:
      return fmt::format("object {}", place.index);
    case SlotIn::Int:
      return fmt::format("integer {}", place.index);
    case SlotIn::Double:
      return fmt::format("double {}", place.index);
    case SlotIn::Bool:
      return fmt::format("boolean {}", place.index);
    case SlotIn::Virtual: {
      const VirtualPlace& b = p.virtual_objects[place.index];
      std::string text = b.distribution           ? fmt::format("({}", b.distribution->name)
                         : b.tag == Tag::Vector   ? "(vector"
                         : b.tag == Tag::ArrayMap ? "(map"
                                                  : "(fn over";
      for (const SlotPlace& part : b.values) text += " " + describe_slot(p, part);
      return text + ")";
    }
  }
  return "";
}

std::string describe_point(std::size_t index, const ResumePoint& p) {
  std::string out =
      fmt::format("resume point {}: {} common, rows of {} values, {} objects and {} numbers\n",
                  index, p.common, p.values, p.pointers, p.numbers);
  for (auto f = p.frames.rbegin(); f != p.frames.rend(); ++f) {
    const Name* name = f->code->proto ? f->code->proto->name : nullptr;
    out += fmt::format("  {} at {}:", name ? name->full : "fn", f->pc - f->code->instrs.data());
    for (std::size_t i = 0; i < f->slots.size(); ++i) {
      const std::string text = describe_slot(p, f->slots[i]);
      if (text.empty()) continue;
      out += i == 0 ? "  itself = " + text : fmt::format("  r{} = {}", i - 1, text);
    }
    out += "\n";
  }
  return out;
}

std::string describe_exits(const segment::Exits& w) {
  std::string out = "  continues at";
  for (const std::size_t p : w.points) out += fmt::format(" point {},", p);
  if (w.ends) out += " its end,";
  if (w.points.empty() && !w.ends) out += " the interpreter,";
  out.back() = ';';
  out += w.aligned() ? " all together" : " each by itself";
  if (w.room > 0) out += fmt::format("; {} places have no room in the segment", w.room);
  if (w.left.empty()) return out + "\n";
  out += fmt::format("; {} places are left to the interpreter:", w.left.size());
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < std::min(kMost, w.left.size()); ++i) {
    const auto [code, at] = w.left[i];
    const Name* const name = code->proto ? code->proto->name : nullptr;
    out += fmt::format("{} {} at {} ({}", i ? "," : "", name ? name->full : "fn",
                       at - code->instrs.data(), op_name(at->op));
    if (has_native(at->op)) out += fmt::format(" {}", ext_native(at[1])->name);
    out += ")";
  }
  return out + (w.left.size() > kMost ? " ...\n" : "\n");
}

// The query up to its first draw; not: why it does not come there.
struct AtFirstDraw {
  explicit AtFirstDraw(const RunSetup& setup)
      : workers(setup, nullptr, setup.max_memory), machine(workers.machine()) {
    if (!prefix.run(machine, setup))
      problem = "it fails before its first draw: " + machine.failure().message + "\n";
    else if (!prefix.at.top)
      problem = "it draws nothing\n";
  }
  Segments segments(const RunSetup& setup, const SegmentChoices& choices) {
    return make_segments(prefix, setup.image->globals.data(), &machine.arena().heap(),
                         machine.context_for(prefix.at), choices);
  }
  WorkerPool workers;
  Executor& machine;
  Prefix prefix;
  std::string problem;
};

}  // namespace

std::string describe_segments(const RunSetup& setup, bool machine_code,
                              const std::vector<std::string>& without) {
  AtFirstDraw query(setup);
  if (!query.problem.empty()) return query.problem;
  const auto wanted = [&](const segment::Pass& pass) {
    return std::find(without.begin(), without.end(), pass.name) == without.end();
  };
  const Segments segments = query.segments(setup, {.forms = true, .wanted = wanted});
  std::string out;
  std::string text;
  for (const std::string& piece : segments.texts) text += piece;
  if (machine_code) return assembly_of(generated_source(text, text.size()));
  bool aligned = true;
  for (std::size_t i = 0; i < segments.points.size(); ++i) {
    out += describe_point(i, *segments.points[i]);
    if (i >= segments.exits.size()) continue;
    out += describe_exits(segments.exits[i]);
    aligned = aligned && segments.exits[i].aligned();
  }
  out += aligned ? "aligned: all executions meet the same observes in the same order\n"
                 : "not aligned: executions may meet different observes, or in another order\n";
  return out + "\n" + segments.forms + "\n" + text;
}

std::vector<TimedStep> time_segments(const RunSetup& setup) {
  AtFirstDraw query(setup);
  if (!query.problem.empty()) return {};
  std::vector<TimedStep> out{{"lower", "Bytecode becomes segments.", 0}};
  for (const segment::Pass& pass : segment::passes())
    out.push_back({std::string(pass.name), pass.doc, 0});
  out.push_back({"emit", "Segments become C.", 0});
  const auto add = [&](std::string_view name, double seconds) {
    for (TimedStep& step : out)
      if (step.name == name) step.seconds += seconds;
  };
  query.segments(setup, {.observer = add});
  return out;
}

}  // namespace chancel::native
