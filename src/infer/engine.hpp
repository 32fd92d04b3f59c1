// SPDX-License-Identifier: Apache-2.0
// An engine makes weighted draws of a query, a batch at a time (SMC: a sweep; MCMC: a step).
// Engines are made by name through the registry (engines/registry.hpp). They see executions through
// Executor and Execution; populations also hold particles as rows (vm/row_space.hpp), which native
// code advances (infer/native_tier.hpp). Draws are the same bits for any number of threads: every random number
// comes from a stream named by (seed, chain, sweep, particle slot, barrier).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "bytecode/program.hpp"
#include "diag/diagnostic.hpp"
#include "infer/options.hpp"
#include "infer/sink.hpp"
#include "random/stream.hpp"
#include "vm/executor.hpp"
#include "vm/host_services.hpp"
#include "vm/native_use.hpp"
#include "vm/stop.hpp"
#include "vm/test_probe.hpp"

namespace chancel {

// Values that belong to a run and to nothing that outlives it.
struct RunValues {
  Heap heap;
  Arena arena{heap};
};

class ByteNames;   // value/bytes.hpp
class DelayHook;   // vm/delay_hook.hpp
class NativeTier;  // infer/native_tier.hpp
struct Prefix;     // infer/prefix.hpp
struct RunSetup;
class Ranks;  // ranks/ranks.hpp

// What an engine asks of native code besides: it costs a little.
struct NativeNeeds {
  bool streams_go_on = false;  // NativeTurn::drawn
  bool keys = false;           // NativeTurn::keys
  bool futures = false;        // NativeTurn::given
  bool blocks = false;         // NativeTurn::blocks
  bool source = false;         // random numbers come from RunSetup::source() (tests only)
};
using MakeNativeTier = std::unique_ptr<NativeTier> (*)(const Prefix& prefix, const RunSetup& setup,
                                                       Executor& machine, NativeNeeds needs);

struct RunSetup {
  std::shared_ptr<Image> image;
  std::shared_ptr<RunValues> values;  // where query, argument and world live; null: elsewhere
  Value query = Value::nil();         // a Query or function value, in a heap that stands still
  Value argument = Value::nil();      // the query's value, likewise
  Value plain_query =
      Value::nil();  // the same query, for other arguments: of `query` some work may be done
  std::vector<std::string> parameters;  // of the query, for messages about its argument
  World* world = nullptr;  // what those around the query remember: atoms, memos, lazy values
  StreamName name;         // all randomness of this chain derives from here
  StreamName shared_name;  // and what all chains of the run have in common from here
  std::uint32_t chain = 0;
  std::uint64_t wanted_draws = 0;  // the chain ends with them; 0 = not known
  // Steps before the first draw, in which an engine that adapts may; none of them is handed out.
  std::uint64_t warmup = 0;
  Run* run = nullptr;  // limits, interrupt, output, services
  int nesting = 0;     // how many runs of other queries this one is inside
  unsigned threads = 1;
  // Processes that work on this chain, of which this is one (the first has the draws); null: it alone.
  Ranks* ranks = nullptr;
  const ByteNames* byte_names = nullptr;  // for values that go from one of them to another
  std::size_t max_memory = ~std::size_t{0};
  std::shared_ptr<MemoryBudget> budget;  // of all heaps of the run together; may be null
  bool prior = false;                    // observes do nothing
  // Draws that no observe follows in any execution, by their places (core/closing_draws.hpp). Null: not known.
  std::shared_ptr<const std::vector<Span>> closing_draws;
  bool delayed = false;  // draws are put off (the option :delayed)
  // What puts them off; draws from a Chinese restaurant process, too, or not those.
  std::unique_ptr<DelayHook> (*delayed_draws)(bool seats) = nullptr;
  // Native code for populations; null: there is none.
  MakeNativeTier native_tier = nullptr;
  NativeUse native = NativeUse::WhereHot;
  bool seats_at_once = false;  // draws from such a process are not put off
  bool log_joint = false;      // say it of each draw (EngineDraw), where it is not free too
  bool pointwise = false;      // say the score of each observe of a draw (EngineDraw)
  // Importance: also hand out executions of weight zero (doquery :drop-invalid false)
  bool keep_impossible = false;
  // Sweeps must not learn from earlier ones: the caller treats them as independent.
  bool independent_sweeps = false;
  bool keep_descent = false;  // tell the sink who descends from whom in the first two sweeps
  const TestProbe* probe = TestProbe::of_process;  // null outside tests

