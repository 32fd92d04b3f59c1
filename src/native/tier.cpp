// SPDX-License-Identifier: Apache-2.0
// Runs segments: batches of particles that stand at one rest point, with what generated code calls.
#include "native/tier.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <limits>

#include "math/elementary.hpp"
#include "math/special.hpp"
#include "native/abi.h"
#include "native/abi_text.hpp"
#include "native/library.hpp"
#include "native/translate.hpp"
#include "random/blocks.hpp"
#include "random/ziggurat_table.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/metadata.hpp"

namespace chancel::native {

namespace {

static_assert(sizeof(cn_value) == sizeof(Value) && sizeof(cn_execution) == sizeof(Execution) &&
              sizeof(cn_stream) == sizeof(Stream) && sizeof(cn_predicts) == sizeof(Predicts));
static_assert(sizeof(cn_vector) == sizeof(Vector) && sizeof(cn_closure) == sizeof(Closure) &&
              sizeof(cn_dist) == sizeof(Dist) && sizeof(cn_common) == sizeof(Common));
static_assert(offsetof(Common, values) == offsetof(cn_common, values) &&
              offsetof(Row, values) == sizeof(cn_row) &&
              offsetof(Vector, tail) == offsetof(cn_vector, tail) &&
              offsetof(Closure, captured) == offsetof(cn_closure, captured) &&
              offsetof(Dist, values) == offsetof(cn_dist, values) &&
              offsetof(Process, values) == offsetof(cn_dist, values) &&
              offsetof(ArrayMap, entries) == offsetof(cn_array_map, entries) &&
              offsetof(Predicts, value) == offsetof(cn_predicts, value));

std::string preamble() {
  std::string text;
  const auto tag = [&](const char* name, Tag t) {
    text += fmt::format("#define CN_{} {}\n", name, static_cast<std::uint64_t>(t));
  };
  tag("NIL", Tag::Nil);
  tag("BOOL", Tag::Bool);
  tag("INT", Tag::Int);
  tag("DOUBLE", Tag::Double);
  tag("EMPTY_LIST", Tag::EmptyList);
  tag("FIRST_OBJECT", kFirstObject);
  tag("CLOSURE", Tag::Closure);
  tag("VECTOR", Tag::Vector);
  tag("ARRAY_MAP", Tag::ArrayMap);
  tag("PROCESS", Tag::Process);
  tag("DIST", Tag::Dist);
  tag("PREDICTS", Tag::Predicts);
  tag("ROW", Tag::Row);
  tag("COMMON", Tag::Common);
  text += fmt::format("#define CN_HAS_META {}\n", static_cast<int>(kHasMeta));
  text += fmt::format("#define CN_LOG_SQRT_TWO_PI ({:a})\n", kLogSqrtTwoPi);
  text += fmt::format("#define CN_LEAST_DRAW ({:a})\n#define CN_LARGEST_DRAW ({:a})\n",
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  for (const AbiFile& file : abi_files()) text += file.text;
  return text;
}

// --- what generated code calls ---

NativeContext& context(cn_batch* b) { return *static_cast<NativeContext*>(b->self); }
Value from(cn_value v) { return __builtin_bit_cast(Value, v); }
cn_value to(Value v) { return __builtin_bit_cast(cn_value, v); }
const Value* values(const cn_value* v) { return reinterpret_cast<const Value*>(v); }

// Whether the context is as before; else the interpreter will do it again.
bool fine(cn_batch* b, NativeContext& cx) {
  if (CHANCEL_LIKELY(cx.ok())) return true;
  cx.status = NativeContext::Status::Ok;
  b->status = 1;
  return false;
}

extern "C" {
static cn_object* do_allocate(cn_batch* b, std::uint64_t tag, std::size_t bytes) {
  return reinterpret_cast<cn_object*>(context(b).arena->allocate(static_cast<Tag>(tag), bytes));
}
static cn_value do_native(cn_batch* b, const void* native, const cn_value* args,
                          std::uint32_t count) {
  NativeContext& cx = context(b);
  const auto* def = static_cast<const NativeDef*>(native);
  cx.callee = def;
  cx.world = static_cast<Object*>(b->world);
  const Value v = def->function(cx, values(args), count);
  b->world = cx.world;
  fine(b, cx);
  return to(v);
}
static cn_value do_sample(cn_batch* b, cn_value dist, cn_stream* stream) {
  const Value d = from(dist);
  if (!d.is(Tag::Dist)) {
    b->status = 1;
    return dist;
  }
  NativeContext& cx = context(b);
  cx.world = static_cast<Object*>(b->world);
  const Value v = d.as<Dist>()->type->sample(cx, d.as<Dist>(), *reinterpret_cast<Stream*>(stream));
  fine(b, cx);
  return to(v);
}
static cn_value do_sample_direct(cn_batch* b, const void* type, const cn_value* args,
                                 std::uint32_t count, cn_stream* stream) {
  const auto* t = static_cast<const DistType*>(type);
  Value v = Value::nil();
  if (!t->sample_direct ||
      !t->sample_direct(values(args), count, *reinterpret_cast<Stream*>(stream), &v)) {
    NativeContext& cx = context(b);
    const Value made = t->construct(cx, values(args), count);
    if (!fine(b, cx)) return to(v);
    return do_sample(b, to(made), stream);
  }
  return to(v);
}
static double do_observe(cn_batch* b, cn_value dist, cn_value x) {
  const Value d = from(dist);
  if (!d.is(Tag::Dist) || !d.as<Dist>()->type->log_prob || d.as<Dist>()->type->estimated) {
    b->status = 1;
    return 0;
  }
  NativeContext& cx = context(b);
  cx.world = static_cast<Object*>(b->world);
  const double lp = d.as<Dist>()->type->log_prob(cx, d.as<Dist>(), from(x));
  fine(b, cx);
  return lp;
}
static double do_observe_direct(cn_batch* b, const void* type, const cn_value* args,
                                std::uint32_t count, cn_value x) {
  const auto* t = static_cast<const DistType*>(type);
  double lp = 0;
  if (!t->log_prob_direct || !t->log_prob_direct(values(args), count, from(x), &lp)) b->status = 1;
  return lp;
}
static void do_blocks(std::uint64_t key, std::uint32_t step, std::size_t first, std::uint64_t index,
                      std::uint64_t* words0, std::uint64_t* words1) {
  blocks_of_slots((static_cast<std::uint64_t>(first) << 32) | step, index, key, CN_AHEAD, words0,
                  words1);
}
static double do_draw_normal(cn_stream* stream) {
  return reinterpret_cast<Stream*>(stream)->normal();
}
static const cn_value* do_vector_nth(const cn_vector* v, std::uint32_t index) {
  return reinterpret_cast<const cn_value*>(&vector_nth(reinterpret_cast<const Vector*>(v), index));
}
static cn_value do_vector_conj(cn_batch* b, cn_value vector, cn_value item) {
  return to(vector_conj(*context(b).arena, from(vector), from(item)));
}
// -1: they may hold what is not worked out yet.
static int do_equal(cn_value a, cn_value b) {
  const Value x = from(a);
  const Value y = from(b);
  const auto plain = [](const Value& v) {
    return v.tag < kFirstObject || v.is(Tag::String) || v.is(Tag::Ratio);
  };
  if (!plain(x) || !plain(y)) return -1;
  return equal(x, y);
}
static int do_realised(cn_batch* b, cn_value v) {
  Value copy = from(v);
  if (!copy.is_object()) return 1;
  NativeContext& cx = context(b);
  cx.world = static_cast<Object*>(b->world);
  const std::uint64_t bits = copy.bits;
  const bool ok = ensure_realised(cx, copy) && copy.bits == bits;
  cx.status = NativeContext::Status::Ok;
  return ok;
}
}

class Tier final : public NativeTier {
 public:
  Tier(Segments segments, std::uint32_t leaves)
      : segments_(std::move(segments)),
        compilation_(Compilation::begin(preamble() + segments_.text)),
        leaves_(leaves) {
    segments_.text.clear();
  }

  State look(const Prefix& prefix, Executor& machine, bool wait) override {
    switch (compilation_->look(wait)) {
      case Compilation::State::Running:
        return State::Compiling;
      case Compilation::State::Failed:
        return State::Failed;
      case Compilation::State::Done:
        break;
    }
    library_ = compilation_->library();
    for (std::size_t i = 0; i < segments_.points.size(); ++i) {
      RestPoint& p = *segments_.points[i];
      p.code = this;
      points_.push_back(&p);
      records_.emplace_back();
      functions_.push_back(
          reinterpret_cast<Function>(library_->find(fmt::format("segment_{}", i))));
      if (!functions_.back()) return State::Failed;
    }
    return begin_at(prefix, machine.arena()) ? State::Ready : State::Failed;
  }

  NativeProgress run(Executor& machine, const NativeTurn& turn) override {
    cn_batch b{};
    fill(machine, turn, &b);
    std::size_t stays = turn.begin;
    while (b.begin < turn.end && advance(turn, &b, &stays)) {
    }
    return {b.begin, stays, b.site, b.has_site != 0, b.mixed_sites != 0};
  }

  void adopt(Executor& machine, Execution& x) override {
    if (!x.top || x.top->tag != Tag::Frame) return;
    for (std::size_t i = segments_.points.size(); i-- > 1;) {
      if (records_[i].hopeless()) continue;
      Row* row =
          row_of(machine.arena(), *segments_.points[i], static_cast<const Frame*>(x.top), nullptr);
      if (row) {
        x.top = row;
        return;
      }
    }
  }
  void visit(Evacuator& e) override { first_.visit(e); }

 private:
  using Function = int (*)(cn_batch*);

  bool begin_at(const Prefix& prefix, Arena& arena) {
    const auto* top = static_cast<const Frame*>(prefix.at.top);
    const RestPoint& p = *segments_.points[0];
    Row* row = row_of(arena, p, top, nullptr);
    if (!row) return false;
    if (prefix.kind == Stop::Sample && p.common > 0) {
      // The law of the first draw is the last of the common values, where it does not stand still.
      std::uint32_t used = 0;
      for (const RestFrame& f : p.frames)
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
  const Execution& before(const NativeTurn& turn, std::size_t i) const {
    return turn.fresh ? first_ : turn.from[turn.parents ? turn.parents[i] : i];
  }

  // Behind the last of those that stand where the first stands.
  std::size_t last_of(const NativeTurn& turn, const cn_batch* b, const Common* common) const {
    std::size_t last = b->begin + 1;
    for (; last < b->end; ++last) {
      const Execution& x = before(turn, last);
      if (!x.top || x.top->tag != Tag::Row || static_cast<Row*>(x.top)->common != common) break;
    }
    return last;
  }

  // Runs particles that stand at one point. False: those from b->begin to *stays are the interpreter's.
  bool advance(const NativeTurn& turn, cn_batch* b, std::size_t* stays) const {
    const std::size_t i = b->begin;
    *stays = i + 1;
    b->end = turn.end;
    if (CHANCEL_UNLIKELY(leaves_ != 0)) {
      if ((i + turn.barrier) % leaves_ == 0) return false;
      b->end = i + 1;
      while (b->end < turn.end && (b->end + turn.barrier) % leaves_ != 0) ++b->end;
    }
    const Execution& x = before(turn, i);
    if (!x.top || x.top->tag != Tag::Row || is_dead(turn.log_weights[i])) return false;
    auto* common = static_cast<Row*>(x.top)->common;
    const auto* code = static_cast<const Tier*>(common->point->code);
    b->common = reinterpret_cast<cn_common*>(common);
    b->constants = reinterpret_cast<const cn_value*>(code->segments_.constants.data());
    b->pointers = code->segments_.pointers.data();
    b->points = code->points_.data();
    b->status = 0;
    Record& record = code->records_[common->point->segment];
    if (record.hopeless()) {
      *stays = last_of(turn, b, common);
      return false;
    }
    const int how = code->functions_[common->point->segment](b);
    record.add(b->begin - i + (how == CN_DONE ? b->end - b->begin : 0),
               how == CN_BAIL || how == CN_NONE);
    switch (how) {
      case CN_DONE:
        b->begin = b->end;
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
    b->key = turn.name.key;
    b->step = turn.barrier;
    Arena& arena = machine.arena();
    b->top = arena.top_place();
    b->limit = arena.limit_place();
    b->allocate = do_allocate;
    b->native = do_native;
    b->sample = do_sample;
    b->sample_direct = do_sample_direct;
    b->observe = do_observe;
    b->observe_direct = do_observe_direct;
    b->draw_normal = do_draw_normal;
    b->vector_nth = do_vector_nth;
    b->vector_conj = do_vector_conj;
    b->equal = do_equal;
    b->realised = do_realised;
    b->blocks = do_blocks;
    b->edge = ziggurat::kEdge;
    b->exps = kExpTable;
    b->logs = kLogTable;
    b->self = &machine.context_for(first_);
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
  mutable std::deque<Record> records_;
  std::shared_ptr<Compilation> compilation_;
  std::shared_ptr<Library> library_;
  std::vector<const void*> points_;
  std::vector<Function> functions_;
  Execution first_;
  const std::uint32_t leaves_;  // tests only: every so many-th particle is left to the interpreter
};

}  // namespace

std::unique_ptr<NativeTier> make_tier(const Prefix& prefix, const RunSetup& setup,
                                      Executor& machine) {
  if (!prefix.at.top || setup.source) return nullptr;
  NativeContext& cx = machine.context_for(prefix.at);
  Segments segments = translate(prefix, setup.image->globals.data(), &machine.arena().heap(), cx);
  if (!segments.worthwhile) return nullptr;
  return std::make_unique<Tier>(std::move(segments), setup.native_leaves);
}

}  // namespace chancel::native
