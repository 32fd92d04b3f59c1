// SPDX-License-Identifier: Apache-2.0
// doquery and eval: see host_natives.hpp. They reach the session through the services of their run.
#include "session/host_natives.hpp"

#include "diag/diagnostic.hpp"
#include "vm/host_services.hpp"
#include "vm/run_state.hpp"

namespace chancel {

namespace {

Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  HostServices* services = services_of(cx.run);
  if (!services) return cx.fail(Code::F010, "doquery: not available here", 0);
  return services->doquery(cx, args, count);
}

// A function of no arguments that evaluates the form; the prelude's eval calls it.
Value compile(NativeContext& cx, const Value* args, std::uint32_t) {
  HostServices* services = services_of(cx.run);
  if (!services) return cx.fail(Code::F010, "eval: not available here", 0);
  return services->compile(cx, args[0]);
}

}  // namespace

std::span<const NativeDef> host_natives() {
  static const NativeDef natives[] = {
      {"doquery", 2, -1, doquery, kWorld, "[algorithm query value & options]",
       "A lazy sequence of weighted states of a query: {:log-weight .. :result .. :predicts ..}."},
      {"%compile", 1, 1, compile, kWorld, "[form]", "A function that evaluates the form."},
  };
  return natives;
}

}  // namespace chancel
