// SPDX-License-Identifier: Apache-2.0
// What natives need of the session that their run belongs to: implemented by session. What fails, fails
// in cx.
#pragma once
#include <cstdint>
#include <memory>

#include "value/native.hpp"

namespace chancel {

struct Image;  // bytecode/program.hpp

class HostServices {
 public:
  virtual ~HostServices() = default;
  // (doquery algorithm query value & options): a lazy sequence over a foreign stream.
  virtual Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) = 0;
  // The next element of a stream (a Foreign, or inside queries a Vector that holds all it needs), and
  // what its rest is a stream of: false at its end, or when cx has failed.
  virtual bool next_of_stream(NativeContext& cx, Value& stream, Value* out) = 0;
  // A function of no arguments that evaluates the form.
  virtual Value compile(NativeContext& cx, const Value& form) = 0;
  // The query with its observes early and its draws late (compile/hoist.hpp); the query itself when
  // its order must stay. What is made lives in the arena.
  virtual Value hoisted(const Value& query, const Value&, Arena&) { return query; }
  // The program image that nested inference of this query with this argument runs against.
  virtual std::shared_ptr<Image> image(const Value& query, const Value& argument) = 0;
  // Something that users should know and that is not a failure. From any thread; a repeated message
  // counts once.
  virtual void note(Diagnostic) {}
  // A nested inference estimates how far its draws are off (total variation). From any thread.
  virtual void note_nested_bias(double) {}
};

// Null: the run has none.
HostServices* services_of(const Run* run);

}  // namespace chancel
