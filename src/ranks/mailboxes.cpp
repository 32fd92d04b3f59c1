// SPDX-License-Identifier: Apache-2.0
// See mailboxes.hpp.
#include "ranks/mailboxes.hpp"

#include <algorithm>
#include <thread>

#include "base/assert.hpp"

namespace chancel {

class MailboxTransport final : public Transport {
 public:
  MailboxTransport(Mailboxes& boxes, unsigned rank) : boxes_(boxes), rank_(rank) {}
  unsigned rank() const override { return rank_; }
  unsigned size() const override { return boxes_.size_; }

  void send(unsigned to, int tag, std::string bytes) override {
    const std::lock_guard lock(boxes_.mutex_);
    boxes_.waiting_[{to, tag, rank_}].push_back(std::move(bytes));
  }
  std::optional<std::string> receive(unsigned from, int tag) override {
    const std::lock_guard lock(boxes_.mutex_);
    const auto box = boxes_.waiting_.find({rank_, tag, from});
    if (box == boxes_.waiting_.end() || box->second.empty()) return std::nullopt;
    std::string bytes = std::move(box->second.front());
    box->second.pop_front();
    return bytes;
  }
  std::optional<std::string> receive_any(int tag, unsigned* from) override {
    for (unsigned r = 0; r < boxes_.size_; ++r)
      if (auto bytes = receive(r, tag)) {
        if (from) *from = r;
        return bytes;
      }
    return std::nullopt;
  }
  bool receive_into(unsigned from, int tag, std::span<char> bytes) override {
    const auto message = receive(from, tag);
    if (!message) return false;
    CHANCEL_ASSERT(message->size() == bytes.size(), "a message has another length than expected");
    std::copy(message->begin(), message->end(), bytes.begin());
    return true;
  }
  void abort(int) override {}
  void leave() override {
    const auto all_left = [&] {
      const std::lock_guard lock(boxes_.mutex_);
      return boxes_.left_ >= boxes_.size_;
    };
    {
      const std::lock_guard lock(boxes_.mutex_);
      ++boxes_.left_;
    }
    while (!all_left()) std::this_thread::yield();
  }

 private:
  Mailboxes& boxes_;
  unsigned rank_;
};

std::unique_ptr<Transport> Mailboxes::transport(unsigned rank) {
  return std::make_unique<MailboxTransport>(*this, rank);
}

}  // namespace chancel
