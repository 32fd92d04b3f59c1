// SPDX-License-Identifier: Apache-2.0
// Simulation-based calibration (Talts et al. 2018) of the engines that test/exact cannot enumerate: draw
// a parameter and data from the model, run the engine on the data, take the rank of the true parameter
// among kRanks posterior draws, plus a uniform number. If prior, data and engine agree, the rank over
// kRanks + 1 is uniform on (0, 1), and its normal score s = quantile(rank) is standard normal. An engine
// that ignores the data has uniform ranks as well, so a quantity that depends on data is ranked too: the
// likelihood (Modrak et al. 2023).
//
// Statistics of n replicates, for each of the two quantities, both standard normal for a right engine:
//   mean    sqrt(n) times the mean of s
//   spread  sum s^2, chi-squared with n degrees of freedom, as a normal number by Wilson & Hilferty.
//
// False alarms. A cell is judged in two stages. A statistic beyond kFirst (1e-3, two-sided) sends the
// cell into a second, independent set of kSecondSet times as many replicates, and fails only if it is
// beyond kSecond there (2e-5): 2e-8 a statistic, and with at most kMostStatistics = 50 of them 1e-6 for
// the whole gate.
//
// Power. Draws that are shifted by d posterior standard deviations shift s by d for a normal posterior:
// F(theta) becomes Phi(z - d). The rank of theta among m effectively independent draws has a score whose
// correlation with z is 1 / sqrt(1 + 1 / m): 0.97 for m = 16, which every cell exceeds. So the statistic
// has mean 0.97 d sqrt(n), and is beyond kFirst with probability Phi(0.97 d sqrt(n) - kFirst): with
// d = 0.2 and n = 860, Phi(5.69 - 3.29) = 0.992. In the second set it is beyond kSecond but for
// Phi(4.26 - 11.4) = 1e-12 of the cases. Likewise a standard deviation that is wrong by a factor of 1.14
// shifts the spread by sqrt(2 n) log(1.14) = 5.4. Each cell ranks the parameter among its draws shifted
// by 0.2 of their standard deviations as well, and that must raise an alarm (with this seed; by the
// calculation in 99 of 100).
//
// Every cell has a mistake of its own engine, planted (base/planted.hpp), that must be beyond kSure in
// fewer replicates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "../exact/exact_cases.hpp"
#include "base/planted.hpp"
#include "engines/registry.hpp"
#include "infer/engine.hpp"
#include "math/normal.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"

namespace {

using namespace chancel;

constexpr int kRanks = 63;  // posterior draws that the parameter is ranked among
constexpr std::size_t kReplicates = 860, kSecondSet = 4, kMistaken = 430;
// P(|Z| > x): 1e-3, 2e-5, and for the one stage of a planted mistake 2e-8.
constexpr double kFirst = 3.2905, kSecond = 4.2649, kSure = 5.6120;
constexpr double kShift = 0.2;  // posterior standard deviations
constexpr std::size_t kMostStatistics = 50;

// Every model: `simulate` predicts :theta and :data, `model` takes the data and predicts :theta;
// both predict :likelihood, a log density of data given what is random.
constexpr const char* kMeanAndScale = R"(
(defn likelihood [m s data] (reduce + (map (fn [y] (observe* (normal m s) y)) data)))
(defquery simulate []
  (let [m (sample (normal 1 2))
        s (sample (gamma 4 2))
        data (repeatedly 4 (fn [] (sample (normal m s))))]
    (predict :theta m)
    (predict :data data)
    (predict :likelihood (likelihood m s data))))
(defquery model [data]
  (let [m (sample (normal 1 2))
        s (sample (gamma 4 2))]
    (reduce (fn [_ y] (observe (normal m s) y)) nil data)
    (predict :theta m)
    (predict :likelihood (likelihood m s data)))))";

constexpr const char* kRandomWalk = R"(
(defn walk [look]
  (loop [n 0 x (sample (normal 0 1))]
    (look n x)
    (if (= n 3)
      x
      (recur (inc n) (sample (normal x 0.7))))))
(defquery simulate []
  (let [[x ys] (loop [n 0 x (sample (normal 0 1)) ys []]
                 (let [ys (conj ys (sample (normal x 0.8)))]
                   (if (= n 3)
                     [x ys]
                     (recur (inc n) (sample (normal x 0.7)) ys))))]
    (predict :theta x)
    (predict :data ys)
    (predict :likelihood (observe* (normal x 0.8) (nth ys 3)))))
(defquery model [data]
  (let [x (walk (fn [n x] (observe (normal x 0.8) (nth data n))))]
    (predict :theta x)
    (predict :likelihood (observe* (normal x 0.8) (nth data 3))))))";

