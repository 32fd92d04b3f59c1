// SPDX-License-Identifier: Apache-2.0
// The public C++ interface of Chancel: compile a program from text, bind data, choose an engine and
// its options, take weighted draws, read their values, catch errors that have a place. The command
// line uses only these public headers.
//
//   auto model = chancel::Model::compile(
//       "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 3) (predict :x x)))");
//   chancel::InferOptions options;
//   options.algorithm = "smc";
//   for (const chancel::Draw& draw : model.infer("q", options))
//     use(draw.log_weight, draw["x"].number());
//
// Threads: a Model and what came from it (Inference, Draw, ValueView) may be used by one thread at
// a time; different Models are independent and may run at the same time. An Interrupt may be used
// from any thread. on_barrier, on_descent and on_warning are called on the thread that takes the
// draws; output (one call at a time) and native functions on all threads of the run. A Model
// outlives its Inferences. Values and draws are views that are valid until the next draw is taken.
// Everything throws chancel::Error and nothing else.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "chancel/cluster.hpp"
#include "chancel/native.hpp"
#include "chancel/value.hpp"

namespace chancel {

const char* version();

enum class ExitCode { Ok = 0, Usage = 64, BadInput = 65, NoInput = 66, Failed = 70 };

// One message for a person; `text` is the whole rendering with place, source line and caret.
struct Message {
  std::string code;  // "F001"
  bool error = true;
  std::string file;
  std::size_t line = 0, column = 0, end_line = 0, end_column = 0;  // 0 = no place
  std::string message;
  std::string hint;
  std::string text;
};

class Error : public std::runtime_error {
 public:
  Error(std::vector<Message> messages, ExitCode exit_code);
  const std::vector<Message>& messages() const { return messages_; }
  ExitCode exit_code() const { return exit_code_; }

