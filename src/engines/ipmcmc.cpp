// SPDX-License-Identifier: Apache-2.0
// Engine ipmcmc: interacting particle MCMC (Rainforth, Naesseth, Lindsten, Paige, van de Meent,
// Doucet & Wood 2016, Algorithm 2). M nodes run a sweep each; P of them are conditional on a
// retained execution, the others plain SMC. Then every conditional chain chooses the node to
// continue from by a Gibbs step with the evidence estimates as weights (never uniformly), and its
// retained execution from that node's particles. All particles of all nodes are output, weighted by
// the probability that their node is chosen (the paper's Rao-Blackwellised estimate). Chain j's
// next sweep runs on node j: names of nodes carry no meaning.
//
// With :parameters every node has parameters of its own, the same for all its particles: those of a
// conditional node are its retained execution's, those of a plain one are drawn from the prior. The
// evidence of a node is then an estimate of p(observations | its parameters), and a proposal from the
// prior weighted by it is what the Gibbs step needs. The retained parameters move afterwards
// (parameter_moves.hpp).
//
// Evidence: the mean over plain nodes, which is unbiased.
#include <algorithm>
#include <cmath>
#include <memory>

#include "base/planted.hpp"
#include "engines/give_up.hpp"
#include "infer/engine_state.hpp"
#include "infer/options.hpp"
#include "infer/output_bytes.hpp"
#include "infer/report_bytes.hpp"
#include "math/elementary.hpp"
#include "particles/node_index.hpp"
#include "particles/parameter_moves.hpp"
#include "particles/sweep_engine.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kRetryStream = 0x105;
constexpr std::uint32_t kParameterSlot = 0xfffffffbu;
// Particles from which on the slices of one node keep the threads busy.
constexpr std::uint32_t kWideSweep = 1024;
const RetainedPath kNoPath;

class Ipmcmc final : public SweepEngine {
 public:
  Ipmcmc(const RunSetup& setup, const SweepSettings& settings, std::uint32_t nodes,
         std::uint32_t conditional, unsigned pool, const ParameterMoveSettings& parameters)
      : SweepEngine(setup),
        settings_(settings),
        paths_(conditional),
        next_paths_(conditional),
        pool_(pool),
        parameters_(parameters),
        given_(parameters.parameters != "none" ? nodes : 0) {
    settings_.record_draws = !given_.empty();
    if (!given_.empty()) setup_.ranks = nullptr;  // parameters of a path are not in its names
    const std::uint64_t draws = std::uint64_t{nodes} * settings.particles;
    warmup_ = (setup.warmup + draws - 1) / draws;
    settings_.keep_history = true;
    settings_.resampling = Resampling::Multinomial;
    log_evidence_.resize(nodes);
    ok_.resize(nodes);
    for (std::uint32_t j = 0; j < conditional; ++j) conditional_.push_back(j);
  }

