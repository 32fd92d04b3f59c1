// SPDX-License-Identifier: Apache-2.0
// See describe.hpp.
#include "native/describe.hpp"

#include <fmt/format.h>

#include "bytecode/program.hpp"
#include "native/translate.hpp"
#include "value/print.hpp"

namespace chancel::native {

namespace {

std::string describe_slot(const RestPoint& p, const SlotPlace& place) {
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
    case SlotIn::Int:
      return fmt::format("integer {}", place.index);
    case SlotIn::Double:
      return fmt::format("double {}", place.index);
    case SlotIn::Bool:
      return fmt::format("boolean {}", place.index);
  }
  return "";
}

std::string describe_point(std::size_t index, const RestPoint& p) {
  std::string out = fmt::format("rest point {}: {} common, rows of {} values and {} numbers\n",
                                index, p.common, p.values, p.numbers);
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

}  // namespace

std::string describe_segments(const RunSetup& setup) {
  WorkerPool workers(setup, nullptr, setup.max_memory);
  Prefix prefix;
  Executor& machine = workers.machine();
  if (!prefix.run(machine, setup))
    return "it fails before its first draw: " + machine.failure().message + "\n";
  if (!prefix.at.top) return "it draws nothing\n";
  const Segments segments = translate(prefix, setup.image->globals.data(), &machine.arena().heap(),
                                      machine.context_for(prefix.at));
  std::string out;
  for (std::size_t i = 0; i < segments.points.size(); ++i)
    out += describe_point(i, *segments.points[i]);
  return out + "\n" + segments.text;
}

}  // namespace chancel::native
