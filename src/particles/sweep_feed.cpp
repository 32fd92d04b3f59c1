// SPDX-License-Identifier: Apache-2.0
// See sweep_feed.hpp.
#include "particles/sweep_feed.hpp"

#include <algorithm>

#include "infer/output_bytes.hpp"
#include "infer/report_bytes.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

namespace {
// From this many particles on, slices of one sweep keep all threads busy and later sweeps need not
// be run ahead.
constexpr std::uint32_t kWideSweep = 1024;
// From this many on, slices of one sweep keep ranks busy: at each barrier they wait for each other.
constexpr std::uint32_t kWideForRanks = 8192;
constexpr std::size_t kParticlesInMessage = 4096;
}  // namespace

SweepFeed::SweepFeed(const RunSetup& setup, ThreadTeam* team, const SweepSettings& settings,
                     std::uint64_t expected)
    : setup_(setup), team_(team), settings_(settings), expected_(expected) {
  ahead_ = team && settings.particles < kWideSweep ? team->size() : 1;
  if (!setup.ranks) return;
  wide_ = settings.particles >= kWideForRanks && settings.moves == 0 && !setup.delayed;
  settings_.keep_lineages = wide_;
  if (wide_) settings_.slices = setup.ranks->size();
  at_work_.assign(setup.ranks->size(), 0);
}

SweepFeed::Slot* SweepFeed::free_slot() {
  if (free_.empty()) {
    // A lane is also held by the caller that reads its sweep, and by pimh for the state it may fall
    // back to.
    const std::size_t limit =
        setup_.max_memory == ~std::size_t{0} ? setup_.max_memory : setup_.max_memory / (ahead_ + 1);
    slots_.push_back(
        std::make_unique<Slot>(setup_, ahead_ > 1 ? nullptr : team_, limit, settings_));
    free_.push_back(slots_.back().get());
  }
  Slot* slot = free_.back();
  free_.pop_back();
  return slot;
}

void SweepFeed::run(std::uint64_t from, std::uint64_t count) {
  std::vector<Slot*> slots;
  for (std::uint64_t i = 0; i < count; ++i) slots.push_back(free_slot());
  const auto work = [&](unsigned i) { slots[i]->ok = slots[i]->sweep.run(name_of(from + i)); };
  if (count > 1)
    team_->run(static_cast<unsigned>(count), work);
  else
    work(0);
  for (std::uint64_t i = 0; i < count; ++i) ready_[from + i] = slots[i];
}

Population* SweepFeed::next() {
  while (!ready_.contains(asked_)) {
    if (wide_) {
      run_wide(asked_);
      break;
    }
    if (setup_.ranks) take_in();
    if (const auto found = arrived_.find(asked_); found != arrived_.end()) {
      Slot* slot = ready_[asked_] = free_slot();
      unpack(*slot, found->second);
      arrived_.erase(found);
      if (setup_.ranks) give_orders();
    } else if (const std::uint64_t count = take_numbers(); count > 0) {
      const std::uint64_t from = given_out_;
      given_out_ += count;
      if (setup_.ranks) give_orders();
      run(from, count);
    } else {
      setup_.ranks->wait_a_little();
    }
  }
  Slot* slot = ready_[asked_];
  if (!slot->ok) {
    failure_ = slot->sweep.failure();
    return nullptr;
  }
  ready_.erase(asked_++);
  return &slot->sweep;
}

// Without other ranks: a sweep for each thread. With them: while one that is wanted runs elsewhere, a
// later one, unless enough of them wait already.
std::uint64_t SweepFeed::take_numbers() {
  if (!setup_.ranks) return ahead_;
  const std::uint64_t most = 4 * ahead_ * setup_.ranks->size();
  if (given_out_ == asked_) return ahead_;
  if (given_out_ - asked_ >= most) return 0;
  if (expected_ == 0) return ahead_;
  return std::min<std::uint64_t>(ahead_, expected_ - std::min(expected_, given_out_));
}

// Gives ranks orders ahead of time, so that they need not wait for the next.
void SweepFeed::give_orders() {
  const unsigned ranks = setup_.ranks->size();
  if (setup_.keep_descent && given_out_ < kKeptSweeps) return;  // family trees do not travel
  for (unsigned r = 1; r < ranks; ++r)
    while (at_work_[r] < 2 * ahead_ && (expected_ == 0 || given_out_ < expected_) &&
           given_out_ - asked_ < 4 * ahead_ * ranks) {
      const std::uint64_t left = expected_ == 0 ? ahead_ : expected_ - given_out_;
      const std::uint64_t count = std::min<std::uint64_t>(ahead_, left);
      ByteWriter out;
      out.number(given_out_);
      out.number(count);
      setup_.ranks->send(r, kSweepOrderTag, out.take());
      given_out_ += count;
      at_work_[r] += count;
    }
}

