// SPDX-License-Identifier: Apache-2.0
// See nested_doquery.hpp.
#include "runs/nested_doquery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "math/log_space.hpp"
#include "value/collections.hpp"
#include "value/world.hpp"
#include "vm/hidden_stream.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kNestedKind = 8;
constexpr std::uint64_t kOrderKind = 6;
constexpr std::int64_t kFirstStates = 16;
constexpr int kMaxNestedRuns = 50;  // more would use up the stack of the thread

// Programs that give no number of particles to smc were written for Anglican's default: one, so that
// each draw is an importance sample, and no draws share ancestors.
void add_anglican_defaults(const EngineDef& engine, std::vector<OptionValue>& options) {
  constexpr const char* kParticles = "number-of-particles";
  if (!engine.independent_sweeps) return;
  if (std::none_of(options.begin(), options.end(),
                   [](const OptionValue& o) { return o.name == kParticles; }))
    options.push_back({kParticles, Value::integer(1)});
}

enum Part : std::uint32_t {
  kAlgorithm,
  kQuery,
  kArgument,
  kOptions,
  kKey,
  kPosition,
  kStates,
  kParts
};

// Draws number `from` and later ones; a step of the engine is on one side of that, or the other.
class Keep final : public Sink {
 public:
  Keep(Arena& arena, std::uint64_t from, bool drop_invalid)
      : arena_(arena), from_(from), drop_invalid_(drop_invalid) {}
  void draw(const EngineDraw& d) override {
    if (drop_invalid_ && d.log_weight == -INFINITY) return;
    if (made_++ < from_) return;
    batch_.push_back(
        deep_copy(state_of(d, arena_), arena_,
                  [heap = &arena_.heap()](const Object* o) { return block_of(o)->heap == heap; }));
    log_weights_.push_back(d.log_weight);
  }
  void end_step(StreamName name, bool sweep) {
    if (sweep)
      for (const std::size_t i : order_of_sweep(name, steps_++, log_weights_))
        states.push_back(batch_[i]);
    else
      states.insert(states.end(), batch_.begin(), batch_.end());
    batch_.clear();
    log_weights_.clear();
  }
  std::uint64_t made() const { return made_; }
  std::vector<Value> states;

 private:
  Arena& arena_;
  std::uint64_t from_, made_ = 0, steps_ = 0;
  bool drop_invalid_;
  std::vector<Value> batch_;
  std::vector<double> log_weights_;
};

// The states from `position` on, up to twice as many; fewer: the engine is done. False: failed.
bool run_again(HostServices& services, NativeContext& cx, const Value* parts, std::int64_t position,
               std::vector<Value>* out) {
  if (cx.nesting >= kMaxNestedRuns) {
    cx.fail(Code::L003,
            fmt::format("doquery: queries run inside each other more than {} levels deep",
                        kMaxNestedRuns),
            -1, "does a query run itself?");
    return false;
  }
  std::vector<Value> args = {parts[kAlgorithm], parts[kQuery], parts[kArgument]};
  const auto* options = parts[kOptions].as<Vector>();
  for (std::uint32_t i = 0; i < options->count; ++i) args.push_back(vector_nth(options, i));
  cx.set_noted();  // when the sequence was made
  const auto call = read_doquery(cx, args.data(), static_cast<std::uint32_t>(args.size()));
  cx.take_noted();
  if (!call) return false;
  const StreamName name{static_cast<std::uint64_t>(parts[kKey].i)};
  RunSetup setup;
  setup.image = services.image(parts[kQuery], parts[kArgument]);
  setup.query = parts[kQuery];
  setup.argument = parts[kArgument];
  setup.world = cx.world;
  setup.name = setup.shared_name = name;
  setup.run = cx.run;
  setup.nesting = cx.nesting + 1;
  setup.max_memory = cx.arena->heap().limit();
  setup.budget = cx.arena->heap().budget();
  setup.keep_impossible = !call->options.drop_invalid;
  const bool adaptive = adapts(*call->engine, call->options.engine);
  const std::uint64_t warmup =
      call->options.warmup.value_or(usual_warmup(*call->engine, call->options.engine, 0));
  if (adaptive) setup.warmup = warmup;
  DiagnosticSink problems;
  const auto engine = make_engine(call->engine->name, setup, call->options.engine, problems);
  if (!engine) {
    cx.fail(problems.list().front());
    return false;
  }
  const std::uint64_t before = adaptive ? 0 : warmup;
  const auto from = static_cast<std::uint64_t>(position);
  const std::uint64_t to = before + std::max<std::uint64_t>(2 * from, kFirstStates);
  Keep keep(*cx.arena, before + from, call->options.drop_invalid);
  for (bool more = true; more && keep.made() < to;) {
    more = engine->step(keep);
    keep.end_step(name, call->engine->gives == EngineDef::Gives::Sweeps);
  }
  if (engine->failure() && keep.states.empty()) {
    cx.fail(*engine->failure());
    return false;
  }
  *out = std::move(keep.states);
  return true;
}

}  // namespace

