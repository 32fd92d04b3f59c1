// SPDX-License-Identifier: Apache-2.0
// One chain of a run: an engine, the burn-in and thinning of its draws, and those that wait to be
// handed out. It works on any thread, one at a time, and touches nothing that it shares with other
// chains: barriers, descents and warnings to report wait with the draws.
#pragma once
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "infer/engine.hpp"
#include "runs/draw_batch.hpp"
#include "runs/rounds.hpp"

namespace chancel {

// What the chains of a run have in common.
struct ChainRules {
  std::uint64_t samples = 0;  // draws wanted of each; 0 = no end
  // Where each waits until it is known whether more are wanted (at the end of a round, if draws are
  // handed out by rounds); 0 = nowhere. Changes while none works.
  std::uint64_t pause_at = 0;
  bool rounds = false;            // draws are handed out by whole rounds
  std::uint64_t released = 0;     // turns that may be handed out then; changes while none works
  std::uint64_t most_rounds = 0;  // that are wanted; 0 = no end
  // Turns (of the hand-out) after which each waits until the others have as many; 0 = nowhere.
  // Changes while none works.
  std::uint64_t rest_at = 0;
  const ByteNames* names = nullptr;  // for states as bytes
  std::uint64_t burn = 0;
  std::uint64_t thin = 1;
  bool sweeps = false;  // the engine gives the particles of sweeps
  std::uint32_t chains = 1;
  std::vector<const Heap*> outlive;  // what lives there need not be copied
  const RunSetup* setup = nullptr;   // for the limits of draws that wait
  std::chrono::steady_clock::time_point started;
};

class Chain : public Sink {
 public:
  Chain(std::uint32_t number, StreamName name, std::unique_ptr<Engine> engine,
        const ChainRules& rules)
      : number_(number), name_(name), rules_(rules), engine_(std::move(engine)) {}
  // Works in another process: what it makes comes in messages (runs/rank_chains.hpp).
  virtual bool elsewhere() const { return false; }

  // Makes draws until enough wait, none come any more, or this much time is over.
  void work(std::chrono::milliseconds time);
  bool at_rest() const;
  bool ended() const { return ended_; }
  bool paused() const {
    return !ended_ && rules_.pause_at > 0 &&
           (rules_.rounds ? made_in_rounds_ : made_) >= rules_.pause_at;
  }
  // Whole rounds that it has made draws for.
  std::uint64_t rounds() const { return count_.rounds; }
  const RoundCount& round_count() const { return count_; }
  std::chrono::steady_clock::duration worked() const { return worked_; }

  // Draws come out in the order in which they were made. The values of one are good until the next
  // is taken.
  bool has_draw() const {
    return waiting_ > 0 && (!rules_.rounds || turn_of_next() <= rules_.released);
  }
  bool has_withheld() const { return waiting_ > 0; }  // or one that may be handed out
  KeptDraw take();
  bool next_is_of(std::uint64_t sweep) const;
  // Why it ended, if it was not because it had all its draws; taken once the draws are.
  const std::optional<Diagnostic>& failure() const { return failure_; }

  // The first batch that has draws; null: no draw waits. The caller reports with took() how many it
  // has taken.
  DrawBatch* front();
  void took(std::uint64_t draws) { waiting_ -= draws; }

  std::uint32_t number() const { return number_; }
  const EngineStatistics& statistics() const {
    return engine_ ? engine_->statistics() : statistics_;
  }
  // At the end of a round that has been released, or of the next ones.
  const EngineStatistics& statistics_after(std::uint64_t round) const;
  void forget_rounds_before(std::uint64_t round);
  struct Mark {  // the end of a round
    EngineStatistics statistics;
    std::uint64_t made = 0;  // draws
  };
  // Marks of rounds whose draws are among the first `made`; for other ranks.
  std::vector<Mark> take_marks(std::uint64_t made);

  // Events not reported yet, in order. They are reported with the draws, so that their order does
  // not depend on time either: barriers and descents before the draws of their sweep, a warning
  // after the number of draws that had been made when it came.
  std::deque<BarrierStatistics> barriers;
  std::deque<EngineDescent> descents;
  std::deque<std::pair<std::uint64_t, Diagnostic>> warnings;
  std::uint64_t taken() const { return made_ - waiting_; }
  std::uint64_t seen() const { return seen_; }  // draws of the engine, before burn-in and thinning

  // Its state as bytes, when no draw waits: also of a chain that ended at a limit of the run, if that
  // came between two steps. False: it has none. Reading is for a chain that has made no step.
  bool save(ByteWriter& to) const;
  bool restore(ByteReader& from);
  std::uint64_t turns() const { return turns_; }  // of the hand-out, that it has made draws for

  // --- Sink ---
  void draw(const EngineDraw& d) override;
  void barrier(const BarrierStatistics& b) override { barriers.push_back(b); }
  void descent(const EngineDescent& d) override { descents.push_back(d); }
  void warning(const Diagnostic& d) override { warnings.emplace_back(made_, d); }

 protected:
  void end(std::optional<Diagnostic> failure);
  // Adds draws that were made elsewhere, as a batch.
  void add_batch(std::unique_ptr<DrawBatch> batch);
  void add_mark(Mark mark);
  // The draws of a batch have all been taken.
  virtual void used() {}
  const ChainRules& rules() const { return rules_; }
  EngineStatistics statistics_;  // its last ones

 private:
  // Draws that may wait, and bytes of them: draws of large values would come long after a limit of
  // time, and be most of what is counted for a limit of memory.
  static constexpr std::size_t kEnough = 1024;
  static constexpr std::size_t kEnoughBytes = std::size_t{4} << 20;
  void step();
  bool has_enough() const;
  void mark_rounds();
  std::uint64_t turn_of_next() const;
  void tell_time();
  void cut(std::size_t wanted);

  std::uint32_t number_;
  StreamName name_;
  const ChainRules& rules_;
  std::unique_ptr<Engine> engine_;                  // gone once the chain has ended
  std::deque<std::unique_ptr<DrawBatch>> batches_;  // a used one stays until the next draw is taken
  std::vector<std::unique_ptr<DrawBatch>> spare_;   // used up, empty
  std::size_t in_batch_ = 0;                        // draws that the last one has had
  std::uint64_t waiting_ = 0;                       // draws in all of them
  std::uint64_t made_ = 0;                          // draws that waited, in all
  std::uint64_t untimed_ = 0;                       // draws since the clock was read
  std::uint64_t steps_in_tick_ = 1;                 // between two readings of the clock
  std::chrono::steady_clock::time_point now_;       // the last of them
  std::chrono::steady_clock::duration worked_{};    // time
  bool ended_ = false;
  std::optional<Diagnostic> failure_;

  std::uint64_t turns_ = 0;
  std::uint64_t last_sweep_ = 0;      // of the last draw that was made
  RoundCount count_;                  // of whole rounds
  std::deque<Mark> marks_;            // of the last of them
  std::uint64_t made_in_rounds_ = 0;  // draws up to the last mark
  std::uint64_t taken_turns_ = 0, taken_sweep_ = 0;
  std::optional<std::string> last_state_;  // of the engine, when it ended at a limit
  std::uint64_t seen_ = 0;                 // draws of the engine, before burn-in and thinning
  struct {
    std::uint64_t number, begin, count;  // begin: draws before it; count: since a kept one
  } sweep_{};
  std::vector<std::uint64_t> kept_of_part_;  // after burn-in, before thinning (plmh has several)
};

}  // namespace chancel
