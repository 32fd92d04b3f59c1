// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process, for tests: the same messages, without MPI.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "ranks/transport.hpp"

namespace chancel {

class Mailboxes {
 public:
  explicit Mailboxes(unsigned size) : size_(size) {}
  std::unique_ptr<Transport> transport(unsigned rank);

 private:
  friend class MailboxTransport;
  unsigned size_;
  std::mutex mutex_;
  std::map<std::tuple<unsigned, int, unsigned>, std::deque<std::string>> waiting_;  // to, tag, from
  unsigned left_ = 0;
};

}  // namespace chancel
