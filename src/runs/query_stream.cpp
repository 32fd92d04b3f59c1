// SPDX-License-Identifier: Apache-2.0
// Draws as values of programs: see query_stream.hpp.
#include "runs/query_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "math/log_space.hpp"
#include "runs/nested_doquery.hpp"
#include "runs/run_setup.hpp"
#include "session/eval.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {

RunHost::RunHost(Session& session, std::shared_ptr<Image> image)
    : session_(session), image_(std::move(image)), run_(session.run()) {
  run_.services = this;
  run_.at_top_level = false;
}

Value RunHost::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  return nested_doquery(cx, args, count);
}

bool RunHost::next_of_stream(NativeContext& cx, Value& stream, Value* out) {
  return stream.is(Tag::Vector) && next_of_nested(*this, cx, stream, out);
}

Value RunHost::compile(NativeContext& cx, const Value& form) {
  return compile_form(session_, cx, form, image_.get());
}

Value RunHost::hoisted(const Value& query, const Value& argument, Arena& arena) {
  return session_.queries().hoisted(query, argument, arena);
}

void RunHost::note(Diagnostic what) { session_.services().note(std::move(what)); }

Diagnostic nested_bias_warning(double bias) {
  return {Code::I008,
          Severity::Warning,
          {},
          fmt::format("conditional: draws of an inner query may be off by {:.2g} (total "
                      "variation): a few of its sweeps carry most of the weight",
                      bias),
          "give the inner engine more particles, or use :enumerate or :rejection for it",
          {}};
}

void RunHost::note_nested_bias(double bias) {
  double before = nested_bias_.load(std::memory_order_relaxed);
  while (bias > before && !nested_bias_.compare_exchange_weak(before, bias)) {
  }
}

std::vector<std::pair<Value, Value>> ordered_predicts(const Predicts* newest) {
  std::vector<std::pair<Value, Value>> all;
  for (const Predicts* p = newest; p; p = p->previous) all.emplace_back(p->label, p->value);
  std::reverse(all.begin(), all.end());
  std::vector<std::pair<Value, Value>> out;
  // Most programs have a few labels; a loop may make thousands.
  constexpr std::size_t kFew = 16;
  std::unordered_multimap<std::uint32_t, std::size_t> places;
  for (auto& entry : all) {
    std::size_t place = out.size();
    if (out.size() <= kFew) {
      for (std::size_t i = 0; i < out.size() && place == out.size(); ++i)
        if (equal(out[i].first, entry.first)) place = i;
    } else {
      const auto [from, to] = places.equal_range(hash(entry.first));
      for (auto it = from; it != to; ++it)
        if (equal(out[it->second].first, entry.first)) place = it->second;
    }
    if (place < out.size()) {
      out[place].second = entry.second;
      continue;
    }
    out.push_back(entry);
    if (out.size() > kFew) {
      const std::size_t first = out.size() == kFew + 1 ? 0 : out.size() - 1;
      for (std::size_t i = first; i < out.size(); ++i) places.emplace(hash(out[i].first), i);
    }
  }
  return out;
}

void QueryStream::draw(const EngineDraw& draw) {
  if (what_.drop_invalid && draw.log_weight == -INFINITY) return;
  Arena& arena = session_.machine().arena();
  const Heap* constants = &what_.image->program->constants().heap();
  const auto stays = [=](const Object* o) { return block_of(o)->heap == constants; };
  running_->waiting.push_back(running_->shared.copy(state_of(draw, arena), arena, stays));
  running_->log_weights.push_back(draw.log_weight);
}

// Scripts run many queries on purpose that observe nothing, or not in line: of the warnings
// of engines only I010, that draws are not from the posterior, is passed on.
void QueryStream::warning(const Diagnostic& d) {
  if (d.code == Code::I010) session_.services().note(d);
}

void QueryStream::shuffle() {
  std::deque<Value>& waiting = running_->waiting;
  std::deque<Value> ordered;
  for (const std::size_t i : order_of_sweep(what_.name, running_->steps++, running_->log_weights))
    ordered.push_back(waiting[i]);
  waiting = std::move(ordered);
}

QueryStream::QueryStream(Session& session, WaitingQuery what, Object* handle)
    : session_(session), what_(std::move(what)), handle_(handle) {
  const EngineDef* engine = find_engine(what_.algorithm);
  engine_name_ = engine ? engine->name : "";
}

bool QueryStream::start(NativeContext& cx) {
  auto made = std::make_unique<Running>();
  RunSetup setup =
      setup_run(session_, {what_.query, what_.argument, what_.world, what_.name, what_.image});
  setup.keep_impossible = !what_.drop_invalid;
  const EngineDef* const engine = find_engine(what_.algorithm);
  const bool adaptive = engine && adapts(*engine, what_.options);
  if (adaptive) setup.warmup = what_.warmup;
  made->host = std::make_unique<RunHost>(session_, setup.image);
  made->shared.add(&setup.image->heap);
  made->shared.add(&setup.values->heap);
  setup.run = made->host->run();
  DiagnosticSink problems;
  made->engine = make_engine(what_.algorithm, setup, what_.options, problems);
  if (!made->engine) {
    cx.fail(problems.list().front());
    return false;
  }
  made->sweeps = engine->gives == EngineDef::Gives::Sweeps;
  running_ = std::move(made);
  // Where there is nothing to adapt, the warm-up is the first draws. Made again: up to where it was.
  const std::uint64_t before = (adaptive ? 0 : what_.warmup) + taken_;
  Value passed;
  for (std::uint64_t i = 0; i < before; ++i)
    if (!take(cx, &passed)) return false;
  return true;
}

bool QueryStream::take(NativeContext& cx, Value* out) {
  Running& r = *running_;
  while (r.waiting.empty()) {
    r.log_weights.clear();
    const bool more = r.engine->step(*this);
    if (const double bias = r.host->nested_bias(); bias > 0 && !said_bias_) {
      said_bias_ = true;
      session_.services().note(nested_bias_warning(bias));
    }
    if (r.sweeps) shuffle();
    if (!more) {
      if (r.waiting.empty()) {
        const std::optional<Diagnostic>& failure = r.engine->failure();
        if (failure && !(failure->code == Code::L005 && session_.services().end_streams()))
          cx.fail(*failure);
        return false;
      }
      break;
    }
  }
  *out = r.waiting.front();
  r.waiting.pop_front();
  return true;
}

bool QueryStream::next(NativeContext& cx, Value* out) {
  if (!running_ && !start(cx)) return false;
  if (!take(cx, out)) return false;
  ++taken_;
  return true;
}

bool QueryStream::found() {
  const char* from = block_of(handle_)->from;
  if (!from || reinterpret_cast<const char*>(handle_) < from) return true;  // not looked at
  if (!(handle_->flags & kForwarded)) return false;
  handle_ = static_cast<Forward*>(handle_)->to;
  return true;
}

void QueryStream::visit(Evacuator& e) {
  e.visit(what_.query);
  e.visit(what_.argument);
  e.visit(what_.world);
  for (OptionValue& o : what_.options) e.visit(o.value);
  if (!running_) return;
  for (Value& v : running_->waiting) e.visit(v);
  running_->shared.visit(e);
}

}  // namespace chancel
