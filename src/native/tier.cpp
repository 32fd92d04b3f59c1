// SPDX-License-Identifier: Apache-2.0
// Runs segments: batches of particles at one resume point, with what generated code calls.
#include "native/tier.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <unordered_map>

#include "native/c_source.hpp"
#include "native/compilation.hpp"
#include "native/segments.hpp"
#include "segment/batch_services.hpp"
#include "segment/evaluate.hpp"
#include "vm/run_state.hpp"

namespace chancel::native {

using segment::close_rows;
using segment::fill_services;

namespace {

class Tier final : public NativeTier {
 public:
  Tier(Segments segments, NativeNeeds needs, const RunSetup& setup)
      : segments_(std::move(segments)),
        needs_(needs),
        source_(setup.source()),
        run_(setup.run),
        leaves_(setup.native_leaves()),
        evaluated_(setup.native == NativeUse::Evaluated) {
    if (evaluated_) return;
    std::size_t whole = 0;
    for (const std::string& piece : segments_.texts) whole += piece.size();
    for (const std::string& piece : segments_.texts)
      compilations_.push_back(Compilation::begin(generated_source(piece, whole, needs)));
    segments_.texts.clear();
  }

  State look(const Prefix& prefix, Executor& machine, bool wait) override {
    for (const auto& c : compilations_) {
      const Compilation::State state =
          c->look(wait ? [&] { return !stop_requested(run_); } : std::function<bool()>());
      if (state == Compilation::State::Running) return State::Compiling;
      if (state == Compilation::State::Failed) return State::Failed;
    }
    for (std::size_t i = 0; i < segments_.points.size(); ++i) {
      ResumePoint& p = *segments_.points[i];
      p.code = this;
      points_.push_back(&p);
      if (i > 0) standing_at_[p.frames.back().pc].push_back(i);
      records_.emplace_back();
      functions_.push_back(find("segment", i, segments_.functions[i]));
      if (!functions_.back()) return State::Failed;
      if (!needs_.futures) continue;
      future_records_.emplace_back();
      futures_.push_back(i > 0 ? find("future", i, segments_.futures[i]) : Function{});
      if (i > 0 && !futures_.back()) return State::Failed;
    }
    return begin_at(prefix, machine.arena()) ? State::Ready : State::Failed;
  }

  NativeProgress run(Executor& machine, const NativeTurn& turn) override {
    cn_batch b{};
    fill(machine, turn, &b);
    std::size_t stays = turn.begin, heads_to = turn.begin;
    while (b.begin < turn.end && advance(turn, &b, &heads_to, &stays)) {
    }
    return {b.begin, stays,        b.made,          b.ended,
            b.site,  b.other_site, b.has_site != 0, b.mixed_sites != 0};
  }

  void adopt(Executor& machine, Execution& x, const Execution* like) override {
    if (!x.top || x.top->tag != Tag::Frame) return;
    const auto* const top = static_cast<const Frame*>(x.top);
    const auto here = standing_at_.find(top->pc);
    if (here == standing_at_.end()) return;
    const bool is_row = like && like->top && like->top->tag == Tag::Row;
    const Common* const common = is_row ? static_cast<const Row*>(like->top)->common : nullptr;
    // The last ones know least.
    for (auto i = here->second.rbegin(); i != here->second.rend(); ++i) {
      if (records_[*i].hopeless()) continue;
      if (Row* row = row_of(machine.arena(), *segments_.points[*i], top, common)) {
        x.top = row;
        return;
      }
    }
  }
  const Execution& first() const override { return first_; }
  std::uint32_t site_of(const Execution& x) const override {
    return static_cast<const Row*>(x.top)->common->point->site;
  }
  void visit(Evacuator& e) override { first_.visit(e); }

 private:
  // Machine code, or the form that is evaluated instead.
  struct Function {
    int (*code)(cn_batch*) = nullptr;
    const segment::Function* form = nullptr;
    explicit operator bool() const { return code || form; }
    int operator()(cn_batch* b) const {
      if (code) return code(b);
      return form->blocks.empty() ? CN_NONE : segment::evaluate(*form, b);
    }
  };

  Function find(const char* kind, std::size_t number, const segment::Function& form) const {
    if (evaluated_) return {nullptr, &form};
    const std::string name = fmt::format("{}_{}", kind, number);
    for (const auto& c : compilations_)
      if (void* f = c->shared_object()->find(name))
        return {reinterpret_cast<int (*)(cn_batch*)>(f), nullptr};
    return {};
  }

