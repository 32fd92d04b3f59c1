// SPDX-License-Identifier: Apache-2.0
// See linked_draws.hpp.
#include "engines/linked_draws.hpp"

#include <map>
#include <utility>
#include <vector>

#include "infer/history.hpp"
#include "infer/walker.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {

constexpr unsigned kPairs = 6;  // a state may stay the same by chance
constexpr std::uint64_t kLinkStream = 0x205;

class Links {
 public:
  explicit Links(const RunSetup& setup) : workers_(setup, nullptr, setup.max_memory) {
    workers_.add_roots([this](Evacuator& e) {
      for (auto& [address, draw] : first_) e.visit(draw.value);
    });
  }

  bool found() {
    const auto full = within_memory([&] {
      for (unsigned pair = 0; pair < kPairs && !differs_ && !failed_; ++pair) {
        first_.clear();
        scores_.clear();
        run(2 * pair, true);
        cut_ = scores_.size() * (1 + pair) / (kPairs + 1);
        if (!failed_ && cut_ > 0) run(2 * pair + 1, false);
        workers_.collect_if_due();
      }
    });
    return differs_ && !full;
  }

 private:
  struct Draw {
    Value value = Value::nil();
    double log_prob = 0;
    bool parameter = false;
  };
  using Address = std::pair<std::uint64_t, std::uint32_t>;  // place, occurrence there

  // The first of a pair keeps what it drew; the second is compared with it after `cut_` observes.
  void run(unsigned number, bool is_first) {
    Executor& machine = workers_.machine();
    machine.treat_hidden_draws(HiddenDraws::Allowed);
    machine.stream.reset(workers_.setup().name.child(kLinkStream, number), 0, 0);
    machine.wants = {true, true};
    std::map<std::uint64_t, std::uint32_t> occurrences;
    std::size_t observes = 0;
    const auto draw = [&](Walker& w, Value* value) {
      const std::uint64_t place =
          std::uint64_t{w.stop.site} << 32 | (w.stop.id.is_nil() ? 0 : hash(w.stop.id));
      const Address address{place, occurrences[place]++};
      const bool continuous = w.stop.dist.is(Tag::Dist) && !w.stop.dist.as<Dist>()->type->discrete;
      const bool remembered = w.remembered();
      remembered_ = remembered_ || remembered;
      if (!can_score(w.stop.dist)) return w.draw(value);
      if (is_first) {
        if (!w.draw(value)) return false;
        Draw& d = first_[address];
        d = {*value, 0, observes == 0 || (remembered && continuous)};
        return machine.score_for(w.at, w.stop.dist, *value, &d.log_prob) || w.failed();
      }
      const auto known = first_.find(address);
      const bool kept =
          known != first_.end() && (known->second.parameter || (observes >= cut_ && !remembered));
      if (!kept) return w.draw(value);
      *value = known->second.value;
      if (known->second.parameter) return true;
      double log_prob = 0;
      if (!machine.score_for(w.at, w.stop.dist, *value, &log_prob)) return w.failed();
      differs_ = log_prob != known->second.log_prob;
      return !differs_;
    };
    const auto observe = [&](Walker& w) {
      if (is_first) {
        scores_.push_back(w.stop.log_prob);
        ++observes;
        return true;
      }
      // A memoised function may have its draws in another order: then the scores say nothing.
      if (observes >= cut_ && observes < scores_.size() && !remembered_)
        differs_ = w.stop.log_prob != scores_[observes];
      ++observes;
      return !differs_;
    };
    Walker walker(machine);
    walker.begin(workers_.setup());
    const Stop end = walker.collecting().run(draw, observe);
    failed_ = failed_ || end == Stop::Failed;
  }

  WorkerPool workers_;
  std::map<Address, Draw> first_;
  std::vector<double> scores_;  // of the observes of the first
  std::size_t cut_ = 0;
  bool differs_ = false, failed_ = false, remembered_ = false;
};

}  // namespace

bool draws_are_linked(const RunSetup& setup) { return Links(setup).found(); }

}  // namespace chancel
