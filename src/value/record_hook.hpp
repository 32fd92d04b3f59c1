// SPDX-License-Identifier: Apache-2.0
// What the run loop asks while a program is recorded (src/record/recorder.hpp; the idea is in
// docs/decisions/012-recorded-programs.md). Values given to it may be nodes or hold nodes.
#pragma once
#include <cstdint>

#include "value/native.hpp"

namespace chancel {

struct DistType;  // value/dist_object.hpp

// A draw that was put off and is wanted now.
struct WantedDraw {
  Value distribution = Value::nil();
  Value id = Value::nil();
  std::uint32_t site = 0;
};

class RecordHook {
 public:
  virtual ~RecordHook() = default;
  // A call of a library function; the context has the outcome, as after any native.
  virtual Value call(NativeContext& cx, const NativeDef* native, const Value* args,
                     std::uint32_t count) = 0;
  // The sum, difference, product or quotient of two numbers, one of them a node; `op` is its sign.
  virtual Value combine(NativeContext& cx, char op, const Value& a, const Value& b) = 0;
  // A distribution, from its parameters.
  virtual Value construct(NativeContext& cx, const DistType* type, const Value* args,
                          std::uint32_t count) = 0;
  // The value with numbers in place of all nodes that it holds, which are pinned by guards.
  virtual Value pin(NativeContext& cx, const Value& v) = 0;
  // The same without guards: for what stays as it is when the nodes change.
  virtual Value present(NativeContext& cx, const Value& v) = 0;
  // What control asks of a node, guarded.
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
  // As number_order of value/number.hpp, guarded.
  virtual int order(NativeContext& cx, const char* function, const Value& a, const Value& b) = 0;
  // As equal() of value/equality.hpp, guarded.
  virtual bool same(NativeContext& cx, const Value& a, const Value& b) = 0;
  // A draw. `drawn` is one from a distribution that the program defines (only the machine can call
  // its methods); null for others.
  virtual Value sample(NativeContext& cx, const Value& dist, std::uint32_t site, const Value& id,
                       const Value* drawn) = 0;
  // Whether the last draw's log density is wanted: its distribution is one that the program defines,
  // so that the machine calls observe* (with nodes) and hands in what it gives, or nil if it failed.
  virtual bool awaits_score() const = 0;
  virtual void draw_score(const Value& log_prob) = 0;
  // An observe. False: the context has failed; `log_prob` is its present score.
  virtual bool observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
                       double* log_prob) = 0;
  // An observe whose score the program has worked out.
  virtual bool score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
                     double* present) = 0;

  // A hook that puts draws off (src/delay) is asked while executions run as usual: samples that it
  // does not take and observes are checkpoints.
  virtual bool delays() const { return false; }
  // A draw from *v: true when it is put off, *v is then what stands for it. False: the context asks
  // for something, or *v is the distribution, without nodes, to draw from now.
  virtual bool put_off(NativeContext&, Value* v, std::uint32_t site, const Value& id) {
    static_cast<void>(v), static_cast<void>(site), static_cast<void>(id);
    return false;
  }
  // Draws all that a distribution's methods, which cannot wait for a draw, may come across: what it
  // holds, and what the execution remembers (memo tables, the store, atoms). The context has the
  // outcome.
  virtual void draw_for_methods(NativeContext&, const Value&) {}
  // The last observe's score is an estimate.
  virtual bool estimated() const { return false; }
  // Where it draws from what is wanted; null: it asks with Status::NeedDraw, and the instruction is
  // done again after answer().
  virtual void draw_from(Stream*) {}
  virtual const WantedDraw& wanted() const {
    static const WantedDraw none;
    return none;
  }
  // Whether the execution stopped for a wanted draw, and its value.
  virtual bool waits(const NativeContext&) const { return false; }
  virtual void answer(NativeContext&, const Value&) {}
};

// True for values that are nodes or may hold some.
inline bool may_hold_nodes(const Value& v) { return v.tag == Tag::Node || v.is_object(); }

}  // namespace chancel