  bool begin_at(const Prefix& prefix, Arena& arena) {
    const auto* top = static_cast<const Frame*>(prefix.at.top);
    const ResumePoint& p = *segments_.points[0];
    Row* row = row_of(arena, p, top, nullptr);
    if (!row) return false;
    if (prefix.kind == Stop::Sample && p.common > 0) {
      // The distribution of the first draw is the last of the common values, if it is not a
      // constant.
      std::uint32_t used = 0;
      for (const ResumeFrame& f : p.frames)
        for (const SlotPlace& s : f.slots) used += s.in == SlotIn::Common;
      if (used < p.common) row->common->values[p.common - 1] = prefix.dist;
    }
    first_ = prefix.at;
    first_.top = row;
    return true;
  }

  static bool is_dead(double log_weight) {
    return log_weight == -std::numeric_limits<double>::infinity();
  }
  static std::size_t parent(const NativeTurn& turn, std::size_t i) {
    return turn.parents ? turn.parents[i] : i;
  }
  const Execution& before(const NativeTurn& turn, std::size_t i) const {
    return turn.fresh ? first_ : turn.from[parent(turn, i)];
  }
  static const RowBlock* block_before(const NativeTurn& turn, std::size_t i) {
    return turn.fresh || turn.blocks.empty() ? nullptr : find_block(turn.blocks, parent(turn, i));
  }

  // The end of the particles that have the same world as the first.
  std::size_t last_in_world(const NativeTurn& turn, const cn_batch* b) const {
    const World* const world = before(turn, b->begin).world;
    std::size_t last = b->begin + 1;
    while (last < b->end && before(turn, last).world == world) ++last;
    return last;
  }

  // The end of the particles that stand where the first stands.
  std::size_t last_of(const NativeTurn& turn, const cn_batch* b, const Common* common) const {
    const RowBlock* const block = block_before(turn, b->begin);
    std::size_t last = b->begin + 1;
    for (; last < b->end; ++last) {
      if (block) {
        if (!block->has(parent(turn, last))) break;
        continue;
      }
      const Execution& x = before(turn, last);
      if (block_before(turn, last) || !x.top || x.top->tag != Tag::Row ||
          static_cast<Row*>(x.top)->common != common)
        break;
    }
    return last;
  }

  // What particle i and its neighbours come from; null: nothing that native code knows. Up to *heads_to it is known
  // that particles come from executions.
  Common* come_from(const NativeTurn& turn, std::size_t i, cn_batch* b,
                    std::size_t* heads_to) const {
    b->rows_to = nullptr;
    b->rows_from = nullptr;
    b->blocks_to = nullptr;
    if (const RowBlock* const block = block_before(turn, i)) {
      b->rows_from = block->rows;
      b->rows_first = block->begin;
      b->rows_count = block->end - block->begin;
      b->sides = __builtin_bit_cast(cn_execution, block->sides);
      b->blocks_to = turn.blocks_to;
      return block->common;
    }
    if (turn.fresh) b->blocks_to = turn.blocks_to;
    if (!turn.blocks.empty()) {  // `from` has nothing of particles in blocks
      if (*heads_to <= i) *heads_to = i + 1;
      while (*heads_to < b->end && !block_before(turn, *heads_to)) ++*heads_to;
      b->end = std::min(b->end, *heads_to);
    }
    const Execution& x = before(turn, i);
    return x.top && x.top->tag == Tag::Row ? static_cast<Row*>(x.top)->common : nullptr;
  }

