// SPDX-License-Identifier: Apache-2.0
// Nested inference: see conditional.hpp.
#include "engines/conditional.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "infer/engine.hpp"
#include "infer/query_options.hpp"
#include "math/elementary.hpp"
#include "particles/sweep_chain.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

// The inner chain has at least this many draws, in at least this many sweeps. Engines whose
// sweep is one draw or one step make 1000 of them.
constexpr std::uint64_t kInnerDraws = 1000;
constexpr std::uint64_t kInnerSweeps = 50;
// A draw by smc needs fewer sweeps when those so far weigh nearly the same: at least this many, and
// no fewer executions than importance makes.
constexpr std::uint64_t kFewSweeps = 10;
constexpr double kNoBias = 0.001;
// The length of the chain is doubled while the effect of its start may be above kSmallBias (total
// variation), at most kMostDoublings times.
constexpr double kSmallBias = 0.01;
constexpr unsigned kMostDoublings = 4;
constexpr std::uint64_t kNestedKind = 7;
constexpr std::uint32_t kParameterCount = 4;

Value copy_into(Arena& arena, const Value& v) {
  const Heap* outer = &arena.heap();
  return deep_copy(v, arena, [outer](const Object* o) { return block_of(o)->heap == outer; });
}

// Options without those that the engine does not have; `ignored` says which those were.
std::optional<QueryOptions> options_of(const Value* parameters, std::optional<Diagnostic>* ignored,
                                       DiagnosticSink& problems) {
  const auto* options = parameters[2].as<Vector>();
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < options->count; ++i) items.push_back(vector_nth(options, i));
  auto read = read_options(items.data(), items.size(), {}, problems);
  const EngineDef* const def = find_engine(parameters[1].name->full);
  if (read && def) *ignored = ignore_foreign_options(*def, read->engine);
  return read;
}

// The engine that runs the inner query; null: `problem` says why not.
std::unique_ptr<Engine> inner_engine(NativeContext& cx, const Value* parameters, StreamName name,
                                     Diagnostic* problem) {
  HostServices* const services = services_of(cx.run);
  RunSetup setup;
  setup.image = services ? services->image(parameters[0], parameters[3]) : nullptr;
  setup.query = parameters[0];
  setup.argument = parameters[3];
  setup.world = cx.world;
  setup.name = name;
  setup.shared_name = name;
  setup.run = cx.run;
  setup.nesting = cx.nesting + 1;
  setup.threads = 1;
  setup.independent_sweeps = true;
  setup.max_memory = cx.arena->heap().limit();
  setup.budget = cx.arena->heap().budget();
  DiagnosticSink problems;
  std::optional<Diagnostic> ignored;  // the warning was given when the distribution was made
  const auto read = options_of(parameters, &ignored, problems);
  std::unique_ptr<Engine> engine;
  if (read) {
    const EngineDef* const def = find_engine(parameters[1].name->full);
    if (def && adapts(*def, read->engine))
      setup.warmup = read->warmup.value_or(usual_warmup(*def, read->engine, kInnerDraws));
    engine = make_engine(parameters[1].name->full, setup, read->engine, problems);
  }
  if (!engine) *problem = problems.list().front();
  return engine;
}

Diagnostic nothing_possible() {
  return {
      Code::I003, Severity::Error,
      {},         "conditional: every execution of the inner query contradicts its observations",
      "",         {}};
}

// --- by running the inner query again
// ----------------------------------------------------------------------------------

// Queries that condition on each other without end would use up the stack of the thread.
constexpr int kMaxNestedRuns = 50;

Diagnostic nested_too_deeply() {
  return {Code::L003,
          Severity::Error,
          {},
          fmt::format("conditional: queries run inside each other more than {} levels deep",
                      kMaxNestedRuns),
          "does a query condition on itself?",
          {}};
}

bool run_chain(NativeContext& cx, const Dist* d, Stream& stream, SweepChain& chain, bool one_draw) {
  Diagnostic problem;
  const auto fail = [&cx](Diagnostic p) {
    cx.fail(std::move(p));
    return false;
  };
  if (cx.nesting >= kMaxNestedRuns) return fail(nested_too_deeply());
  const std::unique_ptr<Engine> engine =
      inner_engine(cx, d->values, stream.nested(kNestedKind), &problem);
  if (!engine) return fail(problem);
  // Of exact draws one is enough.
  const EngineDef* const def = find_engine(d->values[1].name->full);
  const bool exact = def->exact_draws;
  std::uint64_t draws = exact && one_draw ? 1 : kInnerDraws;
  std::uint64_t sweeps = exact && one_draw ? 1 : kInnerSweeps;
  const bool may_end_early = one_draw && def->independent_sweeps;
  const auto good_enough = [&] {
    return may_end_early && chain.sweeps() >= kFewSweeps && chain.draws() >= kInnerDraws &&
           chain.bias() <= kNoBias;
  };
  double bias = 0;
  for (unsigned longer = 0;; ++longer) {
    while ((chain.draws() < draws || chain.sweeps() < sweeps) && !good_enough() &&
           engine->step(chain)) {
    }
    if (engine->failure()) return fail(*engine->failure());
    bias = chain.bias();
    if (bias <= kSmallBias || longer == kMostDoublings) break;
    draws = 2 * chain.draws();
    sweeps = 2 * chain.sweeps();
  }
  if (bias > kSmallBias) services_of(cx.run)->note_nested_bias(bias);
  return chain.finish() || fail(nothing_possible());
}

Value sample_conditional(NativeContext& cx, const Dist* d, Stream& stream) {
  SweepChain chain(stream, [&cx](const Value& v) { return copy_into(*cx.arena, v); });
  return run_chain(cx, d, stream, chain, true) ? chain.value() : Value::nil();
}

