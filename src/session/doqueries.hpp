// SPDX-License-Identifier: Apache-2.0
// What a session asks of the room that runs queries (runs/doqueries.hpp), so that it holds programs
// without depending on engines.
#pragma once
#include <memory>
#include <span>

#include "core/doquery_calls.hpp"
#include "diag/diagnostic.hpp"
#include "value/heap.hpp"
#include "value/native.hpp"

namespace chancel {

class Session;

class Doqueries {
 public:
  virtual ~Doqueries() = default;
  // Functions of the library that run queries themselves.
  virtual std::span<const NativeDef> natives() const = 0;
  // Of engines and options that calls of doquery and conditional name.
  virtual void check(const core::DoqueryCall& call, DiagnosticSink& sink) const = 0;
  // See HostServices.
  virtual Value doquery(NativeContext& cx, const Value* args, std::uint32_t count) = 0;
  virtual bool next_of_stream(NativeContext& cx, Value& stream, Value* out) = 0;
  // Unreachable streams may hold much memory: a collection would free them.
  virtual bool wants_collection() = 0;
  virtual void collecting() = 0;
  // The last of the roots: a stream goes when nothing leads to its handle.
  virtual void visit(Evacuator& e) = 0;
};

using MakeDoqueries = std::unique_ptr<Doqueries> (*)(Session& session);

}  // namespace chancel
