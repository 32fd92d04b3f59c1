// SPDX-License-Identifier: Apache-2.0
// Simulation-based calibration (Talts et al. 2018): draw a parameter and data from the model, run
// the engine on the data, take the rank of the true parameter among posterior draws. If prior, data
// and engine agree, ranks are uniform. Their empirical distribution must lie in a band around the
// diagonal everywhere. An engine that ignores the data and gives the prior has uniform ranks as
// well, so a quantity that depends on the data is ranked too: the likelihood (Modrak et al. 2023).
//
// The band is that of Dvoretzky, Kiefer & Wolfowitz: kReplicates ranks leave sqrt(log(2/a) / (2
// kReplicates)) with probability below a. With a = 1e-8 for each of 48 cells the gate's false alarm
// is below 1e-6 (and the seeds are fixed). Discreteness of ranks is removed by adding a uniform to
// each. Engines are run long enough that their own error is far inside the band; a planted mistake
// must leave it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/planted.hpp"
#include "engines/registry.hpp"
#include "infer/engine.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"

namespace {

using namespace chancel;

constexpr std::size_t kReplicates = 500;
constexpr int kRanks = 63;  // posterior draws that the parameter is ranked among
constexpr double kFalseAlarm = 1e-8;

// Every model: `simulate` predicts :theta and :data, `model` takes the data and predicts :theta;
// both predict :likelihood, a log density of data given what is random.
struct Model {
  const char* name;
  const char* text;
};
const Model kModels[] = {
    {"normal_mean", R"(
(defn likelihood [theta data] (reduce + (map (fn [y] (observe* (normal theta 1.5) y)) data)))
(defquery simulate []
  (let [theta (sample (normal 1 2))
        data (repeatedly 3 (fn [] (sample (normal theta 1.5))))]
    (predict :theta theta)
    (predict :data data)
    (predict :likelihood (likelihood theta data))))
(defquery model [data]
  (let [theta (sample (normal 1 2))]
    (reduce (fn [_ y] (observe (normal theta 1.5) y)) nil data)
    (predict :theta theta)
    (predict :likelihood (likelihood theta data)))))"},
    {"beta_flips", R"(
(defn likelihood [theta data] (reduce + (map (fn [y] (observe* (flip theta) y)) data)))
(defquery simulate []
  (let [theta (sample (beta 2 3))
        data (repeatedly 5 (fn [] (sample (flip theta))))]
    (predict :theta theta)
    (predict :data data)
    (predict :likelihood (likelihood theta data))))
(defquery model [data]
  (let [theta (sample (beta 2 3))]
    (reduce (fn [_ y] (observe (flip theta) y)) nil data)
    (predict :theta theta)
    (predict :likelihood (likelihood theta data)))))"},
    {"random_walk", R"(
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
    (predict :likelihood (observe* (normal x 0.8) (nth data 3))))))"},
    {"switching", R"(
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
    (predict :likelihood (observe* (emission s) (nth data 4))))))"},
};
// One weak observation: an engine that forgets the prior is far off. (Not with a normal: data minus
// parameter has the same distribution either way.)
const Model kStrongPrior = {"strong_prior", R"(
(defquery simulate []
  (let [theta (sample (beta 20 5))
        y (sample (flip theta))]
    (predict :theta theta)
    (predict :data [y])
    (predict :likelihood (observe* (flip theta) y))))
(defquery model [data]
  (let [theta (sample (beta 20 5))]
    (observe (flip theta) (first data))
    (predict :theta theta)
    (predict :likelihood (observe* (flip theta) (first data))))))"};

struct EngineRow {
  const char* name;
  const char* engine;
  std::vector<std::pair<const char*, double>> options;
  std::size_t draws;  // in all
  bool chain;         // drop the first quarter, rank among evenly spaced ones
};
const EngineRow kEngines[] = {
    {"importance", "importance", {}, 8000, false},
    {"smc", "smc", {{"number-of-particles", 1000}}, 4000, false},
    {"pgibbs", "pgibbs", {{"number-of-particles", 30}}, 12000, true},
    {"pgas", "pgas", {{"number-of-particles", 5}}, 3000, true},
    {"lmh", "lmh", {}, 15000, true},
    {"rmh", "rmh", {{"alpha", 0.7}, {"sigma", 0.5}}, 15000, true},
};

struct Collected final : Sink {
  std::vector<double> theta, likelihood, log_weight;
  Value data = Value::nil();
  Arena* arena = nullptr;
  std::size_t most = ~std::size_t{0};
  void draw(const EngineDraw& d) override {
    if (theta.size() >= most) return;
    for (const Predicts* p = d.predicts; p; p = p->previous) {
      if (p->label.name->base == "theta") theta.push_back(p->value.d);
      if (p->label.name->base == "likelihood") likelihood.push_back(p->value.d);
      if (p->label.name->base == "data" && arena) data = deep_copy(p->value, *arena, {});
    }
    log_weight.push_back(d.log_weight);
  }
};

class Bench {
 public:
  explicit Bench(const Model& model) : session_(~std::size_t{0}, 1, make_doqueries) {
    if (!session_.load(model.text, model.name, std::nullopt, LoadMode::Definitions, &loaded_))
      throw std::runtime_error(session_.diagnostics().list().front().message);
    const auto query = session_.globals().value(loaded_.queries.front().name);
    host_ = std::make_unique<RunHost>(
        session_, session_.images().of(query.value_or(Value::nil()), Value::nil()));
  }

