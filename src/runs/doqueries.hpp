// SPDX-License-Identifier: Apache-2.0
// (doquery algorithm query value & options) at top level: a lazy sequence over a run against an image
// of the program as it is now. Streams are freed when they have come to their end, or when a
// collection finds them unreachable; a few of them have an engine at the same time.
#pragma once
#include <unordered_map>
#include <vector>

#include "runs/query_stream.hpp"
#include "session/doqueries.hpp"

namespace chancel {

// Give it to the constructor of Session.
std::unique_ptr<Doqueries> make_doqueries(Session& session);

class QueryStreams final : public Doqueries {
 public:
  explicit QueryStreams(Session& session) : session_(session) {}
  std::span<const NativeDef> natives() const override;
  void check(const core::DoqueryCall& call, DiagnosticSink& sink) const override;
  Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) override;
  bool next_of_stream(NativeContext& cx, Value& stream, Value* out) override;
  bool wants_collection() override;
  void collecting() override { collected_ = next_stream_; }
  void visit(Evacuator& e) override;

 private:
  void make_room_for(std::uint64_t index);
  std::size_t engine_memory();  // of all streams
  bool engines_hold_much();

  Session& session_;
  std::unordered_map<std::uint64_t, std::unique_ptr<QueryStream>> streams_;
  std::vector<std::uint64_t> started_;  // those that have (or had) an engine
  std::uint64_t asked_ = 0;
  std::uint64_t next_stream_ = 0;
  std::uint64_t collected_ = 0;  // next_stream_ when the heap was last collected between forms
};

}  // namespace chancel