 private:
  std::vector<Message> messages_;
  ExitCode exit_code_;
};

struct Predict {
  std::string label;  // as printed: ":states", "(get-state 0)"
  ValueView value;
};

// How an engine that follows gradients came to a draw; the names of CmdStan are in
// docs/file-formats.md.
struct GradientMove {
  double acceptance = 0;  // mean over the trajectory
  double step_size = 0;
  std::uint32_t depth = 0;  // doublings of the trajectory
  std::uint32_t steps = 0;  // evaluations of the gradient
  bool divergent = false;
  double energy = 0;
};

struct ObserveTerm {
  std::size_t line = 0;
  double log_likelihood = 0;
};

struct Draw {
  double log_weight = 0;
  // Log density of all its draws and observes together; NaN unless InferOptions::log_joint asks for
  // it and the engine knows it.
  double log_joint = std::numeric_limits<double>::quiet_NaN();
  std::optional<GradientMove> move;
  std::vector<ObserveTerm> pointwise;  // its observes in their order; see InferOptions::pointwise
  std::uint64_t index = 0;  // number of this draw in the run (after burn-in and thinning)
  std::uint64_t sweep = 0;
  std::uint32_t chain = 0;
  std::vector<Predict> predicts;  // order of first occurrence; the last value of a repeated label
  ValueView result;
  std::uint64_t applications = 0;  // of its execution
  // What the run had done when this draw was made; the first two are the same bits for the same
  // seed.
  std::uint64_t run_simulations = 0, run_applications = 0;
  double run_seconds = 0;
  const ValueView* find(std::string_view label) const;        // null when there is none
  const ValueView& operator[](std::string_view label) const;  // throws Error
};

struct Barrier {
  std::uint32_t chain = 0;
  std::uint64_t sweep = 0;
  std::uint32_t barrier = 0;
  std::size_t line = 0;  // of the observe
  double ess = 0;
  bool resampled = false;
  std::uint32_t distinct_ancestors = 0;
  double log_mean_weight = 0;
};

// Where the work of a program lies, by line. Work between two checkpoints (sample or observe)
// counts for the line of the second; what comes after the last one for the query's own line. All
// statistics are means over whole executions, but the last two.
struct LineProfile {
  std::size_t line = 0;
  double samples = 0;  // draws made here
  double observes = 0;
  double applications = 0;
  double seconds = 0;
  // Of the log-likelihoods at the observes here, over particles that stand there together.
  double weight_variance = 0;
  double ess_loss = 0;  // share of the effective sample size that they cost, 0 to 1
};

// Where a particle after an observe comes from: reported for the first two sweeps of each chain,
// for all particles of small populations and for the ancestors of 100 of larger ones.
struct Descent {
  std::uint32_t chain = 0;
  std::uint64_t sweep = 0;
  std::uint32_t barrier = 0;
  std::size_t line = 0;
  std::uint32_t particle = 0, ancestor = 0;
};

// Proposals of a Markov chain that gave one sample site a new value.
struct SiteAcceptance {
  std::size_t line = 0, column = 0;
  std::uint64_t proposals = 0, accepted = 0;
};

// A draw of the program, and how far off its mean it is where divergent trajectories go wrong.
struct DivergencePlace {
  std::size_t line = 0, column = 0;
  std::string name;  // of the variable that it is, or is part of; may be empty
  // Standard deviations from the mean, on the real line (positive draws: of the logarithm).
  double shift = 0;
  bool gathers = false;   // more than chance makes it
  bool ordered = false;   // a negative shift are small values
  bool positive = false;  // it has a bound below
};

// One chain of a run after its warm-up: where it was, and how freely it moved.
struct ChainDensity {
  std::uint32_t chain = 0;
  std::uint64_t draws = 0;  // whose log density (of draws and observes together) is known
  double mean = std::numeric_limits<double>::quiet_NaN(), sd = mean;  // of that log density
  double acceptance = mean;  // of its proposals, or on average over its trajectories
};

// Another engine that takes the program, by name and family (RunStatistics::family).
struct OtherEngine {
  std::string name, family;
};

struct RunStatistics {  // what a run says about itself
  std::string engine;   // that made the draws
  // How it works: "independent", "particles", "particle-chain", "single-site", "partition", "walk",
  // "gradient", "mode" or "list"; empty in runs stored by 0.2.
  std::string family;
  std::uint64_t thin = 1;  // every thin-th step was kept
  std::uint64_t burn = 0;  // draws of each chain left out at its beginning, besides the warm-up
  std::string choice;      // of auto: "engine rmh: 5 continuous draws, fixed structure"
  // Why a run ended that was not given a number of draws, or none of them.
  std::string stopped;
  // Whole rounds of its draws: InferOptions::rounds repeats them. 0: the run had no rounds.
  std::uint64_t rounds = 0;
  bool cut = false;  // the clock or the user ended it after them
  std::optional<double> log_evidence;
  // The true value lies within two of these in about 95 of 100 runs. Nothing: it cannot be
  // estimated, because one sweep makes up most of the evidence, or the sweeps lie far apart.
  std::optional<double> log_evidence_se;
  std::uint64_t evidence_parts = 0;  // sweeps (executions) that the evidence is the mean of
  double evidence_top_share = 0;     // of the largest of them
  double evidence_spread = 0;        // standard deviation of log Z over the sweeps
  // Only enumerations: prior probability of executions not completed.
  std::optional<double> left_out;
  std::uint64_t draws = 0;
  std::uint64_t simulations = 0;
  std::uint64_t particle_steps = 0;
  std::uint64_t applications = 0;
  std::uint64_t warmup = 0;  // steps of the warm-up, of all chains; the next count those after it
  std::uint64_t divergences = 0;  // draws of a gradient engine whose trajectory left the track
  std::vector<DivergencePlace> divergence_places;  // the furthest off first
  std::uint64_t proposals = 0, accepted = 0;
  // pmmh: the variance of the log-likelihood as its sweeps estimate it, and the number of particles
  // that it calls for; 0: not known.
  double likelihood_variance = 0;
  std::uint64_t suggested_particles = 0;
  // anneal: temperatures of all its runs, the lowest acceptance of moves at one of them (0: not known),
  // and which one that is.
  std::uint64_t temperatures = 0;
  double lowest_acceptance = 0, lowest_acceptance_at = 0;
  std::uint64_t saturated = 0;        // draws of nuts whose trajectory was cut at :max-depth
  std::vector<SiteAcceptance> sites;  // single-site chains: by place, in the order of the text
  // Of a structure (which draws there are, and which discrete ones are equal) that chains stayed in for long and
  // seldom came back to: steps of the longest stay, further visits, and steps of the chains in all, with the
  // warm-up. 0: there is none.
  std::uint64_t longest_stay = 0, stay_visits = 0, stay_steps = 0;
  bool independent = false;  // draws (or sweeps, where a sweep gives several) are independent
  std::vector<ChainDensity> chain_densities;  // of chains whose engine knows it, by number
  // What a few executions from the prior showed: draws of the largest one, whether some have an
  // improper prior, and the engines for such a program other than `engine`, the most suitable first.
  std::uint64_t continuous_draws = 0, discrete_draws = 0;
  bool improper_draws = false;
  std::vector<OtherEngine> other_engines;
  std::vector<std::string> fixed_labels;  // of predicts that depend on no draw, as printed
  // Of predicts whose values are generated, or drawn after all observes.
  std::vector<std::string> predictive_labels;
  std::uint64_t resamplings = 0;
  double mean_ess = 0, min_ess = 0;
  std::size_t min_ess_line = 0;
  double mean_distinct_ancestors = 0;
  std::uint64_t zero_weight = 0;
  std::size_t peak_memory = 0;
  double seconds = 0;
  bool interrupted = false;  // by the user or a limit: what was there has been given
  std::vector<Message> warnings;
};

struct Limits {
  std::size_t max_memory = 0;    // bytes; 0 = three quarters of the machine's memory
  double timeout = 0;            // seconds; 0 = none
  std::uint64_t max_depth = 0;   // nested calls; 0 = memory decides
  std::uint64_t max_output = 0;  // bytes printed by the program; 0 = none
};

// A stop button for the models and runs that it is given to. Copies are the same button; it may be
// pressed from any thread or a signal handler. Runs end at a moment's notice with what they have,
// until clear().
class Interrupt {
 public:
  Interrupt();
  void request() const noexcept;
  void clear() const noexcept;
  bool requested() const noexcept;

