// SPDX-License-Identifier: Apache-2.0
// Questions to the component that gave a program symbolic values (nodes), asked where one reaches a
// function, a distribution, an observe or control flow. A recorder (vm/record_hook.hpp) makes a graph
// of these uses, delayed sampling (vm/delay_hook.hpp) a symbolic form, or a number, of each. Values
// given to it may be nodes or hold nodes.
#pragma once
#include <cstdint>

#include "value/native.hpp"

namespace chancel {

struct DistType;  // value/dist_object.hpp

class SymbolicHook {
 public:
  virtual ~SymbolicHook() = default;
  // A call of a library function; the context has the outcome, as after any native.
  virtual Value call(NativeContext& cx, const NativeDef* native, const Value* args,
                     std::uint32_t count) = 0;
  // The sum, difference, product or quotient of two numbers, one of them a node; `op` is its sign.
  virtual Value combine(NativeContext& cx, char op, const Value& a, const Value& b) = 0;
  // A distribution, from its parameters.
  virtual Value construct(NativeContext& cx, const DistType* type, const Value* args,
                          std::uint32_t count) = 0;
  // The value with numbers in place of all nodes that it holds, which cannot change from now on.
  virtual Value pin(NativeContext& cx, const Value& v) = 0;
  // The same for one use only: nodes stay free.
  virtual Value present(NativeContext& cx, const Value& v) = 0;
  // What control asks of a node.
  enum class Test : std::uint8_t { Truth, Nil, Reduced };
  virtual bool test(NativeContext& cx, Test test, const Value& node) = 0;
  // A node in the place of a distribution: itself if it stands for one of the library's, else what
  // it stands for, pinned.
  virtual Value distribution(NativeContext& cx, const Value& node) = 0;
  // A node in the place of a function: itself if it stands for data that can be called, else what it
  // stands for, pinned.
  virtual Value callee(NativeContext& cx, const Value& node) = 0;
  // A call of data: (:key map), (vector index).
  using CallData = Value (*)(NativeContext& cx, const Value& f, const Value* args,
                             std::uint32_t count);
  virtual Value call_data(NativeContext& cx, CallData call, const Value& f, const Value* args,
                          std::uint32_t count) = 0;
  // As number_order of value/number.hpp.
  virtual int order(NativeContext& cx, const char* function, const Value& a, const Value& b) = 0;
  // As equal() of value/equality.hpp.
  virtual bool same(NativeContext& cx, const Value& a, const Value& b) = 0;
  // An observe. False: the context has failed, or waits for a draw; `log_prob` is its present score.
  virtual bool observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
                       double* log_prob) = 0;
  // An observe whose score the program has computed.
  virtual bool score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
                     double* present) = 0;
};

// True for values that are nodes or may hold some.
inline bool may_hold_nodes(const Value& v) { return v.tag == Tag::Node || v.is_object(); }

}  // namespace chancel
