// SPDX-License-Identifier: Apache-2.0
// Messages between the processes of a run (ranks): bytes with a tag, from one rank to another, in
// order for each pair and tag. Nothing here waits. MPI is one transport (mpi.hpp), mailboxes of
// threads of one process are another, for tests (mailboxes.hpp). One thread of a rank uses it at a
// time.
#pragma once
#include <optional>
#include <span>
#include <string>

namespace chancel {

class Transport {
 public:
  virtual ~Transport() = default;
  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;

  virtual void send(unsigned to, int tag, std::string bytes) = 0;
  // The next message with this tag; nothing: it is not there yet.
  virtual std::optional<std::string> receive(unsigned from, int tag) = 0;
  virtual std::optional<std::string> receive_any(int tag, unsigned* from) = 0;
  // The same, of a message of just this length.
  virtual bool receive_into(unsigned from, int tag, std::span<char> bytes) = 0;
  // The last call: returns once all ranks make it. Messages not received by then are lost.
  virtual void leave() = 0;
  // Instead, when some cannot: ends the processes of all ranks. Returns where ranks are threads of
  // one process.
  virtual void abort(int code) = 0;
};

}  // namespace chancel
