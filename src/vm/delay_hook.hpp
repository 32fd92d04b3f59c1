// SPDX-License-Identifier: Apache-2.0
// What the run loop asks delayed sampling (src/delay; docs/decisions/016-delayed-sampling.md) besides
// the uses of symbolic values. Executions run as usual: observes, and samples that are not put off,
// are checkpoints.
#pragma once
#include "value/drawn_value.hpp"
#include "value/symbolic_hook.hpp"

namespace chancel {

class Stream;  // random/stream.hpp

// A draw that was put off and is needed now.
struct WantedDraw : DrawAddress {
  Value distribution = Value::nil();
};

class DelayHook : public SymbolicHook {
 public:
  // A draw from *v: true when it is put off, *v is then its node. False: the context asks for
  // something, or *v is the distribution, without nodes, to draw from now.
  virtual bool put_off(NativeContext& cx, Value* v, std::uint32_t site, const Value& id) = 0;
  // Draws all that a distribution's methods, which cannot wait for a draw, may use: what it holds,
  // and what the execution remembers (memo tables, the store, atoms). The context has the outcome.
  virtual void draw_for_methods(NativeContext& cx, const Value& dist) = 0;
  // The last observe's score is an estimate.
  virtual bool estimated() const = 0;
  // The stream that needed draws come from; null: the hook asks with Status::NeedDraw, and the
  // instruction is repeated after answer().
  virtual void draw_from(Stream* stream) = 0;
  virtual const WantedDraw& wanted() const = 0;
  // Whether the execution stopped for a wanted draw, and its value.
  virtual bool waits(const NativeContext& cx) const = 0;
  virtual void answer(NativeContext& cx, const Value& value) = 0;
};

}  // namespace chancel