 private:
  friend struct InterruptAccess;
  std::shared_ptr<std::atomic<bool>> flag_;
};

// An option of an engine (engines() lists them): a number, a word without its colon, or the
// text of a vector ("[:phi 12]").
struct EngineOption {
  std::string name;  // "number-of-particles"
  std::variant<bool, std::int64_t, double, std::string> value;
};
// From EDN, as the command line takes it: ":number-of-particles 100". Throws Error.
std::vector<EngineOption> read_engine_options(std::string_view edn);
std::string print_engine_options(const std::vector<EngineOption>& options);

struct InferOptions {
  // An engine, or "auto": the one that suits the query (RunStatistics::choice says which and why).
  std::string algorithm = "auto";
  std::vector<EngineOption> engine_options;
  // Draws to take of each chain (0 = no end). When not given, an engine that is named takes 1000,
  // and auto takes draws until `ess` is reached.
  std::optional<std::uint64_t> samples;
  // Without `samples`: draw until every label has this effective sample size, and R-hat < 1.01, for
  // at most a fixed amount of work and a minute (or Limits::timeout alone). 400 for auto; engines
  // that are named do so when it is given.
  std::optional<std::uint64_t> ess;
  // Ends the run after this number of rounds at the latest, instead of `ess`: a run that a time limit
  // ended has its number (RunStatistics::rounds), and this repeats it, on any machine.
  std::optional<std::uint64_t> rounds;
  // Steps before the first draw, in which engines that adapt do so; they stand still afterwards. When
  // not given: as many as `samples` for those, none for others.
  std::optional<std::uint64_t> warmup;
  // Draws after the warm-up to leave out. When not given: 1000 steps of a chain of single-site steps or
  // particles, 200 of other chains that do not adapt (or as many as draws are wanted, if fewer); else
  // none.
  std::optional<std::uint64_t> burn;
  std::uint64_t thin = 1;
  std::uint64_t seed = 0;
  bool prior = false;      // observes do nothing: independent draws from the prior (by importance)
  bool log_joint = false;  // Draw::log_joint is wanted, which takes a little time
  // Draw::pointwise is wanted: each execution is run once more. Engines whose draws are whole
  // executions have it, particle engines do not (I002).
  bool pointwise = false;
  unsigned threads = 0;  // 0 = all cores
  unsigned chains = 0;   // 0 = one; four where `ess` ends the run
  // The query's value: as values, as EDN text, or from a file; the first that is there counts, then
  // what the program defines as NAME-value.
  std::optional<Arguments> arguments;
  std::optional<std::string> value;  // EDN
  // File name (for its ending and messages) and text.
  std::optional<std::pair<std::string, std::string>> data;
  Limits limits;
  Cluster cluster;                     // the processes that make this run together
  std::optional<Interrupt> interrupt;  // the model's own (CompileOptions) when there is none
  std::function<void(const Barrier&)> on_barrier;
  std::function<void(const Descent&)> on_descent;
  std::function<void(const Message&)> on_warning;