std::vector<std::size_t> order_of_sweep(StreamName name, std::uint64_t step,
                                        const std::vector<double>& log_weights) {
  std::vector<std::size_t> order(log_weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream stream(name.child(kOrderKind, step), 0, 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  const double at = std::log(stream.uniform_open()) + log_sum_exp(log_weights);
  double sum = kLogZero;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum = log_add(sum, log_weights[order[i]]);
    if (sum < at && i + 1 < order.size()) continue;
    std::swap(order[0], order[i]);
    break;
  }
  return order;
}

Value state_of(const EngineDraw& draw, Arena& arena) {
  std::vector<Value> predicts;
  for (const Predicts* p = draw.predicts; p; p = p->previous) {
    const Value pair[2] = {p->label,
                           p->value};  // all of them; get-predicts keeps the last of a label
    predicts.push_back(make_vector(arena, pair, 2));
  }
  std::reverse(predicts.begin(), predicts.end());
  Value state = empty_map(arena);
  const auto add = [&](const char* key, const Value& v) {
    state = map_assoc(arena, state, Value::keyword(intern(key)), v);
  };
  add("log-weight", Value::real(draw.log_weight));
  add("result", draw.result);
  add("predicts", make_vector(arena, predicts.data(), predicts.size()));
  if (!draw.variational.is_nil()) add("variational", draw.variational);
  return state;
}

std::optional<DoqueryCall> read_doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (!args[0].is(Tag::Keyword)) {
    cx.wrong_type("doquery", 0, "an algorithm such as :lmh", args[0]);
    return std::nullopt;
  }
  if (!args[1].is(Tag::Query)) {
    cx.wrong_type("doquery", 1, "a query", args[1]);
    return std::nullopt;
  }
  DiagnosticSink problems;
  auto options = read_options(args + 3, count > 3 ? count - 3 : 0, {}, problems);
  const EngineDef* engine = options ? find_engine(args[0].name->full, problems) : nullptr;
  const std::optional<Diagnostic> ignored =
      engine ? ignore_foreign_options(*engine, options->engine) : std::nullopt;
  if (!engine || !check_options(*engine, options->engine, problems)) {
    const Diagnostic& d = problems.list().front();
    cx.fail(d.code, "doquery: " + d.message, d.code == Code::I001 ? 0 : -1, d.hint);
    return std::nullopt;
  }
  if (ignored && !cx.take_noted()) {
    cx.note(ignored->code, "doquery: " + ignored->message, ignored->hint);
    return std::nullopt;
  }
  add_anglican_defaults(*engine, options->engine);
  return DoqueryCall{engine, std::move(*options)};
}

Value nested_doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  const auto call = read_doquery(cx, args, count);
  if (!call) return Value::nil();
  Stream* const stream = hidden_stream(cx, "doquery");
  if (!stream) return Value::nil();
  Value parts[kParts];
  parts[kAlgorithm] = args[0];
  parts[kQuery] = args[1];
  parts[kArgument] = count > 2 ? args[2] : Value::nil();
  parts[kOptions] = make_vector(*cx.arena, args + std::min(count, 3u), count - std::min(count, 3u));
  parts[kKey] = Value::integer(static_cast<std::int64_t>(stream->nested(kNestedKind).key));
  parts[kPosition] = Value::integer(0);
  parts[kStates] = Value::nil();
  auto* lazy = cx.arena->make<LazySeq>(Tag::LazySeq);
  lazy->state = LazySeq::kWaiting;
  lazy->id = top_level_id();
  lazy->value = make_vector(*cx.arena, parts, kParts);
  return Value::object(lazy);
}

bool next_of_nested(HostServices& services, NativeContext& cx, Value& source, Value* out) {
  Value parts[kParts];
  for (std::uint32_t i = 0; i < kParts; ++i) parts[i] = vector_nth(source.as<Vector>(), i);
  if (parts[kStates].is_nil()) {
    std::vector<Value> states;
    if (!run_again(services, cx, parts, parts[kPosition].i, &states)) return false;
    if (states.empty()) return false;
    parts[kPosition] =
        Value::integer(parts[kPosition].i + static_cast<std::int64_t>(states.size()));
    for (auto s = states.rbegin(); s != states.rend(); ++s)
      parts[kStates] = cons(*cx.arena, *s, parts[kStates]);
  }
  const auto* first = parts[kStates].as<Cons>();
  *out = first->first;
  parts[kStates] = first->rest ? Value::object(first->rest) : Value::nil();
  source = make_vector(*cx.arena, parts, kParts);
  return true;
}

}  // namespace chancel
