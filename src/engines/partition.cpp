// SPDX-License-Identifier: Apache-2.0
// Engine partition: a Markov chain over exchangeable partitions (partition_chain.hpp), for mixtures
// whose items are draws from a Chinese restaurant process.
#include "single_site/partition_chain.hpp"

#include "fmt/format.h"
#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"

namespace chancel {

namespace {

constexpr int kStarts = 100;

class Partition final : public GuardedEngine {
 public:
  Partition(const RunSetup& setup, std::uint64_t moves)
      : GuardedEngine(setup),
        moves_(moves),
        workers_(setup, nullptr, setup.max_memory),
        chain_(workers_, setup.name.child(kStepStream, 0)) {}

 protected:
  bool advance(Sink& sink) override {
    if (!started_ && !start()) return false;
    for (std::uint64_t i = 0; i < moves_; ++i) {
      if (!chain_.move()) return fail(*chain_.failure());
      if (auto stop = stop_requested(setup_.run)) return fail(*stop);
    }
    if (!chain_.single_site_step()) return fail(*chain_.failure());
    warn_of_structure(sink);
    statistics_.structures.step({chain_.tables(), chain_.others() + chain_.observes()},
                                chain_.log_joint());
    statistics_.simulations += moves_;
    statistics_.applications = chain_.applications();
    statistics_.proposals = chain_.proposals();
    statistics_.accepted = chain_.accepted();
    statistics_.moves = chain_.moves();
    statistics_.peak_memory = workers_.heap().peak();
    EngineDraw draw;
    draw.predicts = chain_.last().predicts;
    draw.result = chain_.result();
    draw.sweep = number_++;
    draw.chain = setup_.chain;
    draw.applications = chain_.last().applications;
    draw.log_joint = chain_.log_joint();
    sink.draw(draw);
    return true;
  }

 private:
  // Moves that are rejected for their structure leave it to single-site steps, which are slow here.
  void warn_of_structure(Sink& sink) {
    constexpr std::uint64_t kEnough = 1000;
    constexpr double kMuch = 0.01;
    const auto moves = static_cast<double>(chain_.partition_moves());
    const double share = static_cast<double>(chain_.changed_structure()) / moves;
    if (chain_.partition_moves() < kEnough || share < kMuch) return;
    warn_once(&warned_,
              {Code::I013,
               Severity::Warning,
               {},
               fmt::format("partition: {:.0f} % of the proposals would change which draws and "
                           "observes the program makes, and were rejected",
                           100 * share),
               "only single-site steps change that here: compare with -a pgibbs or -a lmh",
               {}},
              sink);
  }

  bool start() {
    for (int i = 0; i < kStarts; ++i) {
      workers_.collect_if_due();
      const PartitionChain::Begin found =
          chain_.begin(i == 0 ? first_seats() : FirstSeats::ByScore);
      if (found == PartitionChain::Begin::Failed) return fail(*chain_.failure());
      if (found == PartitionChain::Begin::Impossible) continue;
      if (chain_.items() == 0)
        return fail({Code::I006,
                     Severity::Error,
                     {},
                     chain_.is_seated_in_turn()
                         ? "partition: the query observes nothing after a draw from a CRP"
                         : "partition: the draws are not those of one CRP that starts empty",
                     "items are draws like (sample (produce (CRP alpha))); pgibbs and lmh take any "
                     "program",
                     {}});
      started_ = true;
      return true;
    }
    return fail_all_zero("no execution that was tried satisfies the observations",
                         "pgibbs finds a first state that is merely rare sooner");
  }

  FirstSeats first_seats() const {
    constexpr FirstSeats kInTurn[] = {FirstSeats::ByScore, FirstSeats::Together, FirstSeats::Apart,
                                      FirstSeats::AtRandom};
    return kInTurn[setup_.chain % 4];
  }

  std::uint64_t moves_;
  WorkerPool workers_;
  PartitionChain chain_;
  bool started_ = false;
  bool warned_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace

EngineDef partition_engine() {
  return {"partition",
          "split-merge moves of exchangeable partitions: mixtures by a CRP",
          {integer_option("moves", 20, 1, "moves from draw to draw"), delayed_option(true)},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            RunSetup seats = setup;
            seats.seats_at_once = true;
            return std::make_unique<Partition>(seats, read.integer("moves"));
          }};
}

}  // namespace chancel