// A parameter beside discrete states.
constexpr const char* kSwitching = R"(
(defn switch [stay s] (if (sample (flip stay)) s (not s)))
(defn emission [s] (normal (if s 1 -1) 0.8))
(defquery simulate []
  (let [stay (sample (uniform-continuous 0 1))
        [s ys] (loop [k 0 s (sample (flip 0.5)) ys []]
                 (let [ys (conj ys (sample (emission s)))]
                   (if (= k 4)
                     [s ys]
                     (recur (inc k) (switch stay s) ys))))]
    (predict :theta stay)
    (predict :data ys)
    (predict :likelihood (observe* (emission s) (nth ys 4)))))
(defquery model [data]
  (let [stay (sample (uniform-continuous 0 1))
        s (loop [k 0 s (sample (flip 0.5))]
            (observe (emission s) (nth data k))
            (if (= k 4)
              s
              (recur (inc k) (switch stay s))))]
    (predict :theta stay)
    (predict :likelihood (observe* (emission s) (nth data 4))))))";

// Few data on a parameter with a strong prior: an engine that forgets the prior is far off. (Not with a
// location: data minus parameter has the same distribution either way.)
constexpr const char* kStrongPrior = R"(
(defn emission [s] (normal (if s 1 0) 0.4))
(defquery simulate []
  (let [p (sample (beta 12 4))
        [s ys] (loop [k 0 s (sample (flip p)) ys []]
                 (let [ys (conj ys (sample (emission s)))]
                   (if (= k 3)
                     [s ys]
                     (recur (inc k) (sample (flip p)) ys))))]
    (predict :theta p)
    (predict :data ys)
    (predict :likelihood (observe* (emission s) (nth ys 3)))))
(defquery model [data]
  (let [p (sample :p (beta 12 4))
        s (loop [k 0 s (sample (flip p))]
            (observe (emission s) (nth data k))
            (if (= k 3)
              s
              (recur (inc k) (sample (flip p)))))]
    (predict :theta p)
    (predict :likelihood (observe* (emission s) (nth data 3))))))";

// Items in clusters that lie side by side, around a mean that is summed out. Tables matter by their
// numbers, so that terms of a proposal's probability do not cancel.
constexpr const char* kClusters = R"(
(defn cluster [m t] (normal (+ m (* 2 t)) 1))
(defn seats [n]
  (loop [restaurant (CRP 1.0) tables []]
    (if (= (count tables) n)
      tables
      (let [t (sample (produce restaurant))]
        (recur (absorb restaurant t) (conj tables t))))))
(defn likelihood [m tables data]
  (reduce + (map (fn [t y] (observe* (cluster m t) y)) tables data)))
(defquery simulate []
  (let [m (sample (normal 0 2))
        tables (seats 4)
        data (doall (map (fn [t] (sample (cluster m t))) tables))]
    (predict :theta m)
    (predict :data data)
    (predict :likelihood (likelihood m tables data))))
(defquery model [data]
  (let [m (sample (normal 0 2))
        tables (loop [restaurant (CRP 1.0) tables []]
                 (if (= (count tables) 4)
                   tables
                   (let [t (sample (produce restaurant))]
                     (observe (cluster m t) (nth data (count tables)))
                     (recur (absorb restaurant t) (conj tables t)))))]
    (predict :theta m)
    (predict :likelihood (likelihood m tables data)))))";

struct Cell {
  const char* name;
  const char* engine;
  const char* model;
  exact::Options options;
  std::uint64_t warmup;  // steps of an engine that adapts
  std::size_t burn;      // draws that are dropped
  std::size_t draws;     // that the ranks are among, evenly spaced
  Mistake mistake;
};
const Cell kCells[] = {
    {"nuts",
     "nuts",
     kMeanAndScale,
     {{"target-acceptance", "0.6"}},
     300,
     0,
     252,
     Mistake::UniformTrajectory},
    {"nuts_beside_states",
     "nuts",
     kStrongPrior,
     {{"target-acceptance", "0.6"}},
     300,
     0,
     378,
     Mistake::UniformTrajectory},
    {"block", "block", kMeanAndScale, {}, 1000, 0, 2520, Mistake::AcceptAlways},
    {"anneal",
     "anneal",
     kMeanAndScale,
     {{"number-of-particles", "252"}, {"number-of-chains", "126"}},
     0,
     0,
     252,
     Mistake::UniformStarts},
    {"anneal_states",
     "anneal",
     kSwitching,
     {{"number-of-particles", "252"}, {"number-of-chains", "126"}},
     0,
     0,
     252,
     Mistake::UniformStarts},
    {"pmmh",
     "pmmh",
     kStrongPrior,
     {{"number-of-particles", "4"}, {"blocks", "2"}},
     300,
     0,
     1260,
     Mistake::PriorLeftOut},
    {"ipmcmc",
     "ipmcmc",
     kRandomWalk,
     {{"number-of-nodes", "4"}, {"number-of-csmc-nodes", "1"}, {"number-of-particles", "3"}},
     0,
     360,
     3024,
     Mistake::UniformNodeIndex},
    {"partition", "partition", kClusters, {{"moves", "8"}}, 0, 15, 95, Mistake::AcceptAlways},
};

