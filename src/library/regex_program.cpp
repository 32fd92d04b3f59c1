// SPDX-License-Identifier: Apache-2.0
#include "library/regex_program.hpp"

#include "base/text.hpp"

namespace chancel {

namespace {
constexpr std::size_t kNone = std::string_view::npos;

bool is_word(std::uint32_t c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
std::uint32_t fold_case(std::uint32_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
}  // namespace

bool Regex::CharClass::has(std::uint32_t c) const {
  for (const auto& [low, high] : ranges) {
    if (c >= low && c <= high) return !negated;
  }
  return negated;
}

bool Regex::matches_character(const Step& step, std::uint32_t c) const {
  switch (step.op) {
    case Op::Char:
      return c == step.a || (ignore_case_ && fold_case(c) == fold_case(step.a));
    case Op::Any:
      return dot_all_ || (c != '\n' && c != '\r' && c != 0x85 && c != 0x2028 && c != 0x2029);
    case Op::Class: {
      const CharClass& set = classes_[step.a];
      if (!ignore_case_ || fold_case(c) < 'a' || fold_case(c) > 'z') return set.has(c);
      const bool either = set.negated ? set.has(fold_case(c)) && set.has(fold_case(c) - 32)
                                      : set.has(fold_case(c)) || set.has(fold_case(c) - 32);
      return either;
    }
    default:
      return false;
  }
}

bool Regex::holds_at(const Step& step, std::string_view text, std::size_t at) const {
  const auto word_before = [&] {
    return at > 0 && is_word(static_cast<unsigned char>(text[at - 1]));
  };
  const auto word_behind = [&] {
    return at < text.size() && is_word(static_cast<unsigned char>(text[at]));
  };
  switch (step.op) {
    case Op::LineStart:
      return at == 0 || (multiline_ && text[at - 1] == '\n');
    case Op::LineEnd:
      return at == text.size() || (at + 1 == text.size() && text[at] == '\n') ||
             (multiline_ && text[at] == '\n');
    case Op::TextStart:
      return at == 0;
    case Op::TextEnd:
      return at == text.size();
    case Op::WordEdge:
      return word_before() != word_behind();
    case Op::NoWordEdge:
      return word_before() == word_behind();
    default:
      return false;
  }
}

bool Regex::search(NativeContext& cx, std::string_view text, std::size_t from, bool whole,
                   Match* match) const {
  const std::size_t slots = 2 * groups_;
  struct Thread {
    std::uint32_t step;
    std::vector<std::size_t> saved;
  };
  std::vector<Thread> now;
  std::vector<Thread> after;
  std::vector<std::uint64_t> visited(steps_.size(), 0);
  std::uint64_t round = 0;
  std::vector<std::size_t> best;

  // Follows all steps that take no character, in order of preference, without recursion.
  struct Pending {
    std::uint32_t step;
    std::size_t slot;  // kNone, or the slot to restore
    std::size_t value;
  };
  std::vector<Pending> pending;
  const auto add = [&](std::vector<Thread>& list, std::uint32_t start,
                       std::vector<std::size_t>& saved, std::size_t at) {
    pending.push_back({start, kNone, 0});
    while (!pending.empty()) {
      const Pending p = pending.back();
      pending.pop_back();
      if (p.slot != kNone) {
        saved[p.slot] = p.value;
        continue;
      }
      if (visited[p.step] == round) continue;
      visited[p.step] = round;
      const Step& s = steps_[p.step];
      switch (s.op) {
        case Op::Jump:
          pending.push_back({s.a, kNone, 0});
          break;
        case Op::Split:
          pending.push_back({s.b, kNone, 0});
          pending.push_back({s.a, kNone, 0});
          break;
        case Op::Save:
          pending.push_back({0, s.a, saved[s.a]});
          saved[s.a] = at;
          pending.push_back({p.step + 1, kNone, 0});
          break;
        case Op::Char:
        case Op::Any:
        case Op::Class:
        case Op::Accept:
          list.push_back({p.step, saved});
          break;
        default:
          if (holds_at(s, text, at)) pending.push_back({p.step + 1, kNone, 0});
      }
    }
  };

  std::size_t at = from;
  ++round;
  while (true) {
    // A new attempt starts here, with less preference than those that started earlier.
    if (best.empty() && (!whole || at == from)) {
      std::vector<std::size_t> fresh(slots, kNone);
      add(now, 0, fresh, at);
    }
    if (now.empty() && (!best.empty() || whole || at >= text.size())) break;
    cx.tick(1 + now.size());
    std::size_t behind = at;
    const bool at_end = at >= text.size();
    const std::uint32_t c = at_end ? 0 : next_character(text, behind);
    after.clear();
    ++round;
    for (Thread& t : now) {
      const Step& s = steps_[t.step];
      if (s.op == Op::Accept) {
        if (whole && !at_end) continue;
        best = t.saved;
        break;  // the rest has less preference
      }
      if (!at_end && matches_character(s, c)) add(after, t.step + 1, t.saved, behind);
    }
    now.swap(after);
    if (at_end) break;
    at = behind;
  }
  if (best.empty()) return false;
  match->starts.assign(groups_, kNone);
  match->ends.assign(groups_, kNone);
  for (std::size_t g = 0; g < groups_; ++g) {
    match->starts[g] = best[2 * g];
    match->ends[g] = best[2 * g + 1];
  }
  return true;
}

}  // namespace chancel
