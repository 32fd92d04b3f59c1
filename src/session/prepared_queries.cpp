// SPDX-License-Identifier: Apache-2.0
#include "session/prepared_queries.hpp"

#include <algorithm>
#include <unordered_set>
#include "base/memory_pressure.hpp"

#include "core/walk.hpp"
#include "session/plain_data.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {

// Work, for all parts of a query together, counted so that every machine gives up at the same part. Memory is
// counted for each part while it is evaluated, for all together, and for their values.
constexpr std::uint64_t kMostApplications = 4'000'000;
constexpr int kMostLooks = 2000;  // of natives, 4096 steps each
constexpr std::size_t kMostMemory = std::size_t{64} << 20;
constexpr std::size_t kMostMemoryTogether = 4 * kMostMemory;
// A part without a value whose evaluation costs more calls or memory is tried again by ever fewer runs.
constexpr std::uint64_t kCheapApplications = 4096;
constexpr std::size_t kCheapMemory = std::size_t{1} << 20;

// Asks what the execution has cost so far: then work must be done where it stands.
bool counts_work(core::Node* query, const core::Definitions& definitions) {
  bool counts = false;
  std::unordered_set<const Name*> seen;
  std::vector<core::Node*> open = {query};
  while (!open.empty() && !counts) {
    core::Node* const root = open.back();
    open.pop_back();
    core::each_node(root, [&](core::Node* node) {
      if (node->kind != core::Kind::Global) return;
      const Name* name = core::as<core::Global>(node)->name;
      counts = counts || name->full == "apply-count" || name->full == "eval-count";
      const auto found = definitions.find(name);
      if (found != definitions.end() && found->second && seen.insert(name).second)
        open.push_back(found->second);
    });
  }
  return counts;
}

// Ends natives that take too many steps.
class CountedRun final : public RunWatch {
 public:
  explicit CountedRun(Run& run) : run_(run) {}
  std::optional<Diagnostic> reason_to_stop() override {
    if (looks_++ < kMostLooks) return run_.reason_to_stop();
    return Diagnostic{Code::L002, Severity::Error, {}, "this takes too long", "", {}};
  }
  int looks() const { return looks_; }

 private:
  Run& run_;
  int looks_ = 0;
};

// Evaluates parts as an execution of the query would.
class PartEvaluator {
 public:
  PartEvaluator(Evaluator& evaluator, Image& image)
      : evaluator_(evaluator),
        run_(evaluator.run),
        watch_(run_),
        heap_(std::min(kMostMemory, evaluator.max_memory / 4)),
        value_heap_(heap_.limit()),
        machine_(*image.program, image.globals.data(), heap_, true) {
    run_.services = nullptr;
    run_.at_top_level = false;
    machine_.set_run(&run_);
    machine_.context().watch = &watch_;
    machine_.treat_hidden_draws(HiddenDraws::Refused);
    machine_.wants = {true, true};
  }

  // The function that the code gives, called with the values in a vector.
  std::optional<Value> evaluate(FunctionProto* code, const std::vector<Value>& values) {
    const Arena::Mark before = machine_.arena().mark();
    const std::size_t used_before = heap_.used();
    const std::uint64_t work_before = work_left_;
    const int looks_before = watch_.looks();
    std::optional<Value> value;
    try {
      value = called(code, values);
    } catch (const MemoryLimit&) {
      if (is_out_of_memory()) throw;  // the machine: the run ends
      work_left_ = 0;                 // what all values together may take
    }
    const std::size_t used = heap_.used() - std::min(heap_.used(), used_before);
    memory_left_ -= std::min(memory_left_, used);
    if (memory_left_ == 0) work_left_ = 0;
    was_costly_ = work_before - work_left_ > kCheapApplications || used > kCheapMemory ||
                  watch_.looks() > looks_before;
    machine_.arena().collect_since(before, [](Evacuator&) {});
    return value;
  }
  // The part that was evaluated last.
  bool was_costly() const { return was_costly_; }

 private:
  std::optional<Value> called(FunctionProto* code, const std::vector<Value>& values) {
    const std::optional<Value> function = run(evaluator_.closure(code), nullptr);
    if (!function) return std::nullopt;
    const Value all = make_vector(machine_.arena(), values.data(), values.size());
    const std::optional<Value> value = run(*function, &all);
    if (!value || !is_plain_data(*value)) return std::nullopt;
    return deep_copy(*value, values_,
                     [this](const Object* o) { return block_of(o)->heap != &heap_; });
  }

  std::optional<Value> run(const Value& function, const Value* argument) {
    if (work_left_ == 0) return std::nullopt;
    machine_.allow_work(work_left_);
    Execution x = machine_.start(function, argument, argument ? 1 : 0);
    World* const world = x.world;
    const Checkpoint stop = machine_.resume(x, Value::nil());
    work_left_ = machine_.work_left();
    if (stop.kind != Stop::Result || x.world != world) return std::nullopt;
    return stop.value;
  }

