// SPDX-License-Identifier: Apache-2.0
// A Markov chain over executions that changes one draw at a time (the paper's random database, RDB;
// Wingate, Stuhlmueller & Goodman 2011). lmh, rmh, almh, plmh, palmh and the rejuvenation of pgibbs
// are this chain with different settings.
//
// A step: pick a draw; propose a new value for it, from its prior or (rmh) by a normal walk;
// continue from the stored execution; accept with probability min(1, p(y|x')p(x') q(x|x') /
// p(y|x)p(x) q(x'|x)). The ratio holds the chance of picking the draw in both traces (1/|x| when
// uniform), prior and likelihood; fresh and vanished draws cancel (trace.hpp).
//
// What it learns, by site of the program (which draws matter, how far a walk goes), it learns during
// its warm-up: afterwards the kernel is fixed and leaves the posterior invariant.
#pragma once
#include <optional>
#include <vector>

#include "infer/parameters.hpp"
#include "infer/sink.hpp"
#include "random/neighbours.hpp"
#include "single_site/trace.hpp"

namespace chancel {

struct SingleSiteSettings {
  // Chance of a walk instead of a prior proposal, at continuous draws (alpha)
  double walk_share = 0;
  // Standard deviation of the walk over that of the draw's distribution (sigma), to begin with
  double walk_scale = 1;
  // Leave alone the draws that can be moved along a gradient: another move is for them.
  bool held_only = false;
  // Leave alone all but these parameters; null: no draw is left alone for that.
  const ParameterChoice* only = nullptr;
  // Another move is for draws that have a gradient: how many proposals are accepted at them says
  // nothing about the chain, and is not counted.
  bool beside_gradient = false;
  // Work out what depends on the changed draw only, where the execution can be recorded.
  WhenToRecord::Policy recording = WhenToRecord::Policy::WhereItPays;
  bool counts_walks = false;  // while it does not learn
  bool adaptive = false;      // pick draws by how often changing them changed the output
  std::uint64_t warmup = 0;   // the first steps, in which it adapts
};

class SingleSiteChain {
 public:
  // Streams: everything of step k comes from (name, k).
  SingleSiteChain(WorkerPool& workers, unsigned worker, StreamName name,
                  const SingleSiteSettings& settings);

  // Finds a first state: an execution from the prior that the observations allow. False: failed, or
  // none found (then failure() is empty).
  bool start();
  bool step();
  // The end of the warm-up: adaptation stops, and the counts of moves restart at zero.
  void freeze();
  // The likelihood counts to this power: steps leave prior times likelihood^temperature invariant.
  void temper(double temperature) { temperature_ = temperature; }
  // Of walks by site, from outside of the chain: the log of a factor of their scale is set, and how
  // many of them would be accepted is counted since then.
  struct Walk {
    double log_factor = 0;  // of the scale of the walk
    double tried = 0;
    double acceptance = 0;  // sum of the probabilities, where the chain does not learn
  };
  const std::vector<Walk>& walks() const { return walks_; }
  void set_walks(std::vector<Walk> walks) { walks_ = std::move(walks); }
  // Streams of the steps to come.
  void set_streams(StreamName name) {
    name_ = name;
    number_ = 0;
  }
  Trace& trace() { return trace_; }
  const Trace& trace() const { return trace_; }
  std::uint64_t proposals() const { return proposals_; }
  std::uint64_t accepted() const { return accepted_; }
  // Counts of proposals by site, in the chain itself or where its owner wants them.
  const std::vector<SiteMoves>& moves() const { return *moves_; }
  void count_moves_in(std::vector<SiteMoves>& moves) { moves_ = &moves; }
  std::uint64_t applications() const { return applications_; }
  const std::optional<Diagnostic>& failure() const { return trace_.failure(); }
  void visit(Evacuator& e) { trace_.visit(e); }
  // Its state as bytes, with the draws of its trace. False: one cannot be written, or more than they
  // decide what the execution does.
  bool save(ByteWriter& to, const ByteNames& names) const;
  bool restore(ByteReader& from, const ByteNames& names);

 private:
  // A draw to change; size() of the trace: there is none.
  std::size_t pick(Stream& stream);
  double log_pick(std::size_t index,
                  bool proposed) const;  // log chance of picking the draw, in the old or new trace
  bool picks_uniformly() const {
    return !settings_.adaptive && !settings_.held_only && !settings_.only;
  }
  bool has_gradient(const Choice& c) const;
  double preference(const Choice& c) const;
  void learn(std::uint32_t site, bool changed);
  double walk_scale(std::uint32_t site) const;
  Walk& walk_at(std::uint32_t site);
  void learn_walk(std::uint32_t site, double acceptance);
  void reset_stream();

  WorkerPool& workers_;
  Trace trace_;
  StreamName name_;
  Neighbours streams_;
  SingleSiteSettings settings_;
  std::uint64_t number_ = 0;  // streams used
  std::uint64_t proposals_ = 0;
  std::uint64_t accepted_ = 0;
  std::vector<SiteMoves> own_moves_;
  std::vector<SiteMoves>* moves_ = &own_moves_;
  std::uint64_t applications_ = 0;
  std::size_t proposed_size_ = 0;

  struct Experience {
    double changed = 0;
    double tried = 0;
  };
  std::vector<Experience> experience_;  // by site
  std::vector<Walk> walks_;             // by site
  bool adapting_;
  double temperature_ = 1;
};

}  // namespace chancel