  bool advance(Sink& sink) override {
    const auto nodes = static_cast<unsigned>(log_evidence_.size());
    if (!workers_) {
      begin();
      if (!given_.empty() && !start_parameters()) return false;
    }
    const StreamName name = setup_.name.child(kSweepStream, number_);
    run_nodes(name);
    if (setup_.ranks && !share_nodes()) return false;
    for (unsigned m = 0; m < nodes; ++m) {
      if (!ok_[m])
        return m == 0 ? fail_unchanged(*nodes_[m]->failure()) : fail(*nodes_[m]->failure());
      log_evidence_[m] = nodes_[m]->log_evidence();
      report_sweep(*nodes_[m], number_, sink);
      if (m < paths_.size() && !nodes_[m]->alive()) return fail_all_zero(kGiveUpStarts.message);
      if (m >= paths_.size()) evidence_.add(log_evidence_[m]);
      if (!nodes_[m]->alive()) statistics_.zero_weight += nodes_[m]->size();
    }
    for (std::uint32_t j = 0; j < conditional_.size(); ++j) conditional_[j] = j;
    Stream stream = workers_->stream(name, kSelectionSlot, 0);
    if (planted(Mistake::UniformNodeIndex))
      std::fill(log_evidence_.begin(), log_evidence_.end(), 0.0);
    draw_node_indices(log_evidence_, conditional_, stream, occupancy_);
    for (unsigned m = 0; m < nodes; ++m)
      if (nodes_[m]->alive() && occupancy_[m] > 0 && number_ >= warmup_ && first_rank())
        emit_particles(*nodes_[m], number_ - warmup_, math::log(occupancy_[m] * nodes), sink);
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      const Population& node = *nodes_[conditional_[j]];
      const std::uint32_t chosen =
          draw_index(node.weights().relative(), node.weights().sum(), stream);
      // A node that another path has left may be the next one's.
      const bool followed = conditional_[j] < paths_.size();
      if (here(conditional_[j]))
        node.retain(chosen, next_paths_[j], followed ? paths_[conditional_[j]] : kNoPath);
      else
        next_paths_[j] = {};  // it comes from another rank
      ++statistics_.proposals;
      if (conditional_[j] != j) ++statistics_.accepted;
    }
    paths_.swap(next_paths_);
    if (setup_.ranks && !share_paths()) return false;
    if (parameter_moves_ && !move_parameters(name)) return false;
    workers_->collect_if_due();
    statistics_.peak_memory = workers_->heap().peak();
    if (evidence_.count() > 0) {
      statistics_.has_log_evidence = true;
      statistics_.log_evidence = evidence_.log_mean();
      statistics_.log_evidence_se = evidence_.log_mean_se();
      statistics_.evidence_parts = evidence_;
    }
    ++number_;
    return true;
  }

  bool can_help() const override { return setup_.ranks != nullptr; }
  void help() override { step_along(); }

 protected:
  bool save_state(ByteWriter& to, const ByteNames&) const override {
    if (!given_.empty()) return false;
    to.number(number_);
    evidence_.save(to);
    to.number(paths_.size());
    for (const RetainedPath& path : paths_) save_names(to, path.names);
    return true;
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    number_ = from.number();
    evidence_.restore(from);
    if (from.number() != paths_.size()) return from.fail("it is of another number of nodes");
    begin();
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      const std::vector<SegmentName> names = restore_names(from);
      if (!from.ok()) return false;
      if (!names.empty() && !nodes_[j]->rebuild(names, paths_[j]))
        return from.fail("the program does something else with the stored draws");
    }
    return true;
  }

 private:
  // --- Nodes on several ranks ---
  unsigned ranks() const { return setup_.ranks ? setup_.ranks->size() : 1; }
  bool first_rank() const { return !setup_.ranks || setup_.ranks->first(); }
  unsigned rank_of(std::size_t node) const { return static_cast<unsigned>(node % ranks()); }
  bool here(std::size_t node) const {
    return !setup_.ranks || rank_of(node) == setup_.ranks->rank();
  }
  Diagnostic damaged() const {
    return {Code::X001, Severity::Error, {}, "a message between ranks is damaged", "", {}};
  }

  // All ranks learn what all nodes found, and the first one has their particles.
  bool share_nodes() {
    Ranks& all = *setup_.ranks;
    ByteWriter mine;
    for (unsigned m = all.rank(); m < nodes_.size(); m += all.size()) {
      if (!all.first() && ok_[m] && nodes_[m]->alive()) send_particles(*nodes_[m]);
      nodes_[m]->pack_outcome(mine);
    }
    const std::vector<std::string> outcomes = all.all_gather(mine.take());
    for (unsigned r = 0; r < all.size(); ++r) {
      if (r == all.rank()) continue;
      ByteReader in(outcomes[r]);
      for (unsigned m = r; m < nodes_.size(); m += all.size()) {
        if (!nodes_[m]->unpack_outcome(in)) return fail(damaged());
        ok_[m] = !nodes_[m]->failure();
      }
    }
    failed_together_ = std::any_of(ok_.begin(), ok_.end(), [](char ok) { return !ok; });
    if (!all.first() || failed_together_) return true;
    for (unsigned m = 0; m < nodes_.size(); ++m) {
      if (here(m) || !nodes_[m]->alive()) continue;
      const std::string message = all.receive(rank_of(m), kSweepTag);
      ByteReader in(message);
      if (in.byte()) return fail(cannot_be_sent(std::string(in.text())));
      nodes_[m]->unpack_particles(in, 0, settings_.particles);
      if (!in.done()) return fail(damaged());
    }
    return true;
  }

  void send_particles(const Population& node) {
    ByteWriter out;
    std::string problem;
    out.byte(0);
    if (!node.pack_particles(out, 0, settings_.particles, &problem)) {
      out = {};
      out.byte(1);
      out.text(problem);
    }
    setup_.ranks->send(0, kSweepTag, out.take());
  }

  // A retained path goes to the rank of its next node as the names of its random numbers.
  bool share_paths() {
    Ranks& all = *setup_.ranks;
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      if (!here(conditional_[j]) || here(j)) continue;
      ByteWriter out;
      save_names(out, paths_[j].names);
      all.send(rank_of(j), kPathTag, out.take());
    }
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      if (!here(j) || here(conditional_[j])) continue;
      const std::string message = all.receive(rank_of(conditional_[j]), kPathTag);
      ByteReader in(message);
      const std::vector<SegmentName> names = restore_names(in);
      if (!in.done()) return fail(damaged());
      if (!nodes_[j]->rebuild(names, paths_[j]))
        return fail(nodes_[j]->failure().value_or(damaged()));
    }
    return true;
  }

  void begin() {
    workers_.emplace(setup_, team(), setup_.max_memory);
    for (std::size_t m = 0; m < log_evidence_.size(); ++m)
      nodes_.push_back(std::make_unique<Population>(*workers_, settings_));
    workers_->add_roots([this](Evacuator& e) {
      for (RetainedPath& p : paths_) p.visit(e);
      for (GivenParameters& g : given_) g.visit(e);
    });
  }

  void run_nodes(StreamName name) {
    const auto nodes = static_cast<unsigned>(nodes_.size());
    const unsigned stride = ranks(), first = setup_.ranks ? setup_.ranks->rank() : 0;
    const unsigned mine = first < nodes ? (nodes - first + stride - 1) / stride : 0;
    const unsigned threads = std::min({workers_->size(), std::max(1u, mine), pool_});
    if (threads == 1 || settings_.particles >= kWideSweep) {
      for (unsigned m = first; m < nodes; m += stride) run_node(m, name, SweepPlace{});
      return;
    }
    workers_->for_slices(threads, 1, [&](Worker&, std::size_t begin, std::size_t) {
      const auto worker = static_cast<unsigned>(begin);
      for (unsigned m = first + worker * stride; m < nodes; m += threads * stride)
        run_node(m, name, SweepPlace{worker, false, nullptr});
    });
  }

  void run_node(unsigned m, StreamName name, const SweepPlace& place) {
    const StreamName mine = name.child(kNodeStream, m);
    Population& node = *nodes_[m];
    const bool conditional = m < paths_.size();
    if (!given_.empty()) {
      node.given().parameters = &given_[m];
      node.given().choice = &parameter_moves_->choice();
    }
    if (conditional && !paths_[m].empty()) {
      ok_[m] = node.run(mine, &paths_[m], place);
      return;
    }
    ok_[m] = run_plain(m, mine, place);
    // The first sweep of a conditional chain must give it a state; a plain node may die out.
    for (std::uint64_t tries = 1;
         conditional && ok_[m] && !node.alive() && tries < kGiveUpStarts.tries; ++tries)
      ok_[m] = run_plain(m, mine.child(kRetryStream, tries), place);
  }

  bool run_plain(unsigned m, StreamName name, const SweepPlace& place) {
    if (!given_.empty()) {
      Executor& machine = workers_->machine(place.worker);
      machine.stream = workers_->stream(name, kParameterSlot, 0);
      if (!given_[m].draw(parameter_moves_->choice(), machine, *prefix_))
        return nodes_[m]->fail_with(machine.failure());
    }
    return nodes_[m]->run(name, nullptr, place);
  }

  bool start_parameters() {
    prefix_.emplace();
    if (!prefix_->run(workers_->machine(), setup_)) return fail(workers_->machine().failure());
    workers_->add_roots([this](Evacuator& e) { prefix_->visit(e); });
    for (GivenParameters& g : given_) g.weigh = false;
    parameter_moves_.emplace(*workers_, parameters_, "ipmcmc", warmup_ * paths_.size());
    return true;
  }

  // The parameters of every retained execution.
  bool move_parameters(StreamName name) {
    for (std::size_t j = 0; j < paths_.size(); ++j) {
      if (!parameter_moves_->run(paths_[j], *nodes_[j], name.child(kChainStream, j)))
        return fail(*parameter_moves_->failure());
      given_[j].draws = parameter_moves_->given()->draws;
    }
    parameter_moves_->tell(number_, warmup_, statistics_, nodes_.size() * settings_.particles);
    return true;
  }

  SweepSettings settings_;
  std::optional<WorkerPool> workers_;
  std::vector<std::unique_ptr<Population>> nodes_;
  std::vector<RetainedPath> paths_, next_paths_;
  unsigned pool_;
  ParameterMoveSettings parameters_;
  std::uint64_t warmup_ = 0;  // iterations; given as draws
  std::optional<Prefix> prefix_;
  std::optional<ParameterMoves> parameter_moves_;
  std::vector<GivenParameters> given_;  // of the nodes; none: without parameters
  std::vector<char> ok_;
  std::vector<double> log_evidence_;
  std::vector<std::uint32_t> conditional_;
  std::vector<double> occupancy_;
  std::uint64_t number_ = 0;
  LogMoments evidence_;
};

}  // namespace

EngineDef ipmcmc_engine() {
  return {"ipmcmc",
          "interacting particle MCMC: conditional and plain sweeps that exchange states",
          {integer_option("number-of-nodes", 32, 2, "sweeps in each iteration", 65536),
           part_option("number-of-csmc-nodes", "number-of-nodes", "half of them",
                       "conditional ones among them"),
           integer_option("number-of-particles", 20, 2, "particles in each sweep"),
           integer_option("pool", 4096, 1, "most threads that run nodes at the same time",
                          kMostInteger, "all"),
           parameters_option(false), parameter_moves_option(), path_option(), delayed_option(),
           hoist_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            SweepSettings settings;
            settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
            const auto nodes = static_cast<std::uint32_t>(read.integer("number-of-nodes"));
            const auto conditional =
                static_cast<std::uint32_t>(read.integer("number-of-csmc-nodes"));
            const auto pool = static_cast<unsigned>(read.integer("pool"));
            return std::make_unique<Ipmcmc>(setup, settings, nodes, conditional, pool,
                                            read_parameter_moves(read));
          },
          EngineDef::Gives::Sweeps,
          true,
          "parameters"};
}

}  // namespace chancel
