// SPDX-License-Identifier: Apache-2.0
// (doquery algorithm query value & options) at top level: a lazy sequence over a run against an image
// of the program as it is now. Streams go when they have come to their end, or when a collection
// finds that nobody holds them; a few of them have an engine at the same time.
#include <fmt/format.h>

#include <algorithm>

#include "api/nested_doquery.hpp"
#include "api/query_stream.hpp"
#include "api/session.hpp"
#include "engines/check_options.hpp"
#include "infer/query_options.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"
#include "vm/world.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kQueryKind = 2;
}  // namespace

Value Session::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  const auto call = read_doquery(cx, args, count);
  if (!call) return Value::nil();
  const QueryOptions& options = call->options;
  const std::shared_ptr<Image> now = image(args[1], count > 2 ? args[2] : Value::nil());
  work_out_lazy_values({args[1], count > 2 ? args[2] : Value::nil()});
  WaitingQuery what{now,
                    args[0].name->full,
                    args[1],
                    count > 2 ? args[2] : Value::nil(),
                    cx.world,
                    name_.child(kQueryKind, next_stream_),
                    options.drop_invalid,
                    options.warmup.value_or(usual_warmup(*call->engine, options.engine, 0)),
                    options.engine};
  auto* handle = cx.arena->make<Foreign>(Tag::Foreign);
  handle->kind = 0;
  handle->index = next_stream_++;
  streams_[handle->index] = std::make_unique<QueryStream>(*this, std::move(what), handle);
  auto* lazy = cx.arena->make<LazySeq>(Tag::LazySeq);
  lazy->state = LazySeq::kWaiting;
  lazy->id = top_level_id();
  lazy->value = Value::object(handle);
  return Value::object(lazy);
}

bool Session::next_of_stream(NativeContext& cx, Value& handle, Value* out) {
  if (handle.is(Tag::Vector)) return next_of_nested(*this, cx, handle, out);  // a query gave it
  const std::uint64_t index = handle.as<Foreign>()->index;
  const auto found = streams_.find(index);
  if (found == streams_.end()) return false;  // it has come to its end
  QueryStream& stream = *found->second;
  if (!stream.started()) {
    if (engines_hold_much()) machine_->collect_soon();
    make_room_for(index);
  }
  stream.last_asked = ++asked_;
  RunLimits& limits = *run_.limits;
  limits.takes_draws.store(true, std::memory_order_relaxed);
  activity_.engine.store(stream.engine_name(), std::memory_order_relaxed);
  const bool interrupted = limits.interrupted->load(std::memory_order_relaxed) && end_streams();
  if (!interrupted && stream.next(cx, out)) {
    activity_.draws.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  streams_.erase(found);
  return false;
}

bool Session::end_streams() {
  RunLimits& limits = *run_.limits;
  if (!limits.ends_streams_first) return false;
  limits.interrupted->store(false, std::memory_order_relaxed);
  limits.interrupted_since_ns = 0;
  limits.takes_draws.store(false, std::memory_order_relaxed);
  activity_.interrupted.store(true, std::memory_order_relaxed);
  return true;
}

void Session::form_begins() {
  run_.limits->takes_draws = false;
  run_.limits->interrupted_since_ns = 0;
  activity_.draws = 0;
  activity_.engine = nullptr;
  activity_.interrupted = false;
}

namespace {
constexpr std::size_t kMostEngines = 16;
constexpr std::size_t kMostEngineMemory = std::size_t{256} << 20;
}  // namespace

std::size_t Session::engine_memory() {
  std::size_t sum = 0;
  std::erase_if(started_, [&](std::uint64_t i) {
    const auto found = streams_.find(i);
    const bool runs = found != streams_.end() && found->second->started();
    if (runs) sum += found->second->memory();
    return !runs;
  });
  return sum;
}

// Makes room for one more engine: those that nobody has asked for longest are dropped, and made
// again should somebody ask. For the sake of memory that happens once to each: a program may take
// from several streams in turn.
void Session::make_room_for(std::uint64_t index) {
  std::size_t memory = engine_memory();
  std::sort(started_.begin(), started_.end(), [&](std::uint64_t a, std::uint64_t b) {
    return streams_[a]->last_asked < streams_[b]->last_asked;
  });
  for (const std::uint64_t i : started_) {
    if (memory <= kMostEngineMemory) break;
    if (streams_[i]->pauses() > 0) continue;
    memory -= streams_[i]->memory();
    streams_[i]->pause();
  }
  engine_memory();  // without those
  if (started_.size() >= kMostEngines) {
    streams_[started_.front()]->pause();
    started_.erase(started_.begin());
  }
  started_.push_back(index);
}

bool Session::engines_hold_much() { return engine_memory() > kMostEngineMemory / 4; }

// The last of the roots: a stream goes when nothing leads to its handle. Its values may lead to
// handles of others.
void Session::visit_streams(Evacuator& e) {
  std::vector<std::uint64_t> open;
  for (const auto& [index, stream] : streams_) open.push_back(index);
  for (bool more = true; more;) {
    e.settle();
    more = std::erase_if(open, [&](std::uint64_t index) {
             QueryStream& stream = *streams_[index];
             if (!stream.found()) return false;
             stream.visit(e);
             return true;
           }) > 0;
  }
  for (const std::uint64_t index : open) streams_.erase(index);
}

}  // namespace chancel
