// SPDX-License-Identifier: Apache-2.0
// Small pieces of the machine that the run loop jumps to: calling data as functions, stub code,
// arity messages.
#pragma once
#include "bytecode/code.hpp"
#include "value/native.hpp"

namespace chancel {

// Hand-made code of the machine's stub frames (see stubs.cpp).
const CodeBlock* entry_stub(std::uint32_t args);  // calls slot 0 with `args` arguments and exits
const CodeBlock* memo_stub();                     // 0 memo, 1 key, 2 function, 3 argument list
const CodeBlock*
observe_stub();  // 0 number of the site, 1 distribution, 2 observe*, 3 distribution, 4 value
const CodeBlock* continuation_stub();  // 0 state, 1 continuation, 2 function, 3 argument list
const CodeBlock* force_one_stub();     // 0 lazy cell, 1 thunk
const CodeBlock* force_all_stub();     // 0 where the walk is, 1 scratch

// ({:a 1} :a), (:a m default), ([1 2] 0), (#{1} 1): collections and keywords as functions.
Value call_data(NativeContext& cx, const Value& f, const Value* args, std::uint32_t count);
// apply of something that is not a closure: w[0] is the function, `list` the arguments. Natives are
// called (Value in out); other things get their arguments spread into the window (Spread, count in
// n). Status: see cx.
enum class Applied { Value, Spread, Arity, Status };
Applied apply_other(NativeContext& cx, Value* w, const Value& list, Value* out, std::uint32_t* n);
NativeFailure arity_failure(const Value& f, std::uint32_t count);
// Anglican compiles fm and defm to functions in continuation-passing style, which Clojure's code may call:
// (f continuation state argument ...). w[0] is the function, w[1] .. its arguments.
bool takes_continuation(const Value* w, std::uint32_t count);
bool is_record_dist(const Value& v);
// The method of a record's type, or null.
const Value* find_method(const Value* globals, const Value& record, const char* name);
// The function that a callable record (exchangeable procedure) stands for, or null.
const Value* callable_field(const Value& record);

}  // namespace chancel
