// SPDX-License-Identifier: Apache-2.0
// See doqueries.hpp.
#include "runs/doqueries.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engines/check_options.hpp"
#include "engines/conditional.hpp"
#include "infer/query_options.hpp"
#include "runs/check_doquery.hpp"
#include "runs/nested_doquery.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"
#include "value/world.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kQueryKind = 2;
}  // namespace

std::unique_ptr<Doqueries> make_doqueries(Session& session) {
  return std::make_unique<QueryStreams>(session);
}

std::span<const NativeDef> QueryStreams::natives() const {
  static const NativeDef natives[] = {
      {"%conditional", 4, 4, make_conditional, kWorld, "[query algorithm options arguments]",
       "The distribution of a query's result, by nested inference."},
  };
  return natives;
}

void QueryStreams::check(const core::DoqueryCall& call, DiagnosticSink& sink) const {
  check_doquery(call, sink);
}

Value QueryStreams::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  const auto call = read_doquery(cx, args, count);
  if (!call) return Value::nil();
  const QueryOptions& options = call->options;
  const std::shared_ptr<Image> now =
      session_.images().of(args[1], count > 2 ? args[2] : Value::nil());
  session_.images().work_out_lazy_values({args[1], count > 2 ? args[2] : Value::nil()});
  WaitingQuery what{now,
                    args[0].name->full,
                    args[1],
                    count > 2 ? args[2] : Value::nil(),
                    cx.world,
                    session_.evaluator().stream_name.child(kQueryKind, next_stream_),
                    options.drop_invalid,
                    options.warmup.value_or(usual_warmup(*call->engine, options.engine, 0)),
                    options.engine};
  auto* handle = cx.arena->make<Foreign>(Tag::Foreign);
  handle->kind = 0;
  handle->index = next_stream_++;
  streams_[handle->index] = std::make_unique<QueryStream>(session_, std::move(what), handle);
  auto* lazy = cx.arena->make<LazySeq>(Tag::LazySeq);
  lazy->state = LazySeq::kWaiting;
  lazy->id = top_level_id();
  lazy->value = Value::object(handle);
  return Value::object(lazy);
}

bool QueryStreams::next_of_stream(NativeContext& cx, Value& handle, Value* out) {
  if (handle.is(Tag::Vector))
    return next_of_nested(session_.services(), cx, handle, out);  // a query gave it
  const std::uint64_t index = handle.as<Foreign>()->index;
  const auto found = streams_.find(index);
  if (found == streams_.end()) return false;  // it has come to its end
  QueryStream& stream = *found->second;
  if (!stream.started()) {
    if (engines_hold_much()) session_.machine().collect_soon();
    make_room_for(index);
  }
  stream.last_asked = ++asked_;
  RunLimits& limits = *session_.run().limits;
  limits.takes_draws.store(true, std::memory_order_relaxed);
  session_.services().activity().engine.store(stream.engine_name(), std::memory_order_relaxed);
  const bool interrupted =
      limits.interrupted->load(std::memory_order_relaxed) && session_.services().end_streams();
  if (!interrupted && stream.next(cx, out)) {
    session_.services().activity().draws.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  streams_.erase(found);
  return false;
}

namespace {
constexpr std::size_t kMostEngines = 16;
constexpr std::size_t kMostEngineMemory = std::size_t{256} << 20;
}  // namespace

std::size_t QueryStreams::engine_memory() {
  std::size_t sum = 0;
  std::erase_if(started_, [&](std::uint64_t i) {
    const auto found = streams_.find(i);
    const bool runs = found != streams_.end() && found->second->started();
    if (runs) sum += found->second->memory();
    return !runs;
  });
  return sum;
}

// Makes room for one more engine: the least recently used ones are dropped, and made again if their
// streams are used again. To save memory each is dropped at most once: a program may take from
// several streams in turn.
void QueryStreams::make_room_for(std::uint64_t index) {
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

bool QueryStreams::wants_collection() { return next_stream_ != collected_ && engines_hold_much(); }

bool QueryStreams::engines_hold_much() { return engine_memory() > kMostEngineMemory / 4; }

// Values of a stream may lead to handles of others.
void QueryStreams::visit(Evacuator& e) {
  std::vector<std::uint64_t> open;
  for (const auto& [index, stream] : streams_) open.push_back(index);
  for (bool more = true; more;) {
    e.drain();
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
