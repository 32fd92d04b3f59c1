// SPDX-License-Identifier: Apache-2.0
// See rank_chains.hpp.
#include "runs/rank_chains.hpp"

#include <algorithm>

#include "infer/engine_state.hpp"
#include "infer/report_bytes.hpp"
#include "runs/draw_bytes.hpp"

namespace chancel {

namespace {
// What may wait at rank 0 of one chain, and what goes into one message.
constexpr std::uint64_t kMostWaiting = std::uint64_t{8} << 20;  // bytes
constexpr std::uint64_t kMostDraws = 4096;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

enum Order : std::uint8_t { kUsed, kPause };

template <class T>
void write_all(ByteWriter& out, std::deque<T>& all) {
  out.number(all.size());
  for (const T& one : all) write(out, one);
  all.clear();
}
template <class T>
void read_all(ByteReader& in, std::deque<T>& all) {
  for (std::uint64_t left = in.count(); left > 0 && in.ok(); --left) read(in, &all.emplace_back());
}

}  // namespace

void RankChain::take_in(unsigned from, ByteReader& in) {
  rank_ = from;
  if (const std::uint64_t count = in.number(); count > 0) {
    auto batch = std::make_unique<DrawBatch>(*rules().setup);
    ByteReader draws(in.text());
    if (unpack_draws(draws, count, names_, *batch))
      add_batch(std::move(batch));
    else
      in.fail(draws.problem());
  }
  for (std::uint64_t left = in.count(); left > 0 && in.ok(); --left) {
    Mark mark;
    mark.made = in.number();
    restore_statistics(in, mark.statistics);
    add_mark(std::move(mark));
  }
  read_all(in, barriers);
  read_all(in, descents);
  for (std::uint64_t left = in.count(); left > 0; --left) {
    const std::uint64_t made = in.number();
    read(in, &warnings.emplace_back(made, Diagnostic{}).second);
  }
  if (in.byte()) {
    statistics_ = {};
    restore_statistics(in, statistics_);
  }
  nested_bias = in.real();
  if (in.byte()) {
    std::optional<Diagnostic> failure;
    if (in.byte()) read(in, &failure.emplace());
    end(std::move(failure));
  }
  if (!in.done())
    end(Diagnostic{Code::X001,
                   Severity::Error,
                   {},
                   "a message between ranks is damaged: " + in.problem(),
                   "",
                   {}});
}

void RankChain::used() {
  ByteWriter out;
  out.byte(kUsed);
  out.number(number());
  world_.send(rank_, kChainOrderTag, out.take());
}

bool take_in_draws(Ranks& world, const std::vector<std::unique_ptr<Chain>>& chains) {
  bool any = false;
  unsigned from = 0;
  while (const auto message = world.look_any(kDrawsTag, &from)) {
    any = true;
    ByteReader in(*message);
    const std::uint64_t number = in.number();
    const auto chain = std::find_if(chains.begin(), chains.end(), [&](const auto& c) {
      return c->number() == number && c->elsewhere();
    });
    if (chain != chains.end()) static_cast<RankChain&>(**chain).take_in(from, in);
  }
  return any;
}

void order_pause(Ranks& world, std::uint64_t pause_at) {
  for (unsigned r = 1; r < world.size(); ++r) {
    ByteWriter out;
    out.byte(kPause);
    out.number(pause_at);
    world.send(r, kChainOrderTag, out.take());
  }
}

bool DrawSender::take_orders(ChainRules& rules) {
  bool any = false;
  while (const auto message = world_.look(0, kChainOrderTag)) {
    any = true;
    ByteReader in(*message);
    if (in.byte() == kPause) {
      rules.pause_at = in.number();
      continue;
    }
    Sent& sent = sent_[static_cast<std::uint32_t>(in.number())];
    if (sent.messages.empty()) continue;
    sent.bytes -= sent.messages.front();
    sent.messages.pop_front();
  }
  return any;
}

bool DrawSender::send(Chain& chain, double nested_bias,
                      const std::function<std::vector<Diagnostic>()>& notes) {
  Sent& sent = sent_[chain.number()];
  if (sent.told_end || sent.bytes >= kMostWaiting) return false;
  DrawBatch* batch = chain.front();
  if (!batch && !chain.ended() && !(chain.paused() && sent.told_at_rest != sent.draws))
    return false;
  ByteWriter draws;
  std::uint64_t count = 0;
  std::size_t whole = 0;  // bytes of draws that could be written
  std::optional<Diagnostic> failure;
  if (batch) {
    DrawPacker packer(draws, names_);
    while (!batch->draws.empty() && count < kMostDraws && draws.size() < kMostBytes) {
      if (!packer.add(batch->draws.front())) {
        failure = {Code::I011,
                   Severity::Error,
                   {},
                   packer.problem(),
                   "predict data of it, or run the program in one process",
                   {}};
        break;
      }
      batch->draws.pop_front();
      whole = draws.size();
      ++count;
    }
    chain.took(count);
  }
  const bool rests = !chain.has_draw() && (chain.paused() || chain.ended());
  const bool ends = failure || (chain.ended() && !chain.has_draw());
  if (!failure) failure = chain.failure();

  ByteWriter out;
  out.number(chain.number());
  out.number(count);
  if (count > 0) out.text(std::string_view(draws.bytes()).substr(0, whole));
  const std::vector<Chain::Mark> marks = chain.take_marks(sent.draws + count);
  out.number(marks.size());
  for (const Chain::Mark& mark : marks) {
    out.number(mark.made);
    save_statistics(out, mark.statistics);
  }
  write_all(out, chain.barriers);
  write_all(out, chain.descents);
  if (ends)
    for (Diagnostic& note : notes()) chain.warnings.emplace_back(~std::uint64_t{0}, note);
  out.number(chain.warnings.size());
  for (const auto& [made, warning] : chain.warnings) {
    out.number(made);
    write(out, warning);
  }
  chain.warnings.clear();
  out.byte(rests || ends);
  if (rests || ends) save_statistics(out, chain.statistics());
  out.real(nested_bias);
  out.byte(ends);
  if (ends) {
    out.byte(failure.has_value());
    if (failure) write(out, *failure);
  }
  world_.send(0, kDrawsTag, out.take());

  sent.draws += count;
  if (rests) sent.told_at_rest = sent.draws;
  sent.told_end = ends;
  if (count > 0) {
    sent.messages.push_back(whole);
    sent.bytes += whole;
  }
  return true;
}

}  // namespace chancel