  Stream::Source* source() const { return probe ? probe->source : nullptr; }
  std::uint32_t native_leaves() const { return probe ? probe->native_leaves : 0; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  // Makes the next batch of draws. False: the run cannot continue; failure() has the reason (or
  // nothing, when an exact engine is done).
  virtual bool step(Sink& sink) = 0;
  // With these options it can use other ranks (RunSetup::ranks), on which help() is called: that does
  // a share of the first rank's steps, until the run is over (RunIsOver is thrown).
  virtual bool can_help() const { return false; }
  virtual void help() {}
  const std::optional<Diagnostic>& failure() const { return failure_; }
  const EngineStatistics& statistics() const { return statistics_; }
  // Its state between two steps as bytes, from which a new engine of the same setup continues with
  // the same draws. False: it has none that can be written (infer/engine_state.hpp), or not now.
  virtual bool save(ByteWriter&, const ByteNames&) const { return false; }
  // Of an engine that has made no step. False: from.problem(); the engine is of no use then.
  virtual bool restore(ByteReader& from, const ByteNames&) {
    return from.fail("the engine keeps no state");
  }

 protected:
  std::optional<Diagnostic> failure_;
  EngineStatistics statistics_;
};

// How an engine works: for the choice among engines, for tables and for advice, which do not compare
// names.
enum class EngineFamily : std::uint8_t {
  Independent,    // draws that have nothing to do with each other
  Particles,      // populations that depend on nothing before them
  ParticleChain,  // chains whose steps are populations
  SingleSite,     // chains that change one draw at a step
  Partition,      // chains that change the seats of items
  Walk,           // chains that change all continuous draws, without gradients
  Gradient,       // chains that change all continuous draws, by gradients
  Mode,           // a search for the most probable execution
  List,           // every execution once
};
const char* family_name(EngineFamily family);  // "single-site"

struct EngineDef {
  const char* name;  // Anglican's keyword without the colon
  const char* summary;
  std::vector<OptionDef> options;
  std::unique_ptr<Engine> (*make)(const RunSetup& setup, const EngineOptions& options);
  // What a step gives: one draw or several that have nothing to do with each other, the particles
  // of a sweep, which share ancestors, or every execution once with its probability.
  enum class Gives : std::uint8_t { Draws, Sweeps, List } gives = Gives::Draws;
  bool adapts = false;  // to what it meets in RunSetup::warmup; only such an engine has a warm-up
  // The option (a word) without which, or with the first of whose words, it does not.
  const char* adapts_with = nullptr;
  // It looks for the most probable execution: what it gives are not draws from the posterior.
  bool finds_mode = false;
  EngineFamily family = EngineFamily::Independent;  // as engines.def says
  // `auto` may choose it. Such an engine is enumerated (test/exact) or calibrated (test/calibration).
  bool automatic = false;
  // A draw needs as many steps as the query has draws before most of it can have changed.
  bool thins_by_draws() const { return family == EngineFamily::SingleSite; }
  // Its first draws depend on where it started.
  bool is_chain() const {
    return family >= EngineFamily::ParticleChain && family <= EngineFamily::Gradient;
  }
  // Draws from the posterior itself: one of them is as good as the mean of many is exact.
  bool exact_draws = false;
  // Sweeps that depend on nothing before them, with one particle each where Anglican gives no number.
  bool independent_sweeps = false;
};

}  // namespace chancel
