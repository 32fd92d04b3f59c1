// SPDX-License-Identifier: Apache-2.0
#include "session/globals.hpp"

#include <fmt/format.h>

#include "front/front.hpp"

namespace chancel {

void Globals::declare(const Name* name, Span span) {
  if (hidden()) return;
  // The library takes a place for each of its functions that is used.
  constexpr std::size_t kMaxDefinitions = Program::kMaxGlobals - 4096;
  if (defined_.size() >= kMaxDefinitions && !defined_.contains(name)) {
    if (!too_many_)
      evaluator_.sink.error(Code::F008, span,
                            fmt::format("a program defines at most {} names", kMaxDefinitions),
                            "put the values into a vector or a map");
    too_many_ = true;
    return;
  }
  defined_.insert(name);
  evaluator_.program->global(name);
}

void Globals::define(const Name* name, const Value& value) {
  images_.forget();
  declare(name, {});
  Program& program = *evaluator_.program;
  const std::uint32_t variable = program.global(name);
  program.values[variable] = program.keep(value);
}

void Globals::set(const Name* name, const Value& value) {
  images_.forget();
  declare(name, {});
  Program& program = *evaluator_.program;
  program.values[program.global(name)] = value;
}

std::optional<Value> Globals::value(const Name* name) const {
  const Program& program = *evaluator_.program;
  const int index = defined_.contains(name) ? program.find_global(name) : -1;
  if (index < 0 || Program::is_unbound(program.values[static_cast<std::size_t>(index)]))
    return std::nullopt;
  return program.values[static_cast<std::size_t>(index)];
}

Datum Globals::name_object(const Value& object, Span span) {
  const std::string name = fmt::format("{}{}", kObjectName, ++objects_named_);
  define(intern(name), object);
  return make_symbol(name, span);
}

}  // namespace chancel