  // Runs particles that stand at one point. False: those from b->begin to *stays are the interpreter's.
  bool advance(const NativeTurn& turn, cn_batch* b, std::size_t* heads_to,
               std::size_t* stays) const {
    const std::size_t i = b->begin;
    *stays = i + 1;
    b->end = turn.end;
    if (CHANCEL_UNLIKELY(leaves_ != 0)) {
      if ((i + turn.barrier) % leaves_ == 0) return false;
      b->end = i + 1;
      while (b->end < turn.end && (b->end + turn.barrier) % leaves_ != 0) ++b->end;
    }
    Common* const common = come_from(turn, i, b, heads_to);
    if (!common || is_dead(turn.log_weights[i])) return false;
    const auto* code = static_cast<const Tier*>(common->point->code);
    b->common = reinterpret_cast<cn_common*>(common);
    b->constants = reinterpret_cast<const cn_value*>(code->segments_.constants.data());
    b->pointers = code->segments_.pointers.data();
    b->points = code->points_.data();
    b->status = 0;
    const std::size_t segment = common->point->segment;
    Record& record = turn.given ? code->future_records_[segment] : code->records_[segment];
    if (record.hopeless()) {
      *stays = last_of(turn, b, common);
      return false;
    }
    // What is done once for all looks at what all have: the world of a block, or none. Where it has to look at what
    // was worked out, it is done again for neighbours with the same world.
    const Function& run = (turn.given ? code->futures_ : code->functions_)[segment];
    b->world = b->batch_world = turn.fresh     ? static_cast<void*>(first_.world)
                                : b->rows_from ? b->sides.world
                                               : nullptr;
    int how = run(b);
    if (how == CN_NONE && !b->batch_world && before(turn, i).world) {
      b->end = last_in_world(turn, b);
      b->status = 0;
      b->world = b->batch_world = before(turn, i).world;
      how = run(b);
    }
    record.add(b->begin - i + (how == CN_DONE ? b->end - b->begin : 0),
               how == CN_BAIL || how == CN_NONE);
    if (how == CN_DONE) b->begin = b->end;
    if (b->rows_to) close_rows(b->begin, *turn.rows, *turn.blocks_to);
    switch (how) {
      case CN_DONE:
        return true;
      case CN_OTHER:
        return b->begin != i;
      case CN_NONE:  // of those that stand here
        *stays = last_of(turn, b, common);
        return false;
      default:
        *stays = b->begin + 1;
        return false;
    }
  }

  void fill(Executor& machine, const NativeTurn& turn, cn_batch* b) const {
    b->from = reinterpret_cast<const cn_execution*>(turn.fresh ? &first_ : turn.from);
    b->parents = turn.parents;
    b->to = reinterpret_cast<cn_execution*>(turn.to);
    b->score = turn.scores;
    b->log_weight = turn.log_weights;
    b->results = reinterpret_cast<cn_value*>(turn.results);
    b->begin = turn.begin;
    b->end = turn.end;
    b->single = turn.fresh;
    b->far = turn.far && turn.parents && !turn.fresh;
    b->key = turn.name.key;
    b->step = turn.drawn ? 0 : turn.barrier;
    b->drawn = turn.drawn;
    b->keys = turn.keys;
    b->blocks_end = turn.end;
    b->commons = turn.commons;
    b->source = source_;
    if (turn.given) {
      b->given = reinterpret_cast<const cn_value*>(turn.given->values);
      b->given_parts = turn.given->parts;
      b->given_count = turn.given->count;
      b->given_last = turn.given->last;
    }
    fill_services(machine.context_for(first_), turn.rows, b);
  }

  // How a segment fares. Where most particles come back it costs more than it saves; draws are the
  // same either way.
  struct Record {
    std::atomic<std::uint32_t> done{0}, back{0};
    bool hopeless() const {
      constexpr std::uint32_t kEnough = 200;
      const std::uint32_t b = back.load(std::memory_order_relaxed);
      return b > kEnough && b > done.load(std::memory_order_relaxed) / 2;
    }
    void add(std::size_t ran, bool came_back) {
      if (done.load(std::memory_order_relaxed) < 1u << 30)
        done.fetch_add(static_cast<std::uint32_t>(ran), std::memory_order_relaxed);
      if (came_back) back.fetch_add(1, std::memory_order_relaxed);
    }
  };

  Segments segments_;
  mutable std::deque<Record> records_, future_records_;
  std::vector<std::shared_ptr<Compilation>> compilations_;
  std::vector<const void*> points_;
  std::unordered_map<const Instr*, std::vector<std::size_t>> standing_at_;  // points, by their tops
  std::vector<Function> functions_;
  std::vector<Function> futures_;  // the same with given draws; none of the first
  Execution first_;
  const NativeNeeds needs_;
  Stream::Source* const source_;  // tests only
  Run* const run_;
  const std::uint32_t leaves_;  // TestProbe::native_leaves
  const bool evaluated_;        // without a compiler
};

}  // namespace

std::unique_ptr<NativeTier> make_tier(const Prefix& prefix, const RunSetup& setup,
                                      Executor& machine, NativeNeeds needs) {
  if (!prefix.at.top) return nullptr;
  needs.source = setup.source() != nullptr;
  NativeContext& cx = machine.context_for(prefix.at);
  Segments segments =
      make_segments(prefix, setup.image->globals.data(), &machine.arena().heap(), cx,
                    {.futures = needs.futures, .evaluated = setup.native == NativeUse::Evaluated});
  if (!segments.worthwhile) return nullptr;
  return std::make_unique<Tier>(std::move(segments), needs, setup);
}

}  // namespace chancel::native