  // The argument of one parameter: a number, text, a span or vector of them (Arguments::bind).
  template <class T>
  InferOptions& bind(std::string_view parameter, const T& argument) {
    if (!arguments) arguments.emplace();
    arguments->bind(parameter, argument);
    return *this;
  }
};

struct EngineInfo {
  std::string name, summary;
  bool adapts = false;  // has a warm-up (InferOptions::warmup)
  struct Option {
    std::string name, type;     // "integer", "number", "word" or "flag"
    std::string values;         // for people: "integer >= 1 (100)"
    std::string default_value;  // "100", ":systematic", "all"
    std::string doc;
  };
  std::vector<Option> options;
};
std::vector<EngineInfo> engines();

struct FunctionInfo {                      // one library function, for docs and completion
  std::string name, signature, doc, kind;  // kind: function, distribution, process, constant, form
};
std::vector<FunctionInfo> library();

struct PassInfo {  // one pass of the compiler, for Model::dump
  std::string name, doc;
};
std::vector<PassInfo> compile_passes();  // in their order
std::vector<PassInfo> segment_passes();  // of native code, likewise
struct PassTime {
  std::string name, doc;
  double seconds;
};

struct QueryInfo {
  std::string name;
  std::vector<std::string> parameters;
  bool takes_whole_value = false;
  std::size_t line = 0;
  std::string doc;
  bool has_default_value = false;  // the file defines NAME-value
};

// Who runs particles: the interpreter, code that the system's C compiler makes of the program, the form that
// this code is made of (without a compiler, about as fast as the interpreter), or, with Auto, native code
// where a run is long enough. Draws are the same.
enum class Tier : std::uint8_t { Auto, Vm, Native, Segment };
// The C compiler that native code is made with; empty: there is none, and everything is interpreted.
std::string native_compiler();

struct CompileOptions {
  std::string name = "program";  // shown in messages
  std::string dialect;           // "", "clojure", "venture", "textbook"
  Limits limits;
  Tier tier = Tier::Auto;
  Interrupt interrupt;  // stops the compilation, and runs that have none of their own
  bool colour = false;  // ANSI colours in rendered messages
  // False: the program may neither read files (slurp, read-csv, read-json) nor load them (require).
  bool files = true;
  // Where files that the program loads are; empty: the folder of `name` if that is a file, else the
  // current one.
  std::string folder;
  // For a Script that a person types into: *1 *2 *3 are the last values and *e the last error; an
  // interrupt first ends the streams of draws that the form takes from, which then continues
  // with those; limits start at zero for each text.
  bool interactive = false;
  // Where the program's printing goes; default: dropped. Empty text: (flush) was called.
  std::function<void(std::string_view)> output;
  std::vector<NativeFunction> functions;  // of the host, called by name (chancel/native.hpp)
  std::vector<NativeDistribution> distributions;
};

class Inference;

class Model {
 public:
  // Reads, checks and compiles; evaluates definitions but no other top-level forms.
  static Model compile(std::string text, CompileOptions options = {});
  static Model compile_file(const std::string& path, CompileOptions options = {});
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string dialect() const;
  const std::string& source() const;
  std::vector<QueryInfo> queries() const;
  std::vector<Message> warnings() const;
  // The query to use when none is named: the only one, or the one named like the file; else throws
  // with the choices.
  std::string default_query() const;
  Inference infer(std::string_view query, InferOptions options = {});
  // "read", "core" or "code"; the name of a pass (compile_passes()): the program after it; "passes": the passes
  // in their order and how long each took; "segments" what native code does from observe to observe (with
  // NAME-value as the argument), "machine" the instructions of that.
  // `without`: segments without these passes (segment_passes()).
  std::string dump(std::string_view stage, const std::vector<std::string>& without = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  explicit Model(std::unique_ptr<Impl> impl);
  friend class Inference;
  friend struct ModelAccess;
};

// All diagnostics of a text. Nothing is evaluated: it is read, its macros are expanded (under
// limits of their own, without files), translated and verified.
struct CheckResult {
  std::string dialect;
  std::vector<Message> messages;
  std::vector<QueryInfo> queries;
  bool ok = false;
};
CheckResult check(std::string text, CompileOptions options = {});

// A run of inference: a lazy input range of draws.
class Inference {
 public:
  Inference(Inference&&) noexcept;
  Inference& operator=(Inference&&) noexcept;
  ~Inference();
  // The next draw, or null at the end (number of samples reached, interrupted, out of time). Throws
  // Error when the run fails.
  const Draw* next();
  // Ends the draws this many seconds before the time limit, which then covers what follows them (a
  // summary). Between draws it may be called with larger values; without a time limit it has no effect.
  void leave_time(double seconds);
  const RunStatistics& statistics() const;
  std::uint64_t seed() const;
  // Runs particle sweeps of its own (100 particles, up to 50 sweeps or a second) and says what each
  // line costs. Does not touch the draws. Lines ascend.
  std::vector<LineProfile> profile();
  // What making native code of the query costs, without the compiler: passes in their order, and what surrounds
  // them. Makes it again. Empty: there is nothing to make.
  std::vector<PassTime> native_passes();

