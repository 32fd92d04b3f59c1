// SPDX-License-Identifier: Apache-2.0
// See run_setup.hpp.
#include "runs/run_setup.hpp"

#include <fmt/format.h>

#include "delay/delayed_draws.hpp"
#include "native/hot_code_compiler.hpp"
#include "native/tier.hpp"

namespace chancel {

RunSetup setup_run(Session& session, const QueryToRun& what, const PassObserver& observer) {
  RunSetup setup;
  setup.image = what.image;
  const Heap* constants = &session.program()->constants().heap();
  setup.values = std::make_shared<RunValues>();
  const auto copy = [&](const Value& v) {
    return deep_copy(v, setup.values->arena,
                     [constants](const Object* o) { return block_of(o)->heap == constants; });
  };
  const std::optional<PreparedQuery> prepared = session.prepared_queries().prepared(
      what.query, what.argument, what.image, setup.values->arena, observer);
  setup.plain_query = copy(what.query);
  setup.query = prepared ? prepared->query : copy(what.query);
  setup.argument = prepared ? prepared->argument : copy(what.argument);
  if (what.world) setup.world = copy(Value::object(what.world)).as<World>();
  setup.name = what.name;
  setup.shared_name = what.name;
  setup.run = &session.run();
  setup.threads = session.threads;
  setup.max_memory = session.evaluator().max_memory;
  setup.budget = session.heap().budget();
  setup.delayed_draws = make_delayed_draws;
  setup.native_tier = native::make_tier;
  setup.native = session.native_use;
  return setup;
}

std::optional<RunSetup> setup_run(Session& session, const QuerySignature& query,
                                  const std::optional<Value>& argument, StreamName name,
                                  const PassObserver& observer) {
  const std::optional<Value> value = session.globals().value(query.name);
  if (!value || !value->is(Tag::Query)) {
    session.diagnostics().error(Code::F011, query.span,
                                fmt::format("{} is not a query", query.name->full));
    return std::nullopt;
  }
  const Value given = argument ? *argument : Value::nil();
  const std::shared_ptr<Image> now = session.images().of(*value, given);
  session.images().work_out_lazy_values({given});
  return setup_run(
      session,
      {*session.globals().value(query.name), given, session.machine().context().world, name, now},
      observer);
}

void use_native_code(Session& session, NativeUse use) {
  session.native_use = use;
  session.program()->hot_code = use == NativeUse::Never || use == NativeUse::Evaluated
                                    ? nullptr
                                    : native::make_hot_code(use == NativeUse::Always);
}

}  // namespace chancel
