// SPDX-License-Identifier: Apache-2.0
// Nested inference: see conditional.hpp.
#include "api/conditional.hpp"

#include <fmt/format.h>

#include <cmath>

#include "api/engine_options.hpp"
#include "infer/engine.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

// Draws of the inner query for one draw of the outer. The choice among K weighted draws is biased by O(1/K); an MCMC engine
// takes the last of K steps. 1000 makes the bias smaller than the noise of any run that fits in a coffee break.
constexpr std::uint64_t kInnerDraws = 1000;
constexpr std::uint64_t kNestedKind = 7;

// Keeps one draw with probability proportional to its weight (weighted reservoir), or the last one for MCMC.
class PickOne final : public Sink {
 public:
  PickOne(Stream& stream, Arena& arena, const Heap* inner) : stream_(stream), arena_(arena), inner_(inner) {}
  void draw(const EngineDraw& d) override {
    ++count;
    if (d.log_weight == -INFINITY) return;
    if (d.log_weight > max_) {
      total_ *= std::exp(max_ - d.log_weight);
      max_ = d.log_weight;
    }
    const double w = std::exp(d.log_weight - max_);
    total_ += w;
    if (stream_.uniform() * total_ < w || !found) {
      found = true;
      const Heap* outer = &arena_.heap();
      (void)inner_;
      value = deep_copy(d.result, arena_, [outer](const Object* o) { return block_of(o)->heap == outer; });
    }
  }
  bool found = false;
  Value value = Value::nil();
  std::uint64_t count = 0;

 private:
  Stream& stream_;
  Arena& arena_;
  const Heap* inner_;
  double max_ = -INFINITY;
  double total_ = 0;
};

Value sample_conditional(const Dist* d, Stream& stream, Arena& arena) {
  Machine& outer = *Machine::current();
  RunSetup setup;
  setup.image = outer.host ? outer.host->image() : nullptr;
  setup.query = d->values[0];
  setup.argument = d->values[3];
  setup.name = stream.nested(kNestedKind);
  setup.limits = outer.limits;
  setup.host = outer.host;
  setup.threads = 1;
  setup.max_memory = arena.heap().limit();
  const auto* options = d->values[2].as<Vector>();
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < options->count; ++i) items.push_back(vector_nth(options, i));
  DiagnosticSink problems;
  const auto read = read_options(items.data(), items.size(), {}, problems);
  std::unique_ptr<Engine> engine;
  if (read) engine = make_engine(d->values[1].name->full, setup, read->engine, problems);
  if (!engine) {
    outer.set_sampling_failure(problems.list().empty() ? Diagnostic{Code::I001, Severity::Error, {}, "conditional", "", {}}
                                                       : problems.list().front());
    return Value::nil();
  }
  PickOne pick(stream, arena, nullptr);
  while (pick.count < kInnerDraws && engine->step(pick)) {
  }
  if (engine->failure()) {
    outer.set_sampling_failure(*engine->failure());
    return Value::nil();
  }
  if (!pick.found) {
    outer.set_sampling_failure({Code::I003, Severity::Error, {},
                                "conditional: every execution of the inner query contradicts its observations", "", {}});
    return Value::nil();
  }
  return pick.value;
}

const char* const kParameters[] = {"query", "algorithm", "options", "arguments"};

}  // namespace

const DistType kConditional = {"conditional", kParameters, 4, Support::Other, false,
                               "The posterior of a query's result, by nested inference.", make_conditional,
                               sample_conditional, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr, nullptr};

Value make_conditional(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!args[0].is(Tag::Query)) return cx.wrong_type("conditional", 0, "a query", args[0]);
  if (!args[1].is(Tag::Keyword) || !find_engine(args[1].name->full)) {
    std::string names;
    for (const EngineDef& e : all_engines()) names += (names.empty() ? ":" : " :") + std::string(e.name);
    return cx.fail(Code::I001, fmt::format("conditional: {} is not an inference algorithm", show(args[1])), 1,
                   "the algorithms are " + names);
  }
  auto* d = cx.arena->make<Dist>(Tag::Dist, bytes_with<Dist>(4));
  d->type = &kConditional;
  d->value_count = 4;
  d->number_count = 0;
  for (int i = 0; i < 4; ++i) d->values[i] = args[i];
  return Value::object(d);
}

}  // namespace chancel