  // A run can be stopped and continued elsewhere: its state between two draws as bytes, from which
  // a run of the same model and options continues with the same draws (docs/file-formats.md lists
  // the engines that can). Chains have to be equally far: come_to_rest() asks them to, next() gives
  // draws as before, and at_rest() is true after a draw when all of them are; state() is valid
  // then, and after the last draw of a run that was interrupted. Nothing: there is none. The bytes
  // are of this version of Chancel.
  void come_to_rest();
  bool at_rest() const;
  std::optional<std::string> state() const;
  // Before the first next(). False: `problem` says why not, and this run is of no use any more.
  bool restore(std::string_view state, std::string* problem);

  class Iterator {
   public:
    using value_type = Draw;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    Iterator() = default;
    explicit Iterator(Inference* run) : run_(run), draw_(run->next()) {}
    const Draw& operator*() const { return *draw_; }
    const Draw* operator->() const { return draw_; }
    Iterator& operator++() {
      draw_ = run_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.draw_ == nullptr;
    }

   private:
    Inference* run_ = nullptr;
    const Draw* draw_ = nullptr;
  };
  Iterator begin() { return Iterator(this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  friend struct InferenceAccess;
  struct Impl;
  std::unique_ptr<Impl> impl_;
  explicit Inference(std::unique_ptr<Impl> impl);
};

// One top-level form of a text, evaluated: what people want to see of it.
struct Form {
  std::string source;                // its text
  std::size_t begin = 0, end = 0;    // the bytes of the text that it is
  std::size_t line = 0, column = 0;  // where it begins
  // Valid until the callback that receives the form returns; nil after a failure. Its sequences
  // have been evaluated as far as they are shown: up to 100 000 elements, ten of a sequence that
  // doquery gave.
  ValueView value;
  bool has_more = false;          // a sequence of the value was left before its end
  bool is_definition = false;     // def, defn, ns ...: the value says nothing new
  std::string output;             // what it printed, at most 256 kB of it
  std::vector<Message> errors;    // it failed, and why
  std::vector<Message> warnings;  // what else to know about it; each is reported once
  ExitCode exit_code = ExitCode::Ok;
  double seconds = 0;
  // The number of draws after which an interrupt ended a stream; the form continued with these.
  std::optional<std::uint64_t> interrupted_after;
  bool failed() const { return !errors.empty(); }
};

// How the tests of a program (deftest) went: tests run, assertions that hold, that do not, and that
// raised an error.
struct TestCounts {
  std::size_t tests = 0, passes = 0, failures = 0, errors = 0;
};

// A script session: `chancel run`, worksheets, the REPL and notebooks. Forms are evaluated in
// order; definitions stay.
class Script {
 public:
  explicit Script(CompileOptions options = {}, std::uint64_t seed = 0);
  Script(Script&&) noexcept;
  Script& operator=(Script&&) noexcept;
  ~Script();
  struct Result {
    std::string text;      // the value as pr prints it
    std::size_t line = 0;  // where the form ends
    bool is_definition = false;
    std::vector<Message> warnings;  // what else to know about it; each is reported once
  };
  // Evaluates every form of the text. Calls `each` after each form, whose value has been realised
  // as far as printing needs. Throws Error at the first failure.
  void evaluate(std::string text, const std::string& name,
                const std::function<void(const Result&)>& each = {});
  // Evaluates every form of the text and calls `each` after each, also after those that fail. After
  // a failure the result of `each` decides whether to continue with the next one; the time limit
  // and an interrupt end it. A text that cannot be read to its end fails as a form without source.
  // `dialect`: of this text; empty: as the options say. Throws what `each` throws, and Error for a
  // dialect that there is not.
  void evaluate_forms(std::string text, const std::string& name,
                      const std::function<bool(const Form&)>& each,
                      const std::string& dialect = {});

  // Inference of a query that has been defined. Nothing may be evaluated before the run is gone.
  Inference infer(std::string_view query, InferOptions options = {});
  std::vector<QueryInfo> queries() const;  // the newest last
  // Copies of draws, to be the value of a name (*draws*, say): maps as doquery gives them.
  void keep(const Draw& draw);
  void define_kept(std::string_view name);  // a vector of all draws kept since the last time

  // What the form being evaluated has taken from doquery so far; may be asked from any thread.
  struct Activity {
    std::uint64_t draws = 0;
    std::string engine;  // empty: none
  };
  Activity activity() const;
  // Runs the tests that the texts evaluated so far define, unless they have run them themselves, and
  // prints what fails. Throws Error when running them fails.
  TestCounts run_tests();
  std::vector<std::string> completions(std::string_view prefix) const;
  // Signature and doc string of a function of the library or the program; "" when unknown.
  std::string documentation(std::string_view name) const;
  std::string definition(std::string_view name) const;  // its text in the program; "" when unknown
  static bool is_complete(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Every message code with title and explanation (docs/errors.md is made from it).
struct ErrorCode {
  std::string code, title, explanation;
};
std::vector<ErrorCode> error_codes();

}  // namespace chancel