  // Ranks of theta and of the likelihood, each plus a uniform over kRanks + 1: uniform on (0, 1) if
  // all is well.
  void rank(const EngineRow& row, std::size_t replicate, Mistake mistake, double* of_theta,
            double* of_likelihood) {
    const StreamName name = StreamName{20240607}.child(1, replicate);
    Heap heap;
    Arena arena(heap);
    Collected truth;
    truth.arena = &arena;
    truth.most = 1;
    run("simulate", std::nullopt, "importance", {}, name.child(2, 0), 1, truth);
    const Value argument = make_vector(arena, &truth.data, 1);
    Collected posterior;
    posterior.most = row.draws;
    {
      const PlantedMistake plant(mistake);
      run("model", argument, row.engine, row.options, name.child(3, 0), row.draws, posterior);
    }
    Stream stream(name, 1, 0);
    std::vector<std::size_t> chosen;
    if (row.chain) {
      // A quarter is dropped; of the rest, evenly spaced draws (of equal weight: the last observe
      // resamples).
      const std::size_t burn = posterior.theta.size() / 4;
      const double step = static_cast<double>(posterior.theta.size() - burn) / kRanks;
      for (int i = 0; i < kRanks; ++i)
        chosen.push_back(burn + static_cast<std::size_t>((i + stream.uniform()) * step));
    } else {
      const double high =
          *std::max_element(posterior.log_weight.begin(), posterior.log_weight.end());
      std::vector<double> cumulated;
      double sum = 0;
      for (const double w : posterior.log_weight) cumulated.push_back(sum += std::exp(w - high));
      for (int i = 0; i < kRanks; ++i) {
        const auto at =
            std::lower_bound(cumulated.begin(), cumulated.end(), stream.uniform() * sum);
        chosen.push_back(static_cast<std::size_t>(at - cumulated.begin()));
      }
    }
    const auto rank_of = [&](const std::vector<double>& draws, double value) {
      double below = 0;
      double equal = 0;  // discrete quantities: ties are broken at random
      for (const std::size_t i : chosen) {
        below += draws[i] < value ? 1 : 0;
        equal += draws[i] == value ? 1 : 0;
      }
      return (below + stream.uniform() * (equal + 1)) / (kRanks + 1);
    };
    *of_theta = rank_of(posterior.theta, truth.theta[0]);
    *of_likelihood = rank_of(posterior.likelihood, truth.likelihood[0]);
  }

 private:
  void run(const char* query, const std::optional<Value>& argument, const char* engine,
           const std::vector<std::pair<const char*, double>>& options, StreamName name,
           std::size_t draws, Collected& sink) {
    const QuerySignature* signature = nullptr;
    for (const QuerySignature& q : loaded_.queries)
      if (q.name->base == query) signature = &q;
    RunSetup setup = *setup_run(session_, *signature, argument, name);
    setup.run = host_->run();
    setup.threads = 1;
    std::vector<OptionValue> values;
    for (const auto& [key, value] : options)
      values.push_back({key, value == std::floor(value)
                                 ? Value::integer(static_cast<std::int64_t>(value))
                                 : Value::real(value)});
    DiagnosticSink problems;
    const std::unique_ptr<Engine> e = make_engine(engine, setup, values, problems);
    if (!e) throw std::runtime_error(problems.list().front().message);
    while (sink.theta.size() < draws && e->step(sink)) {
    }
    if (e->failure()) throw std::runtime_error(e->failure()->message);
  }

  Session session_;
  LoadResult loaded_;
  std::unique_ptr<RunHost> host_;
};

double distance_from_uniform(std::vector<double> ranks) {
  std::sort(ranks.begin(), ranks.end());
  double most = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    most = std::max({most, std::fabs(ranks[i] - static_cast<double>(i) / kReplicates),
                     std::fabs(ranks[i] - static_cast<double>(i + 1) / kReplicates)});
  return most;
}

struct Distances {
  double theta, likelihood;
};
Distances distances(const Model& model, const EngineRow& row, Mistake mistake) {
  Bench bench(model);
  std::vector<double> theta(kReplicates), likelihood(kReplicates);
  for (std::size_t r = 0; r < kReplicates; ++r)
    bench.rank(row, r, mistake, &theta[r], &likelihood[r]);
  return {distance_from_uniform(theta), distance_from_uniform(likelihood)};
}

const double kBand = std::sqrt(std::log(2 / kFalseAlarm) / (2 * kReplicates));

class Calibration : public ::testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Calibration, RanksAreUniform) {
  const Model& model = kModels[std::get<0>(GetParam())];
  const EngineRow& row = kEngines[std::get<1>(GetParam())];
  const Distances d = distances(model, row, Mistake::None);
  EXPECT_LT(d.theta, kBand);
  EXPECT_LT(d.likelihood, kBand);
}

INSTANTIATE_TEST_SUITE_P(All, Calibration,
                         ::testing::Combine(::testing::Range(0, 4), ::testing::Range(0, 6)),
                         [](const auto& info) {
                           return std::string(kModels[std::get<0>(info.param)].name) + "_" +
                                  kEngines[std::get<1>(info.param)].name;
                         });

TEST(CalibrationSaboteur, WalkWithoutPrior) {
  const EngineRow wrong = {"rmh", "rmh", {{"alpha", 1}, {"sigma", 2}}, 10000, true};
  EXPECT_LT(distances(kStrongPrior, wrong, Mistake::None).theta, kBand);
  EXPECT_GT(distances(kStrongPrior, wrong, Mistake::WalkWithoutPrior).theta, kBand);
}

TEST(CalibrationSaboteur, UnweightedOutput) {
  const EngineRow wrong = {
      "smc", "smc", {{"number-of-particles", 1000}, {"ess-threshold", 0}}, 2000, false};
  EXPECT_GT(distances(kModels[1], wrong, Mistake::UnweightedOutput).likelihood, kBand);
}

}  // namespace
