// SPDX-License-Identifier: Apache-2.0
// See batch_services.hpp.
#include "segment/batch_services.hpp"

#include <algorithm>

#include "math/elementary.hpp"
#include "random/blocks.hpp"
#include "random/stream.hpp"
#include "random/ziggurat_table.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "vm/execution.hpp"
#include "vm/frame.hpp"
#include "vm/row.hpp"
#include "vm/row_space.hpp"

namespace chancel::segment {

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

// What runs without an end in sight looks whether to stop, soon after it has taken much memory.
void look_at_memory(cn_batch* b) {
  if (b->should_stop && context(b).arena->mark().blocks > b->most_blocks) b->calls_left = -1;
}

extern "C" {
static cn_object* do_allocate(cn_batch* b, std::uint64_t tag, std::size_t bytes) {
  look_at_memory(b);
  return reinterpret_cast<cn_object*>(context(b).arena->allocate(static_cast<Tag>(tag), bytes));
}
static cn_object* do_allocate_row(cn_batch* b, std::size_t bytes) {
  if (!b->rows) return do_allocate(b, static_cast<std::uint64_t>(Tag::Row), bytes);
  return reinterpret_cast<cn_object*>(static_cast<RowSpace*>(b->rows)->allocate_slow(bytes));
}
static cn_common* do_keep_common(cn_batch* b, cn_common* made, int only_common) {
  if (!b->commons) return made;
  auto& commons = *static_cast<std::vector<KeptCommon>*>(b->commons);
  const auto* const origin = reinterpret_cast<const Common*>(b->common);
  auto* const common = reinterpret_cast<Common*>(made);
  constexpr std::size_t kLooks = 16;  // where there are more, particles are not run together anyway
  std::size_t looks = std::min(commons.size(), kLooks);
  for (auto kept = commons.rbegin(); looks > 0; ++kept, --looks)
    if (kept->origin == origin && kept->world == b->batch_world &&
        kept->made->point == common->point &&
        (kept->only_common || same_common(kept->made, common)))
      return reinterpret_cast<cn_common*>(kept->made);
  commons.push_back({origin, b->batch_world, common, only_common != 0});
  return made;
}
// The particles from i on stop as headerless rows, in the last block if its rows are alike, else in
// a new one. Particles that do not fit are another batch.
static void do_open_rows(cn_batch* b, std::size_t i, cn_common* made, std::size_t bytes,
                         void* predicts, std::uint64_t applications) {
  auto& blocks = *static_cast<std::vector<RowBlock>*>(b->blocks_to);
  auto* const common = reinterpret_cast<Common*>(made);
  const Execution sides{nullptr, static_cast<World*>(b->world), static_cast<Predicts*>(predicts),
                        applications};
  const auto alike = [&](const RowBlock& last) {
    return last.end == i && last.room > i && last.bytes == bytes &&
           last.sides.world == sides.world && last.sides.predicts == sides.predicts &&
           last.sides.applications == sides.applications && same_common(last.common, common);
  };
  if (blocks.empty() || !alike(blocks.back())) {
    auto& space = *static_cast<RowSpace*>(b->rows);
    if (!blocks.empty()) blocks.back().give_room_back(space);
    constexpr std::size_t kMost = kBlockSize - sizeof(Block);
    const std::size_t count = std::min(b->blocks_end - i, bytes ? kMost / bytes : kMost);
    char* const rows = count > 0 ? space.take(count * bytes) : nullptr;
    if (!rows) return;
    blocks.push_back({i, i, i + count, bytes, rows, common->point, common, sides});
  }
  b->rows_to = blocks.back().rows;
  b->rows_to_first = blocks.back().begin;
  b->end = std::min(b->end, blocks.back().room);
}
static cn_value do_native(cn_batch* b, const void* native, const cn_value* args,
                          std::uint32_t count) {
  NativeContext& cx = context(b);
  const auto* def = static_cast<const NativeDef*>(native);
  cx.callee = def;
  cx.world = static_cast<World*>(b->world);
  const Value v = def->function(cx, values(args), count);
  b->world = cx.world;
  look_at_memory(b);
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
  cx.world = static_cast<World*>(b->world);
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
    cx.world = static_cast<World*>(b->world);
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
  cx.world = static_cast<World*>(b->world);
  const double lp = d.as<Dist>()->type->log_prob(cx, d.as<Dist>(), from(x));
  fine(b, cx);
  return lp;
}
static double do_score_draw(cn_batch* b, cn_value dist, cn_value x, std::size_t k) {
  const Value d = from(dist);
  if (!d.is(Tag::Dist) || !d.as<Dist>()->type->fit) return do_observe(b, dist, x);
  NativeContext& cx = context(b);
  cx.world = static_cast<World*>(b->world);
  const Fit fit = d.as<Dist>()->type->fit(cx, d.as<Dist>(), from(x));
  if (fine(b, cx) && fit.part != b->given_parts[k]) b->status = 1;
  return fit.log_prob;
}
static cn_value do_construct(cn_batch* b, const void* type, const cn_value* args,
                             std::uint32_t count) {
  NativeContext& cx = context(b);
  cx.world = static_cast<World*>(b->world);
  const Value made = static_cast<const DistType*>(type)->construct(cx, values(args), count);
  fine(b, cx);
  return to(made);
}
static double do_observe_direct(cn_batch* b, const void* type, const cn_value* args,
                                std::uint32_t count, cn_value x) {
  const auto* t = static_cast<const DistType*>(type);
  double lp = 0;
  if (!t->log_prob_direct || !t->log_prob_direct(values(args), count, from(x), &lp)) b->status = 1;
  return lp;
}
static void do_blocks(const cn_batch* b, std::size_t first, std::uint64_t index,
                      std::uint64_t* words0, std::uint64_t* words1) {
  blocks_of_slots((static_cast<std::uint64_t>(first) << 32) | b->step, index, b->key,
                  std::min<std::size_t>(CN_AHEAD, b->end - first), words0, words1);
}
static std::uint64_t do_next_of_source(cn_stream* stream) {
  return reinterpret_cast<Stream*>(stream)->next();
}
static double do_draw_normal(cn_stream* stream) {
  return reinterpret_cast<Stream*>(stream)->normal();
}
static cn_value do_vector_nth(const cn_vector* v, std::uint32_t index) {
  return to(vector_nth(reinterpret_cast<const Vector*>(v), index));
}
static cn_value do_vector_conj(cn_batch* b, cn_value vector, cn_value item) {
  look_at_memory(b);
  return to(vector_conj(*context(b).arena, from(vector), from(item)));
}
// -1: they may hold what is not worked out yet.
static int do_equal(cn_value a, cn_value b) {
  const Value x = from(a);
  const Value y = from(b);
  const auto plain = [](const Value& v) {
    return v.tag < kFirstObject || v.is(Tag::String) || v.is(Tag::Ratio) || v.is(Tag::BigInt);
  };
  if (!plain(x) || !plain(y)) return -1;
  return equal(x, y);
}
static int do_realised(cn_batch* b, cn_value v) {
  Value copy = from(v);
  if (!copy.is_object()) return 1;
  NativeContext& cx = context(b);
  cx.world = static_cast<World*>(b->world);
  const std::uint64_t bits = copy.bits;
  const bool ok = ensure_realised(cx, copy) && copy.bits == bits;
  cx.status = NativeContext::Status::Ok;
  return ok;
}
}

}  // namespace

