// SPDX-License-Identifier: Apache-2.0
// Draws as values of programs: see query_stream.hpp.
#include "api/query_stream.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "api/session.hpp"
#include "math/log_space.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kOrderKind = 6;
}

RunHost::RunHost(Session& session, std::shared_ptr<Image> image)
    : session_(session), image_(std::move(image)), run_(session.run()) {
  run_.services = this;
  run_.at_top_level = false;
}

Value RunHost::doquery(NativeContext& cx, const Value*, std::uint32_t) {
  return cx.fail(Code::F010, "doquery: cannot be used inside a query", 0,
                 "use (conditional query) for nested inference");
}

Value RunHost::compile(NativeContext& cx, const Value& form) {
  return session_.compile_for(cx, form, image_.get());
}

Value RunHost::hoisted(const Value& query, const Value& argument, Arena& arena) {
  return session_.hoisted(query, argument, arena);
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
  Arena& arena = session_.machine().arena();
  if (what_.drop_invalid && draw.log_weight == -INFINITY) return;
  const Heap* constants = &what_.image->program->constants().heap();
  std::vector<Value> predicts;
  for (const Predicts* p = draw.predicts; p;
       p = p->previous) {  // all of them; get-predicts keeps the last of a label
    const Value pair[2] = {p->label, p->value};
    predicts.push_back(make_vector(arena, pair, 2));
  }
  std::reverse(predicts.begin(), predicts.end());
  Value state = empty_map(arena);
  state =
      map_assoc(arena, state, Value::keyword(intern("log-weight")), Value::real(draw.log_weight));
  state = map_assoc(arena, state, Value::keyword(intern("result")), draw.result);
  state = map_assoc(arena, state, Value::keyword(intern("predicts")),
                    make_vector(arena, predicts.data(), predicts.size()));
  // The parts still point into the engine's heap: copy the whole, and drop this scaffold with the
  // next collection.
  const auto stays = [=](const Object* o) { return block_of(o)->heap == constants; };
  running_->waiting.push_back(running_->shared.copy(state, arena, stays));
  running_->log_weights.push_back(draw.log_weight);
}

// The particles of a sweep lie in the order of their ancestors; whoever takes a few must get a fair
// part of it. They come in random order, the first one drawn by weight.
void QueryStream::shuffle() {
  auto& waiting = running_->waiting;
  auto& log_weights = running_->log_weights;
  Stream stream(what_.name.child(kOrderKind, running_->steps++), 0, 0);
  for (std::size_t i = waiting.size(); i > 1; --i) {
    const std::size_t k = stream.below(i);
    std::swap(waiting[i - 1], waiting[k]);
    std::swap(log_weights[i - 1], log_weights[k]);
  }
  const double at = std::log(stream.uniform_open()) + log_sum_exp(log_weights);
  double sum = kLogZero;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    sum = log_add(sum, log_weights[i]);
    if (sum < at && i + 1 < waiting.size()) continue;
    std::swap(waiting[0], waiting[i]);
    break;
  }
}

QueryStream::QueryStream(Session& session, WaitingQuery what, Object* handle)
    : session_(session), what_(std::move(what)), handle_(handle) {
  const EngineDef* engine = find_engine(what_.algorithm);
  engine_name_ = engine ? engine->name : "";
}

bool QueryStream::start(NativeContext& cx) {
  auto made = std::make_unique<Running>();
  RunSetup setup =
      session_.setup_run(what_.query, what_.argument, what_.world, what_.name, what_.image);
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
    if (r.sweeps) shuffle();
    if (!more) {
      if (r.waiting.empty()) {
        const std::optional<Diagnostic>& failure = r.engine->failure();
        if (failure && !(failure->code == Code::L005 && session_.end_streams())) cx.fail(*failure);
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
