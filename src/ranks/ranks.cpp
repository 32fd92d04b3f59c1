// SPDX-License-Identifier: Apache-2.0
// See ranks.hpp.
#include "ranks/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "base/bytes.hpp"

namespace chancel {

Ranks::Ranks(std::shared_ptr<Transport> transport)
    : common_(std::make_shared<Common>()), members_(transport->size()), rank_(transport->rank()) {
  common_->transport = std::move(transport);
  std::iota(members_.begin(), members_.end(), 0u);
}

Ranks::Ranks(const Ranks& world, std::vector<unsigned> members)
    : common_(world.common_), members_(std::move(members)), gather_tag_(kGroupTag) {
  const auto me = std::find(members_.begin(), members_.end(), common_->transport->rank());
  rank_ = static_cast<unsigned>(me - members_.begin());
}

void Ranks::meet_neighbours(const std::string& machine) {
  common_->joining = true;
  const auto all = all_gather(machine);
  common_->joining = false;
  common_->neighbours = static_cast<unsigned>(std::count(all.begin(), all.end(), machine));
}

void Ranks::watch(const std::string& machine,
                  std::function<void(unsigned, DeathWatch::Loss)> on_death) {
  common_->joining = true;
  common_->watch = std::make_unique<DeathWatch>(
      rank_, machine, [this](std::string mine) { return all_gather(std::move(mine)); },
      std::move(on_death));
  common_->joining = false;
}

void Ranks::end_run() {
  if (common_->ended) return;
  common_->ended = true;
  for (unsigned r = 1; r < common_->transport->size(); ++r)
    common_->transport->send(r, kEndTag, {});
}

bool Ranks::over() {
  if (!common_->ended && common_->transport->rank() != 0)
    common_->ended = common_->transport->receive(0, kEndTag).has_value();
  return common_->ended;
}

void Ranks::tell_failure(const std::string& why) { common_->transport->send(0, kFailedTag, why); }

void Ranks::look_around() {
  if (common_->joining) return;
  if (const int dead = this->dead(); dead != DeathWatch::kNobody)
    throw RankDied{static_cast<unsigned>(dead), common_->watch->loss()};
  if (common_->transport->rank() == 0) {
    unsigned from = 0;
    if (auto why = common_->transport->receive_any(kFailedTag, &from))
      throw RankFailed{from, std::move(*why)};
  } else if (over()) {
    throw RunIsOver{};
  }
  if (common_->while_waiting) common_->while_waiting();
}

// Messages of ranks on the same machine come within microseconds; where there are more ranks than
// cores, or a message takes long, the others need the core.
void Ranks::pause(std::uint64_t looks) {
  constexpr std::uint64_t kSpin = 200, kYield = 2000;
  if (looks < kSpin) return;
  if (looks < kYield)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::min<std::uint64_t>(looks / 100, 500)));
}

void Ranks::wait_a_little() {
  look_around();
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

void Ranks::wait_for_the_end() {
  for (;;) wait_a_little();
}

std::string Ranks::receive(unsigned from, int tag) {
  std::optional<std::string> message;
  wait_until([&] { return (message = look(from, tag)).has_value(); });
  return std::move(*message);
}

// Bruck's algorithm: after k rounds each rank has what 2^k of them gave, its own and of those that
// follow it. log2(ranks) messages of each rank.
std::vector<std::string> Ranks::all_gather(std::string mine) {
  const unsigned n = size();
  std::vector<std::string> turned(n);  // that of (rank + i) mod n
  turned[0] = std::move(mine);
  for (unsigned have = 1; have < n; have *= 2) {
    const unsigned give = std::min(have, n - have);
    ByteWriter out;
    for (unsigned i = 0; i < give; ++i) out.text(turned[i]);
    send((rank_ + n - have) % n, gather_tag_, out.take());
    const std::string message = receive((rank_ + have) % n, gather_tag_);
    ByteReader in(message);
    for (unsigned i = 0; i < give; ++i) turned[have + i] = in.text();
  }
  std::vector<std::string> all(n);
  for (unsigned i = 0; i < n; ++i) all[(rank_ + i) % n] = std::move(turned[i]);
  return all;
}

// Round the ring: the least bytes that each rank can send, in ranks - 1 rounds.
void Ranks::all_gather_in_place(std::span<char> all, std::span<const std::size_t> bounds) {
  constexpr std::size_t kPiece = std::size_t{64} << 20;
  const unsigned n = size();
  const auto part = [&](unsigned r) { return all.subspan(bounds[r], bounds[r + 1] - bounds[r]); };
  for (unsigned round = 0; round + 1 < n; ++round) {
    const auto out = part((rank_ + n - round) % n);
    const auto in = part((rank_ + n - round - 1) % n);
    for (std::size_t at = 0; at < out.size(); at += kPiece) {
      const auto piece = out.subspan(at, std::min(kPiece, out.size() - at));
      send((rank_ + 1) % n, gather_tag_, std::string(piece.data(), piece.size()));
    }
    for (std::size_t at = 0; at < in.size(); at += kPiece) {
      const auto piece = in.subspan(at, std::min(kPiece, in.size() - at));
      wait_until([&] {
        return common_->transport->receive_into(members_[(rank_ + n - 1) % n], gather_tag_, piece);
      });
    }
  }
}

}  // namespace chancel
