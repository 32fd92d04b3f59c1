// SPDX-License-Identifier: Apache-2.0
// What an engine is: something that makes weighted draws of a query, a batch at a time (SMC: a
// sweep; MCMC: a step). Engines are made by name through the registry (engines.def) and see
// executions only through Machine and Execution. Draws are the same bits for any number of threads:
// every random number comes from a stream named by (seed, chain, sweep, particle slot, barrier).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bytecode/program.hpp"
#include "diag/diagnostic.hpp"
#include "infer/sabotage.hpp"
#include "infer/sink.hpp"
#include "random/stream.hpp"
#include "vm/machine.hpp"

namespace chancel {

struct OptionValue {
  std::string name;  // without the colon: "number-of-particles"
  Value value;  // Int, Double, Bool, Keyword or String (immediate or among the program's constants)
};

struct RunSetup {
  std::shared_ptr<Image> image;
  Value query =
      Value::nil();  // a Query or function value in the image (or in a heap that stands still)
  Value argument = Value::nil();        // the query's value, likewise
  std::vector<std::string> parameters;  // of the query, for messages about its argument
  World* world = nullptr;  // what those around the query remember: atoms, memos, lazy values
  StreamName name;         // all randomness of this chain derives from here
  StreamName shared_name;  // and what all chains of the run have in common from here
  std::uint32_t chain = 0;
  std::uint64_t wanted_draws = 0;  // the chain ends with them; 0 = not known
  RunLimits* limits = nullptr;
  HostServices* host = nullptr;
  unsigned threads = 1;
  std::size_t max_memory = ~std::size_t{0};
  std::shared_ptr<MemoryBudget> budget;  // of all heaps of the run together; may be null
  bool keep_impossible =
      false;  // importance: also hand out executions of weight zero (doquery :drop-invalid false)
  // Sweeps that could learn from those before must not: whoever asks takes them for independent.
  bool independent_sweeps = false;
  bool keep_descent = false;         // tell the sink who descends from whom in the first two sweeps
  Stream::Source* source = nullptr;  // tests only: where every random number comes from
  Sabotage sabotage = Sabotage::None;  // tests only: a planted mistake that they must find
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Makes the next batch of draws. False: the run cannot go on; failure() says why (or nothing,
  // when an exact engine is done).
  virtual bool step(Sink& sink) = 0;
  const std::optional<Diagnostic>& failure() const { return failure_; }
  const RunFigures& figures() const { return figures_; }

 protected:
  std::optional<Diagnostic> failure_;
  RunFigures figures_;
};

struct EngineOptionDoc {
  const char* name;
  const char* values;  // "integer >= 1 (100)"
  const char* doc;
};
struct EngineDef {
  const char* name;  // Anglican's keyword without the colon
  const char* summary;
  std::vector<EngineOptionDoc> options;
  std::unique_ptr<Engine> (*make)(const RunSetup& setup, const std::vector<OptionValue>& options,
                                  DiagnosticSink& sink);
  // What a step gives: one draw or several that have nothing to do with each other, the particles of
  // a sweep, which share ancestors, or every execution once with its probability.
  enum class Gives : std::uint8_t { Draws, Sweeps, List } gives = Gives::Draws;
};
const std::vector<EngineDef>& all_engines();
const EngineDef* find_engine(std::string_view name);  // also by alias (rdb)
// The engine, if there is one of this name and it takes options of these names; else mistakes go to
// the sink.
const EngineDef* check_engine(std::string_view name, const std::vector<OptionValue>& options,
                              DiagnosticSink& sink);
// Checks the options against the engine's list (unknown or ineffective: I002 that lists the valid
// ones), then makes it.
std::unique_ptr<Engine> make_engine(std::string_view name, const RunSetup& setup,
                                    const std::vector<OptionValue>& options, DiagnosticSink& sink);

}  // namespace chancel