double observe_conditional(NativeContext& cx, const Dist* d, const Value& x) {
  Stream& stream = *cx.scoring;
  SweepChain chain(stream, {}, &x);
  if (!run_chain(cx, d, stream, chain, false)) return NAN;
  if (!chain.met() && x.is(Tag::Double)) {
    cx.fail(Code::R011,
            fmt::format(
                "conditional: no draw of the inner query gave {}, so its probability is not known",
                show(x)),
            -1, "only results that take a value with positive probability can be observed");
    return NAN;
  }
  return math::log(chain.probability());
}

// --- by enumeration
// ------------------------------------------------------------------------------------------------------
// After the four parameters come the values of the result; the numbers are their log-probabilities.

class Table final : public Sink {
 public:
  explicit Table(Arena& arena) : arena_(arena) {}
  void draw(const EngineDraw& d) override {
    const auto found = places_.find(d.result);
    if (found != places_.end()) {
      log_weights[found->second] = log_add(log_weights[found->second], d.log_weight);
      return;
    }
    values.push_back(copy_into(arena_, d.result));
    log_weights.push_back(d.log_weight);
    places_.emplace(values.back(), values.size() - 1);
  }
  std::vector<Value> values;
  std::vector<double> log_weights;

 private:
  struct Hash {
    std::size_t operator()(const Value& v) const { return hash(v); }
  };
  struct Equal {
    bool operator()(const Value& a, const Value& b) const { return equal(a, b); }
  };
  Arena& arena_;
  std::unordered_map<Value, std::size_t, Hash, Equal> places_;
};

Value sample_table(NativeContext&, const Dist* d, Stream& stream) {
  double at = stream.uniform();
  std::uint32_t i = 0;
  for (; i + 1 < d->number_count; ++i) {
    at -= math::exp(d->numbers()[i]);
    if (at < 0) break;
  }
  return d->values[kParameterCount + i];
}

double observe_table(NativeContext&, const Dist* d, const Value& x) {
  for (std::uint32_t i = 0; i < d->number_count; ++i)
    if (equal(d->values[kParameterCount + i], x)) return d->numbers()[i];
  return kLogZero;
}

Value values_of_table(const Dist* d, Arena& arena) {
  return make_vector(arena, d->values + kParameterCount, d->number_count);
}

const char* const kParameters[] = {"query", "algorithm", "options", "arguments"};

DistType sampled_type() {
  DistType t{};
  t.name = "conditional";
  t.parameter_names = kParameters;
  t.parameter_count = kParameterCount;
  t.support = DistSupport::Other;
  t.doc = "The posterior of a query's result, by nested inference.";
  t.construct = make_conditional;
  t.sample = sample_conditional;
  t.log_prob = observe_conditional;
  t.estimated = true;
  return t;
}

DistType enumerated_type() {
  DistType t = sampled_type();
  t.support = DistSupport::FiniteValues;
  t.discrete = true;
  t.sample = sample_table;
  t.log_prob = observe_table;
  t.enumerate = values_of_table;
  t.estimated = false;
  return t;
}

const DistType kSampled = sampled_type();
const DistType kEnumerated = enumerated_type();

Value make_dist(Arena& arena, const DistType& type, const Value* parameters, const Table* table) {
  const auto count = static_cast<std::uint32_t>(table ? table->values.size() : 0);
  static_assert(sizeof(double) <= sizeof(Value));
  auto* d = arena.make<Dist>(Tag::Dist,
                             bytes_with<Dist>(kParameterCount + count) + count * sizeof(double));
  d->type = &type;
  d->value_count = kParameterCount + count;
  d->number_count = count;
  for (std::uint32_t i = 0; i < kParameterCount; ++i) d->values[i] = parameters[i];
  if (!table) return Value::object(d);
  const double log_evidence = log_sum_exp(table->log_weights);
  for (std::uint32_t i = 0; i < count; ++i) {
    d->values[kParameterCount + i] = table->values[i];
    d->numbers()[i] = table->log_weights[i] - log_evidence;
  }
  return Value::object(d);
}

}  // namespace

Value make_conditional(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Query)) return cx.wrong_type("conditional", 0, "a query", args[0]);
  const EngineDef* def = args[1].is(Tag::Keyword) ? find_engine(args[1].name->full) : nullptr;
  if (!def) {
    std::string names;
    for (const EngineDef& e : all_engines())
      names += (names.empty() ? ":" : " :") + std::string(e.name);
    return cx.fail(Code::I001,
                   fmt::format("conditional: {} is not an inference algorithm", show(args[1])), 1,
                   "the algorithms are " + names);
  }
  DiagnosticSink unsaid;  // mistakes come up with the first draw
  std::optional<Diagnostic> ignored;
  if (options_of(args, &ignored, unsaid) && ignored && !cx.take_noted())
    return cx.note(ignored->code, "conditional: " + ignored->message, ignored->hint);
  if (def->gives != EngineDef::Gives::List) return make_dist(*cx.arena, kSampled, args, nullptr);
  const auto fail = [&cx](const Diagnostic& p) {
    return cx.fail(p.code, "conditional: " + p.message, 0, p.hint);
  };
  Diagnostic problem;
  if (cx.nesting >= kMaxNestedRuns) return fail(nested_too_deeply());
  const std::unique_ptr<Engine> engine = inner_engine(cx, args, StreamName{}, &problem);
  if (!engine) return fail(problem);
  Table table(*cx.arena);
  while (engine->step(table)) {
  }
  if (engine->failure()) return fail(*engine->failure());
  return make_dist(*cx.arena, kEnumerated, args, &table);
}

}  // namespace chancel
