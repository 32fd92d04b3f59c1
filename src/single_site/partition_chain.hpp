// SPDX-License-Identifier: Apache-2.0
// A Markov chain over exchangeable partitions: the draws of a query from a Chinese restaurant process
// are items, and which of them share a table is its state. A move frees some items and seats them
// again in program order, each by its predictive probability times the score of the observe that
// follows it; all others keep their company. Tables are named by who sits there: when the first one
// at a table moves, the numbers of the process change and the state does not.
//
//   split and merge: two items are picked, and all that sit with either of them are freed. They form
//     one or two tables, and each table must have one of the two (Jain & Neal 2004, with the
//     sequential allocation of Dahl 2003).
//   some items in a row: each may join any table, or open one.
//   another draw (a concentration ...): from its distribution.
//   any draw: a step of single-site Metropolis-Hastings, as lmh makes it.
//
// For the first three, with w the sum over the choices of an item and W the product of all w and of
// the scores of everything that is kept, the move is accepted with probability min(1, W'/W): the
// proposal is choice/w for each item, so that W is target over proposal. (w of the first free item is
// the same in both directions and left out.) For the present state its own executions wait at each
// item, so that only the choices that were not taken have to be run. Draws after the last observe
// have no weight and are drawn again.
//
// These three keep the structure: the sites of the draws up to the last observe. A proposal that would change it is
// rejected and counted (changed_structure). Observes and factors may come and go with the seating. The moves also
// need a seating to be a function of the partition: where an item may open a table, it has one number
// for it. An item whose process has other tables than those of the items before it (a restaurant with
// customers, several restaurants, independent draws) does not qualify; in such a state they propose
// nothing. Neither restriction is a condition of exactness: the single-site step is valid for every
// program and reaches every structure.
//
// With :delayed the parameters of the tables are summed out.
#pragma once
#include <optional>
#include <vector>

#include "infer/sink.hpp"
#include "infer/walker.hpp"
#include "single_site/seating_plan.hpp"

namespace chancel {

// A draw from a Chinese restaurant process has this distribution.
bool is_seating(const Value& dist);
// Whether moves of partitions pay for this query, with its draws put off where they can be: all seatings that are tried
// make the same other draws, be all items together, all apart, or at any number of tables, and in a short trial no
// proposal changed the structure. That is a matter of speed only; see above. Where seatings decide which observes or
// factors there are, some may be likely that no chain comes to by small steps.
enum class PartitionFit : std::uint8_t { Poor, SeatsDecideObserves, Good };
PartitionFit fit_of_partition(const RunSetup& setup);

// How a first state is seated: each item by its predictive probability and score, or whatever the scores. Chains that
// start far apart show whether they find the same seatings.
enum class FirstSeats : std::uint8_t { ByScore, Together, Apart, AtRandom };

class PartitionChain {
 public:
  PartitionChain(WorkerPool& workers, StreamName name);

  enum class Begin { Done, Impossible, Failed };
  Begin begin(FirstSeats seats = FirstSeats::ByScore);  // a state, seated in turn
  bool move();  // of the first three kinds. False: failure()
  bool single_site_step();

  std::size_t items() const { return items_.size(); }
  std::size_t others() const { return others_.size(); }
  std::size_t tables() const { return names_; }
  std::uint32_t observes() const { return now_.observes; }
  bool is_seated_in_turn() const { return now_.in_turn; }
  const Execution& last() const { return now_.last; }
  const Value& result() const { return now_.result; }
  double log_joint() const { return now_.log_joint; }
  std::uint64_t proposals() const { return proposals_; }
  std::uint64_t accepted() const { return accepted_; }
  // Moves of items and other draws, and how many of them would have changed the structure.
  std::uint64_t partition_moves() const { return partition_moves_; }
  std::uint64_t changed_structure() const { return changed_structure_; }
  std::uint64_t applications() const { return applications_; }
  const std::vector<SiteMoves>& moves() const { return moves_; }
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  struct Draw {
    Execution at;  // waits for this draw
    Value distribution = Value::nil();
    Value value = Value::nil();
    std::uint32_t site = 0;
    std::size_t item = 0;   // number of the item + 1; 0: another draw, or after the last observe
    std::size_t table = 0;  // of an item, by name
    std::uint32_t observes = 0;  // before it
    double log_prior = 0;        // of it
    double log_score = 0;        // of it and of the observes up to the next draw
    double log_proposed = 0;     // what of that a proposal of this draw alone takes in
  };
  struct State {
    std::vector<Draw> draws;
    std::size_t scored = 0;  // those up to the last observe
    bool in_turn = true;     // every item may join the tables of the items before it, or open one
    Execution last;
    Value result = Value::nil();
    std::uint32_t observes = 0;
    double log_before = 0;  // of observes before the first draw
    double log_joint = 0;
  };
  struct Choice {  // of an item
    std::size_t table;
    Value value;
    Walker next;  // where the execution stands after it
    double log_prior = kLogZero;
    double log_weight = kLogZero;
  };
  enum class Pass { Done, Impossible, ChangedStructure, Failed };
  Pass refuse_estimate(std::uint32_t site);
  // Seats items from draw `first` on and runs to the end. Gives the sums of the choices of free items
  // after `first`, each over the choice that was taken, as a logarithm.
  Pass run(std::size_t first, SeatingPlan& plan, Stream& stream, State* to, double* log_sums);
  // The same sums for the present state. False: failure().
  bool look_back(std::size_t first, SeatingPlan& plan, double* log_sums);
  // Leaves one of tables_, as first_seats_ says.
  void choose_first_table(Stream& stream);
  // Adds a choice for each of tables_.
  bool choose(const Draw& draw, const SeatingPlan& plan);
  double weigh_choices();  // log of the sum of their weights
  bool propose(SeatingPlan& plan, std::size_t first, Stream& stream);
  bool fail(Executor& machine) {
    failure_ = machine.failure();
    return false;
  }
  // Draws `first` again and runs to the end; draws with the addresses of the present state keep its
  // values where they can. Gives the log of the acceptance ratio but for the numbers of draws.
  Pass rerun(std::size_t first, State* to, double* log_ratio);
  // A value for a draw that the present state has, too. Impossible: the way back would not draw it.
  Pass keep_or_redraw(Execution& x, const Draw& old, Draw* draw, double* log_ratio);
  void accept();
  // Which draws are items, and their tables, from the values.
  void find_items(State* state);
  static void add_scores(State* state);  // log_joint
  // log W after a proposal of draw `first` alone, up to what all its proposals share.
  static double log_after(const State& state, std::size_t first);
  bool split_or_merge(Stream& stream);
  bool move_items(Stream& stream);
  bool move_other(Stream& stream);

  WorkerPool& workers_;
  StreamName name_;
  std::uint64_t number_ = 0;
  State now_, next_;
  std::vector<std::size_t> items_;   // their places among the draws
  std::vector<std::size_t> others_;  // those of other draws
  std::size_t names_ = 0;            // tables named so far
  FirstSeats first_seats_ = FirstSeats::ByScore;
  std::size_t most_tables_ = 0;  // at random
  std::vector<std::size_t> tables_;
  std::vector<Choice> choices_;
  std::vector<double> chances_;
  double chance_ = 0;  // their sum
  std::uint64_t proposals_ = 0, accepted_ = 0, applications_ = 0;
  std::uint64_t partition_moves_ = 0, changed_structure_ = 0;
  std::vector<SiteMoves> moves_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