void SweepFeed::take_in() {
  setup_.ranks->look_around();
  for (unsigned r = 1; r < setup_.ranks->size(); ++r)
    while (auto message = setup_.ranks->look(r, kSweepTag)) {
      ByteReader in(*message);
      const std::uint64_t number = in.number();
      arrived_[number] = std::move(*message);
      --at_work_[r];
    }
}

void SweepFeed::unpack(Slot& slot, const std::string& message) {
  ByteReader in(message);
  in.number();
  slot.ok = slot.sweep.unpack_outcome(in) && !slot.sweep.failure();
  if (slot.ok && slot.sweep.alive()) slot.sweep.unpack_particles(in, 0, slot.sweep.size());
  if (!in.done())
    slot.ok = slot.sweep.fail_with({Code::X001,
                                    Severity::Error,
                                    {},
                                    "a message between ranks is damaged: " + in.problem(),
                                    "",
                                    {}});
}

bool SweepFeed::cannot_send(Population& sweep, const std::string& problem) {
  return sweep.fail_with(cannot_be_sent(problem));
}

void SweepFeed::help() {
  if (wide_) {
    for (std::uint64_t number = 0;; ++number) {
      run_wide(number);
      Slot* slot = ready_[number];
      // What all ranks know has been said by the first.
      if (!slot->ok) setup_.ranks->wait_for_the_end();
      release(&slot->sweep);
      ready_.erase(number);
    }
  }
  for (;;) {
    const std::string order = setup_.ranks->receive(0, kSweepOrderTag);
    ByteReader in(order);
    const std::uint64_t from = in.number(), count = in.number();
    run(from, count);
    for (std::uint64_t i = from; i < from + count; ++i) {
      Slot* slot = ready_[i];
      ByteWriter out;
      out.number(i);
      std::string problem;
      slot->sweep.pack_outcome(out);
      if (slot->ok && slot->sweep.alive() &&
          !slot->sweep.pack_particles(out, 0, slot->sweep.size(), &problem)) {
        cannot_send(slot->sweep, problem);
        out = {};
        out.number(i);
        slot->sweep.pack_outcome(out);
      }
      setup_.ranks->send(0, kSweepTag, out.take());
      release(&slot->sweep);
      ready_.erase(i);
    }
  }
}

void SweepFeed::run_wide(std::uint64_t number) {
  Slot* slot = ready_[number] = free_slot();
  SweepPlace place;
  place.ranks = setup_.ranks;
  slot->ok = slot->sweep.run(name_of(number), nullptr, place);
  if (slot->ok && slot->sweep.alive()) slot->ok = gather_particles(slot->sweep);
}

// To the first rank, which hands them out.
bool SweepFeed::gather_particles(Population& sweep) {
  Ranks& ranks = *setup_.ranks;
  const auto each_part = [&](unsigned rank, const auto& work) {
    const auto [begin, end] = sweep.slice_of(rank);
    for (std::size_t from = begin; from < end; from += kParticlesInMessage)
      if (!work(from, std::min(end, from + kParticlesInMessage))) return false;
    return true;
  };
  if (ranks.first()) {
    for (unsigned r = 1; r < ranks.size(); ++r) {
      const bool ok = each_part(r, [&](std::size_t from, std::size_t to) {
        const std::string message = ranks.receive(r, kSweepTag);
        ByteReader in(message);
        if (in.byte()) return cannot_send(sweep, std::string(in.text()));
        sweep.unpack_particles(in, from, to);
        if (!in.done()) return cannot_send(sweep, "a message between ranks is damaged");
        return true;
      });
      if (!ok) return false;
    }
    sweep.have_all();
    return true;
  }
  return each_part(ranks.rank(), [&](std::size_t from, std::size_t to) {
    ByteWriter out;
    std::string problem;
    out.byte(0);
    const bool ok = sweep.pack_particles(out, from, to, &problem);
    if (!ok) {
      out = {};
      out.byte(1);
      out.text(problem);
    }
    ranks.send(0, kSweepTag, out.take());
    return ok;
  });
}

Population* SweepFeed::again(std::uint64_t number) {
  Slot* slot = free_slot();
  if (slot->sweep.run(name_of(number))) return &slot->sweep;
  failure_ = slot->sweep.failure();
  return nullptr;
}

void SweepFeed::release(Population* sweep) {
  for (const auto& slot : slots_)
    if (&slot->sweep == sweep) free_.push_back(slot.get());
}

std::size_t SweepFeed::peak_memory() const {
  std::size_t peak = 0;
  for (const auto& slot : slots_) peak += slot->workers.heap().peak();
  return peak;
}

}  // namespace chancel
