// SPDX-License-Identifier: Apache-2.0
// What the tests of natives call them with: builders of values, and calls by name that give the
// printed value or the message of the failure. Arguments of a call are written as values.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "library/registry.hpp"
#include "random/stream.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"
#include "vm/run_state.hpp"

namespace chancel {

class PrimitivesTest : public ::testing::Test {
 protected:
  using Values = std::vector<Value>;

  Heap heap;
  Arena arena{heap};
  Stream stream{StreamName{7}, 0, 0};
  bool in_query = false;
  chancel::Run of_natives;

  static Value nil() { return Value::nil(); }
  static Value i(std::int64_t n) { return Value::integer(n); }
  static Value d(double x) { return Value::real(x); }
  static Value b(bool x) { return Value::boolean(x); }
  static Value kw(std::string_view name) { return Value::keyword(intern(name)); }
  static Value ch(std::uint32_t c) { return Value::character(c); }
  static Value fn(std::string_view name) { return Value::native_fn(find_native(name)); }
  Value s(std::string_view text) { return make_string(arena, text); }
  Value v(const Values& items) { return make_vector(arena, items.data(), items.size()); }
  Value list(const Values& items) {
    return items.empty() ? Value::empty_list() : make_list(arena, items.data(), items.size());
  }
  Value m(const Values& entries) {
    Value map = empty_map(arena);
    for (std::size_t k = 0; k + 1 < entries.size(); k += 2)
      map = map_assoc(arena, map, entries[k], entries[k + 1]);
    return map;
  }
  Value unrealised() {
    auto* lazy = arena.make<LazySeq>(Tag::LazySeq);
    lazy->state = 0;
    lazy->id = 0;
    lazy->value = Value::nil();
    return Value::object(lazy);
  }

  struct Outcome {
    Value value = Value::nil();
    NativeContext::Status status = NativeContext::Status::Ok;
    NativeFailure failure;
  };
  Outcome run(std::string_view name, const Values& args) {
    const NativeDef* def = find_native(name);
    EXPECT_NE(def, nullptr) << name;
    if (!def) return {};
    NativeContext cx(arena);
    cx.stream = &stream;
    cx.in_query = in_query;
    cx.run = &of_natives;
    Outcome out;
    out.value = def->function(cx, args.data(), static_cast<std::uint32_t>(args.size()));
    out.status = cx.status;
    out.failure = cx.failure;
    return out;
  }
  Value value(std::string_view name, const Values& args) {
    const Outcome out = run(name, args);
    EXPECT_EQ(out.status, NativeContext::Status::Ok) << name << ": " << out.failure.message;
    return out.value;
  }
  // The printed value, or the message of the failure with its code and argument: "R004/1 nth: ...".
  std::string call(std::string_view name, const Values& args) {
    const Outcome out = run(name, args);
    if (out.status == NativeContext::Status::NeedOne) return "needs one";
    if (out.status == NativeContext::Status::NeedAll) return "needs all";
    if (out.status == NativeContext::Status::Failed) {
      return std::string(code_name(out.failure.code)) + "/" + std::to_string(out.failure.argument) +
             " " + out.failure.message;
    }
    return show(out.value, true, 10000);
  }
};

}  // namespace chancel