struct Collected final : Sink {
  std::vector<double> theta, likelihood, log_weight;
  Value data = Value::nil();
  Arena* arena = nullptr;
  std::size_t most = ~std::size_t{0};
  void draw(const EngineDraw& d) override {
    if (theta.size() >= most) return;
    log_weight.push_back(d.log_weight);
    for (const Predicts* p = d.predicts; p; p = p->previous) {
      if (p->label.name->base == "theta") theta.push_back(p->value.d);
      if (p->label.name->base == "likelihood") likelihood.push_back(p->value.d);
      if (p->label.name->base == "data" && arena) data = deep_copy(p->value, *arena, {});
    }
  }
};

// Normal scores of one replicate.
struct Scores {
  double theta = 0, likelihood = 0, shifted = 0;
};

class Bench {
 public:
  explicit Bench(const Cell& cell) : cell_(cell), session_(~std::size_t{0}, 1, make_doqueries) {
    if (!session_.load(cell.model, cell.name, std::nullopt, LoadMode::Definitions, &loaded_))
      throw std::runtime_error(session_.diagnostics().list().front().message);
    const auto query = session_.globals().value(loaded_.queries.front().name);
    host_ = std::make_unique<RunHost>(
        session_, session_.images().of(query.value_or(Value::nil()), Value::nil()));
  }

  Scores replicate(StreamName name, Mistake mistake) {
    Heap heap;
    Arena arena(heap);
    Collected truth;
    truth.arena = &arena;
    truth.most = 1;
    run("simulate", std::nullopt, "importance", {}, name.child(2, 0), 0, truth, Mistake::None);
    const Value argument = make_vector(arena, &truth.data, 1);
    Collected posterior;
    posterior.most = cell_.burn + cell_.draws;
    run("model", argument, cell_.engine, cell_.options, name.child(3, 0), cell_.warmup, posterior,
        mistake);
    // Stratified by their weights, in order: evenly spaced where weights are equal.
    Stream stream(name, 1, 0);
    const double high = *std::max_element(posterior.log_weight.begin(), posterior.log_weight.end());
    std::vector<double> cumulated;
    double all = 0;
    for (std::size_t i = cell_.burn; i < posterior.log_weight.size(); ++i)
      cumulated.push_back(all += std::exp(posterior.log_weight[i] - high));
    std::vector<std::size_t> chosen;
    for (int i = 0; i < kRanks; ++i) {
      const double at = (i + stream.uniform()) / kRanks * all;
      const auto found = std::lower_bound(cumulated.begin(), cumulated.end() - 1, at);
      chosen.push_back(cell_.burn + static_cast<std::size_t>(found - cumulated.begin()));
    }
    const auto score = [&](const std::vector<double>& draws, double value) {
      double below = 0;
      double equal = 0;  // ties are broken at random
      for (const std::size_t i : chosen) {
        below += draws[i] < value ? 1 : 0;
        equal += draws[i] == value ? 1 : 0;
      }
      return normal_quantile((below + stream.uniform_open() * (equal + 1)) / (kRanks + 1));
    };
    double sum = 0, squares = 0;
    for (const std::size_t i : chosen) {
      sum += posterior.theta[i];
      squares += posterior.theta[i] * posterior.theta[i];
    }
    const double mean = sum / kRanks;
    const double sd = std::sqrt(std::max(0.0, squares / kRanks - mean * mean));
    Scores out;
    out.theta = score(posterior.theta, truth.theta[0]);
    out.likelihood = score(posterior.likelihood, truth.likelihood[0]);
    out.shifted = score(posterior.theta, truth.theta[0] - kShift * sd);
    return out;
  }

