// SPDX-License-Identifier: Apache-2.0
// Simulation-based calibration of a program: see chancel/verify.hpp and
// docs/decisions/018-verify.md. Data sets are shared out among threads; each has random numbers of its
// own, so that what it gives does not depend on who does it.
#include "chancel/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "base/bytes.hpp"
#include "core/simulated_observes.hpp"
#include "engines/registry.hpp"
#include "math/uniformity.hpp"
#include "random/stream.hpp"
#include "runs/program.hpp"
#include "runs/start.hpp"
#include "session/host_values.hpp"
#include "session/messages.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kVerifyKind = 11;
constexpr std::uint64_t kUsualDraws = 1000;
constexpr std::size_t kRanks = 63;  // posterior draws that a value is ranked among
constexpr const char* kJoint = "log joint density";

using Numbers = std::vector<std::pair<std::string, double>>;

// The numbers in a value, by label and place.
void add_numbers(const std::string& label, const ValueView& v, Numbers& out) {
  constexpr std::size_t kMostItems = 100;
  switch (v.kind()) {
    case ValueView::Kind::Boolean:
      out.emplace_back(label, v.boolean() ? 1 : 0);
      break;
    case ValueView::Kind::Integer:
    case ValueView::Kind::Real:
    case ValueView::Kind::Ratio:
    case ValueView::Kind::BigInteger:
      out.emplace_back(label, v.number());
      break;
    case ValueView::Kind::Vector:
    case ValueView::Kind::List: {
      const std::vector<ValueView> items = v.items();
      for (std::size_t i = 0; i < std::min(items.size(), kMostItems); ++i)
        add_numbers(fmt::format("{}[{}]", label, i), items[i], out);
      break;
    }
    default:
      break;
  }
}

Numbers numbers_of(const Draw& draw) {
  Numbers out;
  for (const Predict& p : draw.predicts)
    if (!p.label.starts_with(fmt::format("[{} ", kObservedLabel)))
      add_numbers(p.label, p.value, out);
  add_numbers(":result", draw.result, out);
  if (!std::isnan(draw.log_joint)) out.emplace_back(kJoint, draw.log_joint);
  return out;
}

// One thread's programs.
class Calibrator {
 public:
  Calibrator(const std::string& program, const CompileOptions& compile, std::string query,
             const VerifyOptions& options)
      : query_(std::move(query)),
        infer_(options.infer),
        simulator_(rewritten(program, compile, ObserveRewriter::To::Simulate, &lines_)),
        replayer_(rewritten(program, compile, ObserveRewriter::To::Replay, nullptr)) {
    infer_.threads = 1;
    infer_.cluster = {};  // data sets are spread, not what is done with one
    infer_.log_joint = true;
    infer_.ess.reset();
    const EngineDef* const engine = find_engine(infer_.algorithm);
    const bool lists = engine && engine->gives == EngineDef::Gives::List;
    if (!infer_.samples) infer_.samples = lists ? 0 : kUsualDraws;
    if (!lists && !infer_.warmup && infer_.burn.value_or(0) == 0) infer_.burn = *infer_.samples / 4;
  }

