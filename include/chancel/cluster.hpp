// SPDX-License-Identifier: Apache-2.0
// Processes that make one run together, as mpirun starts them: docs/cluster.md.
//
//   chancel::Cluster cluster = chancel::Cluster::join({"libchancel_mpi.so"});
//   options.cluster = cluster;
//   chancel::Inference run = model.infer("hmm", options);  // the same on every rank
//   while (const chancel::Draw* draw = run.next()) ...     // draws come out on rank 0
//   cluster.leave();
//
// One run with draws at a time, and one in all of a process; gather() as often as you like. Calls
// are those of one thread.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace chancel {

class Ranks;

class Cluster {
 public:
  Cluster() = default;  // this process alone
  // What the launcher of this process says by its environment: the number of ranks (1: it was
  // started alone; 0: several, not known how many) and which one this is.
  static unsigned launched_size();
  static unsigned launched_rank();
  // Joins the others by the first of these modules that is there. Throws Error (U005). `on_death` is called,
  // from a thread of its own, when the process of another rank has died: on rank 0, and on all others when it
  // was rank 0. What waits for a rank that is dead throws Error (U005), too.
  // With a time limit (Limits::timeout) also when a rank is silent after its end: `loss` says how that is said.
  static Cluster join(const std::vector<std::string>& modules,
                      std::function<void(unsigned rank, const char* loss)> on_death = {});

  unsigned rank() const;
  unsigned size() const;
  unsigned neighbours() const;                // ranks on this machine, with this one
  bool first() const { return rank() == 0; }  // the one with an output
  bool alone() const { return size() == 1; }

  // What each rank gives, in their order; the same on all. Throws RunOver when rank 0 has left, and
  // Error on rank 0 when another rank has failed.
  std::vector<std::string> gather(std::string mine) const;
  // Rank 0: all others leave what they are doing.
  void end_run() const;
  // Any other: reports to rank 0 why it cannot take part.
  void fail(const std::string& why) const;
  // The last call; returns once every rank makes it.
  void leave();
  // Instead of it. A rank that has died and was noticed, -1: none; this process ends without leave(), which
  // is not a death; all processes end now.
  int dead() const;
  void say_goodbye() const;
  void abort(int code);

 private:
  friend struct ClusterAccess;
  std::shared_ptr<Ranks> ranks_;
};

// Thrown on other ranks when rank 0 has ended the run.
struct RunOver {};

}  // namespace chancel