  Evaluator& evaluator_;
  Run run_;
  CountedRun watch_;
  Heap heap_;
  Heap value_heap_;
  Arena values_{value_heap_};
  Machine machine_;
  std::uint64_t work_left_ = kMostApplications;
  std::size_t memory_left_ = kMostMemoryTogether;
  bool was_costly_ = false;
};

}  // namespace

std::optional<PreparedQuery> PreparedQueries::prepared(const Value& query, const Value& argument,
                                                       const std::shared_ptr<Image>& image,
                                                       Arena& arena, const PassObserver& observer) {
  const std::lock_guard lock(evaluator_.compile_mutex);
  const Closure* const before = closure_of_query(query);
  const QueryCore* const found = before ? queries_.source_of(proto_of(before)) : nullptr;
  if (!found) return std::nullopt;
  Made& made = made_[proto_of(before)];
  if (!made.has_parts) return std::nullopt;
  const QueryCore source = *found;
  std::optional<DataByVariable> data = data_of(source, *before, argument);
  if (!data) return std::nullopt;

  std::optional<PartEvaluator> evaluator;
  const auto evaluate =
      [&](const core::Node* part, const std::vector<Value>& needs,
          const std::function<core::Lambda*()>& function) -> std::optional<Value> {
    if (!evaluator) evaluator.emplace(evaluator_, *image);
    const auto [found, is_new] = made.parts.try_emplace(part);
    Part& known = found->second;
    DiagnosticSink sink;
    if (is_new)
      known.code =
          compile_top_level(function(), evaluator_.nodes, *evaluator_.program, linker_, sink);
    if (!known.code || known.is_left()) return std::nullopt;
    std::optional<Value> value = evaluator->evaluate(known.code, needs);
    if (value)
      known.to_leave = known.left = 0;
    else if (evaluator->was_costly())
      known.leave();
    return value;
  };
  if (counts_work(source.lambda, queries_.definitions())) return std::nullopt;
  const core::Effects effects(source.lambda, queries_.definitions(),
                              [this](const Name* name) { return queries_.library_use(name); });
  KnownParts known;
  known.parts = evaluate_parts(source.lambda, effects, *data, evaluator_.nodes, linker_, evaluate,
                               made.names);
  made.has_parts = evaluator.has_value();
  if (known.parts.empty()) return std::nullopt;

  FunctionProto* const code = code_with(known, source, made, observer);
  if (!code) return std::nullopt;
  for (const KnownPart& p : known.parts) data->emplace(p.name, p.value);
  std::vector<Value> captured;
  for (const core::Binding* b : queries_.source_of(code)->captured) captured.push_back(data->at(b));
  // One copy, so that what the values share is there once.
  Heap heap;
  Arena scratch(heap);
  const Value both[] = {query_of(code, captured, scratch), argument};
  const Value copies = deep_copy(make_vector(scratch, both, 2), arena,
                                 [constants = &evaluator_.program->constants().heap()](
                                     const Object* o) { return block_of(o)->heap == constants; });
  return PreparedQuery{vector_nth(copies.as<Vector>(), 0), vector_nth(copies.as<Vector>(), 1)};
}

// The argument and what the query captures, if they are plain data.
std::optional<DataByVariable> PreparedQueries::data_of(const QueryCore& source,
                                                       const Closure& closure,
                                                       const Value& argument) {
  if (source.lambda->arities.size() != 1 || !is_plain_data(argument)) return std::nullopt;
  const core::Arity& arity = source.lambda->arities.front();
  if (arity.params.size() != 1 || arity.rest) return std::nullopt;
  DataByVariable data = {{arity.params.front(), argument}};
  for (std::size_t i = 0; i < source.captured.size(); ++i) {
    if (!is_plain_data(closure.captured[i])) return std::nullopt;
    data[source.captured[i]] = closure.captured[i];
  }
  return data;
}

// Code of the query with these parts known. Null: it failed.
FunctionProto* PreparedQueries::code_with(KnownParts& known, const QueryCore& source, Made& made,
                                          const PassObserver& observer) {
  std::vector<const core::Node*> nodes;
  for (const KnownPart& p : known.parts) nodes.push_back(p.part);
  const auto [code, is_new] = made.code.try_emplace(std::move(nodes), nullptr);
  if (!is_new && !observer) return code->second;
  known.captured = source.captured;
  for (const KnownPart& p : known.parts) known.captured.push_back(p.name);
  CompileUnit unit{source.lambda, evaluator_.nodes, *evaluator_.program, linker_, evaluator_.sink};
  unit.known = &known;
  run_passes(unit, PassStage::Query, observer);
  return code->second = queries_.compiled(unit.node);
}

}  // namespace chancel