  SimulatedData run(unsigned number) {
    const StreamName name = StreamName{mix64(infer_.seed)}.child(kVerifyKind, number);
    Stream stream(name, 0, 0);
    SimulatedData out;
    const Numbers truth = simulate(stream.next(), out);

    InferOptions options = infer_;
    options.seed = stream.next();
    Inference posterior = InferenceAccess::start(replayer_, query_, options);
    std::unordered_map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < truth.size(); ++i) place.try_emplace(truth[i].first, i);
    std::vector<std::vector<double>> values(truth.size());
    std::vector<double> log_weights;
    while (const Draw* draw = posterior.next()) {
      log_weights.push_back(draw->log_weight);
      for (const auto& [label, value] : numbers_of(*draw)) {
        const auto found = place.find(label);
        if (found == place.end()) continue;
        std::vector<double>& of_label = values[found->second];
        if (of_label.size() + 1 == log_weights.size()) of_label.push_back(value);
      }
    }
    out.engine = posterior.statistics().engine;
    if (posterior.statistics().interrupted) throw Stopped{};
    const std::vector<std::size_t> chosen = choose(log_weights, stream);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (values[i].size() != log_weights.size() || chosen.empty()) continue;  // not in all draws
      double below = 0;
      double ties = 0;
      for (const std::size_t k : chosen) {
        below += values[i][k] < truth[i].second;
        ties += values[i][k] == truth[i].second;
      }
      const double rank = below + std::floor(stream.uniform_open() * (ties + 1));
      out.ranks.push_back(
          {truth[i].first, truth[i].second, (rank + stream.uniform_open()) / (kRanks + 1)});
    }
    return out;
  }

  struct Stopped {};

 private:
  static LoadedProgram rewritten(const std::string& program, const CompileOptions& compile,
                                 ObserveRewriter::To to, std::vector<std::size_t>* lines) {
    ObserveRewriter rewriter(to);
    LoadedProgram made = load_program(program, compile, [&](Session& session) {
      session.globals().define(intern(kSimulatedData), Value::nil());
      session.loader().observes = &rewriter;
    });
    made.session->loader().observes = nullptr;
    if (lines != nullptr) *lines = rewriter.lines();
    return made;
  }

  // A draw from the prior and data from it, which the other program observes from now on.
  Numbers simulate(std::uint64_t seed, SimulatedData& out) {
    InferOptions options = infer_;
    options.algorithm = "lmh";  // where nothing is observed, from the prior; it knows the density
    options.engine_options.clear();
    options.samples = 1;
    options.warmup.reset();
    options.burn = 0;
    options.thin = 1;
    options.chains = 0;
    options.seed = seed;
    Inference prior = InferenceAccess::start(simulator_, query_, options);
    const Draw* draw = prior.next();
    if (draw == nullptr) throw Stopped{};
    std::vector<std::string> data(lines_.size());
    const std::string mine = fmt::format("[{} ", kObservedLabel);
    for (const Predict& p : draw->predicts) {
      if (!p.label.starts_with(mine)) continue;
      const std::size_t observe = std::stoul(p.label.substr(mine.size()));
      data[observe] += p.value.print() + " ";
      Numbers numbers;
      add_numbers("", p.value, numbers);
      for (const auto& [label, value] : numbers) out.observed.push_back({lines_[observe], value});
    }
    std::string text = "[";
    for (const std::string& values : data) text += "[" + values + "]";
    Session& session = *replayer_.session;
    session.diagnostics().clear();
    const std::optional<Value> value = read_value(session, text + "]", "simulated data");
    if (!value)
      throw_error(Code::U003, "a simulated value cannot be read back: " + text.substr(0, 200),
                  "observed values must be numbers, strings, keywords or collections of them",
                  ExitCode::BadInput);
    session.globals().define(intern(kSimulatedData), *value);
    return numbers_of(*draw);
  }

  // Draws by weight, in their order: of equal weights, evenly spaced ones.
  static std::vector<std::size_t> choose(const std::vector<double>& log_weights, Stream& stream) {
    double most = -INFINITY;
    for (const double w : log_weights) most = std::max(most, w);
    double total = 0;
    for (const double w : log_weights) total += std::exp(w - most);
    std::vector<std::size_t> chosen;
    if (!(most > -INFINITY)) return chosen;
    const double step = total / kRanks;
    double at = stream.uniform_open() * step;
    double sum = 0;
    for (std::size_t i = 0; i < log_weights.size(); ++i) {
      sum += std::exp(log_weights[i] - most);
      for (; at < sum && chosen.size() < kRanks; at += step) chosen.push_back(i);
    }
    while (chosen.size() < kRanks) chosen.push_back(log_weights.size() - 1);  // rounding
    return chosen;
  }

  std::string query_;
  InferOptions infer_;
  std::vector<std::size_t> lines_;
  LoadedProgram simulator_;
  LoadedProgram replayer_;
};

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

std::vector<PriorPredictive> predictive(const std::vector<std::optional<SimulatedData>>& all) {
  std::map<std::size_t, std::vector<double>> by_line;
  for (const auto& data : all)
    if (data)
      for (const SimulatedData::Observed& o : data->observed) by_line[o.line].push_back(o.value);
  std::vector<PriorPredictive> out;
  for (auto& [line, values] : by_line) {
    std::sort(values.begin(), values.end());
    PriorPredictive row{line, values.size()};
    for (const double x : values) row.mean += x / static_cast<double>(values.size());
    for (const double x : values)
      row.sd += (x - row.mean) * (x - row.mean) / static_cast<double>(values.size());
    row.sd = std::sqrt(row.sd);
    row.q5 = quantile(values, 0.05);
    row.q50 = quantile(values, 0.5);
    row.q95 = quantile(values, 0.95);
    out.push_back(row);
  }
  return out;
}