void close_rows(std::size_t particle, RowSpace& space, std::vector<RowBlock>& blocks) {
  RowBlock& last = blocks.back();
  last.end = particle;
  if (particle != last.begin) return;
  last.give_room_back(space);
  blocks.pop_back();
}

void fill_services(NativeContext& cx, RowSpace* rows, cn_batch* b) {
  Arena& arena = *cx.arena;
  b->top = arena.top_place();
  b->limit = arena.limit_place();
  b->rows = rows;
  b->row_top = rows ? rows->top_place() : b->top;
  b->row_limit = rows ? rows->limit_place() : b->limit;
  b->allocate = do_allocate;
  b->allocate_row = do_allocate_row;
  b->keep_common = do_keep_common;
  b->open_rows = do_open_rows;
  b->native = do_native;
  b->sample = do_sample;
  b->sample_direct = do_sample_direct;
  b->observe = do_observe;
  b->observe_direct = do_observe_direct;
  b->score_draw = do_score_draw;
  b->construct = do_construct;
  b->next_of_source = do_next_of_source;
  b->draw_normal = do_draw_normal;
  b->vector_nth = do_vector_nth;
  b->vector_conj = do_vector_conj;
  b->equal = do_equal;
  b->realised = do_realised;
  b->blocks = do_blocks;
  b->edge = ziggurat::kEdge;
  b->exps = kExpTable;
  b->logs = kLogTable;
  b->self = &cx;
}

}  // namespace chancel::segment
