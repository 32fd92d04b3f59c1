// SPDX-License-Identifier: Apache-2.0
// How a native reports to the VM that it cannot give a value: a mistake of the program, or a lazy
// part that is still missing. The first report of a call stays; later ones in the same call are
// consequences of it.
#include "value/native.hpp"

#include <fmt/format.h>

#include <utility>

#include "diag/diagnostic.hpp"
#include "value/argument_names.hpp"
#include "value/print.hpp"
#include "value/run_watch.hpp"

namespace chancel {

Value NativeContext::fail(Code code, std::string message, int argument, std::string hint) {
  if (!ok()) return Value::nil();
  status = Status::Failed;
  failure = {code, std::move(message), std::move(hint), argument, Value::nil()};
  return Value::nil();
}

Value NativeContext::fail_as(const char* type, Code code, std::string message, int argument,
                             std::string hint) {
  if (!ok()) return Value::nil();
  fail(code, std::move(message), argument, std::move(hint));
  failure.type = type;
  return Value::nil();
}

Value NativeContext::fail(Diagnostic whole) {
  fail(whole.code, whole.message, -1, whole.hint);
  if (whole.span.known()) failure.whole = std::move(whole);
  return Value::nil();
}

Value NativeContext::note(Code code, std::string message, std::string hint) {
  if (!ok()) return Value::nil();
  status = Status::Noted;
  failure = {code, std::move(message), std::move(hint), -1, Value::nil()};
  return Value::nil();
}

Value NativeContext::wrong_type(const char* function, int argument, const char* wanted,
                                const Value& got) {
  if (!ok()) return Value::nil();
  const std::string_view what = wanted;
  const bool seq = what.find("sequence") != what.npos || what.find("collection") != what.npos;
  return fail_as(got.is_nil() ? "java.lang.NullPointerException"
                 : seq        ? "java.lang.IllegalArgumentException"
                              : "java.lang.ClassCastException",
                 Code::R001,
                 fmt::format("{}: expected {}, got {}", function, wanted, describe(got)), argument,
                 draw_hint(got));
}

void NativeContext::look() {
  steps_left_ = kStepsBetweenLooks;
  if (!watch) return;
  if (auto reason = watch->reason_to_stop()) throw RunStopped{std::move(*reason)};
}

Value NativeContext::need(const Value& lazy, bool whole) {
  if (!ok()) return Value::nil();
  status = whole ? Status::NeedAll : Status::NeedOne;
  needed = lazy;
  return Value::nil();
}

Value NativeContext::delegate(const Value& function, const Value* args, std::uint32_t count) {
  CHANCEL_ASSERT(count <= 2, "too many arguments to delegate");
  if (!ok()) return Value::nil();
  status = Status::Delegate;
  delegated[0] = function;
  for (std::uint32_t i = 0; i < count; ++i) delegated[1 + i] = args[i];
  delegated_count = count;
  return Value::nil();
}

}  // namespace chancel