void judge(const std::vector<std::optional<SimulatedData>>& all, Verification& out) {
  std::vector<std::string> order;
  std::unordered_map<std::string, std::vector<double>> ranks;
  for (const auto& data : all) {
    if (!data) continue;
    ++out.datasets;
    out.engine = data->engine;
    for (const SimulatedData::Rank& r : data->ranks) {
      if (!ranks.contains(r.label)) order.push_back(r.label);
      ranks[r.label].push_back(r.rank);
    }
  }
  if (order.empty()) return;
  const double alpha = out.false_alarm / static_cast<double>(order.size());
  const auto simulations = static_cast<std::size_t>(std::clamp(50 / alpha, 2000.0, 200000.0));
  std::map<std::size_t, Uniformity> tests;  // by how many ranks there are
  for (const std::string& label : order) {
    const std::vector<double>& of_label = ranks[label];
    const auto test = tests.try_emplace(of_label.size(), of_label.size(), simulations).first;
    const double p = test->second.p_value(of_label);
    out.labels.push_back({label, of_label, p, p > alpha});
    out.passed = out.passed && p > alpha;
  }
  const Uniformity::Band band = tests.rbegin()->second.band(alpha);
  out.band_low = band.low;
  out.band_high = band.high;
}

void write(ByteWriter& out, const SimulatedData& data) {
  out.text(data.engine);
  out.number(data.ranks.size());
  for (const SimulatedData::Rank& r : data.ranks) {
    out.text(r.label);
    out.real(r.value);
    out.real(r.rank);
  }
  out.number(data.observed.size());
  for (const SimulatedData::Observed& o : data.observed) {
    out.number(o.line);
    out.real(o.value);
  }
}

SimulatedData read(ByteReader& in) {
  SimulatedData data;
  data.engine = in.text();
  data.ranks.resize(in.count(3));
  for (SimulatedData::Rank& r : data.ranks) {
    r.label = in.text();
    r.value = in.real();
    r.rank = in.real();
  }
  data.observed.resize(in.count(2));
  for (SimulatedData::Observed& o : data.observed) {
    o.line = in.number();
    o.value = in.real();
  }
  return data;
}

using AllData = std::vector<std::optional<SimulatedData>>;

// Data sets from..to of all ranks, on each of them. False: one of them has been stopped.
bool share(const Cluster& cluster, unsigned from, unsigned to, bool stopped, AllData& all,
           const VerifyOptions& options) {
  ByteWriter out;
  out.byte(stopped);
  for (unsigned i = from; i < to; ++i) {
    if (i % cluster.size() != cluster.rank()) continue;
    out.byte(all[i].has_value());
    if (all[i]) write(out, *all[i]);
  }
  const std::vector<std::string> messages = cluster.gather(out.take());
  for (unsigned r = 0; r < cluster.size(); ++r) {
    ByteReader in(messages[r]);
    stopped = in.byte() || stopped;
    for (unsigned i = from; i < to; ++i) {
      if (i % cluster.size() != r || !in.byte()) continue;
      SimulatedData data = read(in);
      if (r == cluster.rank()) continue;
      if (!all[i] && options.done) options.done(i, data);
      all[i] = std::move(data);
    }
  }
  return !stopped;
}

}  // namespace

Verification verify(const std::string& program, const CompileOptions& compile,
                    const std::string& query, const VerifyOptions& options) {
  std::vector<std::optional<SimulatedData>> all(options.datasets);
  Verification out;
  out.false_alarm = options.false_alarm;
  const Cluster& cluster = options.infer.cluster;
  std::atomic<unsigned> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr failure;
  unsigned to = options.datasets;
  const auto work = [&] {
    try {
      std::optional<Calibrator> calibrator;
      for (unsigned i = next++; i < to && !stop; i = next++) {
        if (i % cluster.size() != cluster.rank()) continue;
        if (options.known) all[i] = options.known(i);
        if (all[i]) continue;
        if (!calibrator) calibrator.emplace(program, compile, query, options);
        all[i] = calibrator->run(i);
        const std::lock_guard lock(mutex);
        if (options.done) options.done(i, *all[i]);
      }
    } catch (const Calibrator::Stopped&) {
      stop = true;
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads =
      std::min(options.infer.threads ? options.infer.threads : cores, options.datasets);
  // Ranks meet now and then, so that what they have found is kept.
  constexpr unsigned kOfThread = 8;
  const unsigned block = cluster.alone() ? options.datasets : kOfThread * threads * cluster.size();
  for (unsigned from = 0; from < options.datasets && !stop; from += block) {
    to = std::min(options.datasets, from + block);
    next = from;
    std::vector<std::jthread> team;  // which ends with them
    team.reserve(threads - 1);
    try {
      for (unsigned i = 1; i < threads; ++i) team.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that are there do the work.
    } catch (const std::bad_alloc&) {
    }
    work();
    team.clear();
    if (failure) std::rethrow_exception(failure);
    if (!cluster.alone() && !share(cluster, from, to, stop, all, options)) stop = true;
  }
  out.interrupted = stop;
  judge(all, out);
  out.observes = predictive(all);
  return out;
}

}  // namespace chancel