 private:
  void run(const char* query, const std::optional<Value>& argument, const char* engine,
           const exact::Options& options, StreamName name, std::uint64_t warmup, Collected& sink,
           Mistake mistake) {
    const QuerySignature* signature = nullptr;
    for (const QuerySignature& q : loaded_.queries)
      if (q.name->base == query) signature = &q;
    RunSetup setup = *setup_run(session_, *signature, argument, name);
    setup.run = host_->run();
    setup.threads = 1;
    setup.native = NativeUse::Never;
    setup.warmup = warmup;
    const PlantedMistake plant(mistake);
    std::vector<OptionValue> values;
    for (const auto& [key, text] : options) values.push_back({key, exact::option_value(text)});
    DiagnosticSink problems;
    const std::unique_ptr<Engine> e = make_engine(engine, setup, values, problems);
    if (!e) throw std::runtime_error(problems.list().front().message);
    while (sink.theta.size() < sink.most && e->step(sink)) {
    }
    if (e->failure()) throw std::runtime_error(e->failure()->message);
  }

  const Cell& cell_;
  Session session_;
  LoadResult loaded_;
  std::unique_ptr<RunHost> host_;
};

constexpr std::size_t kStatistics = 4;
struct Judged {
  std::array<double, kStatistics> z;  // mean and spread of theta, of the likelihood
  double shifted;                     // mean of theta among shifted draws
};

double mean_of(const std::vector<double>& scores) {
  double sum = 0;
  for (const double s : scores) sum += s;
  return sum / std::sqrt(static_cast<double>(scores.size()));
}

double spread_of(const std::vector<double>& scores) {
  double squares = 0;
  for (const double s : scores) squares += s * s;
  const auto n = static_cast<double>(scores.size());
  const double unit = 2 / (9 * n);
  return (std::cbrt(squares / n) - (1 - unit)) / std::sqrt(unit);
}

Judged judge(const Cell& cell, std::uint64_t set, std::size_t replicates, Mistake mistake) {
  Bench bench(cell);
  std::vector<double> theta, likelihood, shifted;
  for (std::size_t r = 0; r < replicates; ++r) {
    const Scores s = bench.replicate(StreamName{20261119}.child(set, r), mistake);
    theta.push_back(s.theta);
    likelihood.push_back(s.likelihood);
    shifted.push_back(s.shifted);
  }
  return {{mean_of(theta), spread_of(theta), mean_of(likelihood), spread_of(likelihood)},
          mean_of(shifted)};
}

class Calibration : public ::testing::TestWithParam<Cell> {};

TEST_P(Calibration, RanksAreUniform) {
  const Cell& cell = GetParam();
  const Judged first = judge(cell, 1, kReplicates, Mistake::None);
  EXPECT_GT(std::fabs(first.shifted), kFirst);
  RecordProperty("statistics", ::testing::PrintToString(first.z));
  std::vector<std::size_t> alarms;
  for (std::size_t i = 0; i < kStatistics; ++i)
    if (!(std::fabs(first.z[i]) < kFirst)) alarms.push_back(i);
  if (alarms.empty()) return;
  const Judged second = judge(cell, 2, kSecondSet * kReplicates, Mistake::None);
  for (const std::size_t i : alarms)
    EXPECT_LT(std::fabs(second.z[i]), kSecond) << "statistic " << i << ", first " << first.z[i];
}

TEST_P(Calibration, PlantedMistakeIsSeen) {
  const Judged wrong = judge(GetParam(), 3, kMistaken, GetParam().mistake);
  double most = 0;
  for (const double z : wrong.z) most = std::max(most, std::fabs(z));
  EXPECT_GT(most, kSure);
}

INSTANTIATE_TEST_SUITE_P(Engines, Calibration, ::testing::ValuesIn(kCells),
                         [](const auto& info) { return info.param.name; });

// --- the list ---

bool is_calibrated(const std::string& engine) {
  return std::any_of(std::begin(kCells), std::end(kCells),
                     [&](const Cell& c) { return engine == c.engine; });
}

TEST(CalibrationList, HasEveryEngineThatAutoMayChoose) {
  for (const EngineDef& e : all_engines()) {
    if (!e.automatic) continue;
    EXPECT_TRUE(exact::is_enumerated(e.name) || is_calibrated(e.name))
        << e.name << ": auto may choose it (engines.def), but it is neither in "
        << "test/exact/exact_cases.cpp nor in test/calibration/calibration_test.cpp";
  }
  for (const char* engine : {"nuts", "anneal", "pmmh", "partition", "ipmcmc", "block"})
    EXPECT_TRUE(is_calibrated(engine)) << engine;
  EXPECT_FALSE(exact::is_enumerated("nuts") || is_calibrated("laplace"));
}

TEST(CalibrationList, IsAsLongAsTheFalseAlarmRateAllows) {
  EXPECT_LE(kStatistics * std::size(kCells), kMostStatistics);
}

}  // namespace
