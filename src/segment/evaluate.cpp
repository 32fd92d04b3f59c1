// SPDX-License-Identifier: Apache-2.0
// See evaluate.hpp. Kernels come first: they define names of their own.
#include "segment/kernels_here.hpp"
//
#include <cmath>
#include <map>
#include <vector>

#include "math/elementary.hpp"
#include "segment/evaluate.hpp"
#include "vm/row.hpp"

namespace chancel::segment {

namespace {

constexpr std::uint64_t kMostSteps = 1u << 20;  // as emitted code has them

// What happened to the particle, or to the batch, at an instruction.
enum class After : std::uint8_t { Next, Left, Rested };

class Evaluation {
 public:
  Evaluation(const Function& f, cn_batch* batch) : f_(f), b(batch), v_(f.values.size()) {
    for (std::size_t k = 0; k < v_.size(); ++k)
      if (f[static_cast<ValueId>(k)].is_constant)
        v_[k] = __builtin_bit_cast(cn_value, f[static_cast<ValueId>(k)].constant);
    stream_.key = b->key;
    stream_.source = b->source;
  }

  int run() {
    if (!choose_path()) return CN_NONE;
    for (i_ = b->begin; i_ < b->end; ++i_) {
      const std::uint32_t bytes = 16 * f_.row_values + 8 * (f_.row_pointers + f_.row_numbers);
      const void* const before = cn_before(b, i_, bytes, CN_NUMBER_FIRST, 1, &x_);
      if (!before) return end(CN_OTHER);
      if (before != last_) {
        row_ = cn_values_of(b, before, 1);
        if (!row_) return end(CN_OTHER);
        b->world = x_->world;
        if (!section(Rate::Family)) return end(CN_BAIL);
        last_ = before;
      }
      b->world = x_->world;
      applications_ = x_->applications;
      predicts_ = x_->predicts;
      if (f_.form == Form::Future) sum_ = b->log_weight[i_];
      taken_ = 0;
      cn_begin_draws(b, i_, &stream_, ahead_);
      key_ = 0;
      if (!particle()) return end(CN_BAIL);
      if (b->drawn) b->drawn[i_] = stream_.drawn;
      if (b->keys) b->keys[i_] = key_;
    }
    return end(CN_DONE);
  }

 private:
  int end(int how) {
    if (how != CN_DONE) b->begin = i_;
    b->made += made_;
    b->ended += ended_;
    return how;
  }

  // The batch's own code, and the straight blocks that its particles go through.
  bool choose_path() {
    BlockId at = 0;
    for (;;) {
      path_.push_back(at);
      if (!code(f_.blocks[at], Rate::Batch)) return false;
      const Instruction& last = f_.blocks[at].code.back();
      if (last.merge != kNoBlock) {
        if (last.rate == Rate::Batch && region(at, last.merge) != After::Next) return false;
        at = last.merge;
      } else if (last.opcode == Opcode::Branch && last.rate == Rate::Batch) {
        at = last.targets[v_[last.operands[0]].u.i ? 0 : 1];
      } else if (last.opcode == Opcode::Jump && f_.blocks[last.targets[0]].straight) {
        at = last.targets[0];
      } else {
        return true;
      }
    }
  }

  bool code(const segment::Block& block, Rate rate) {
    for (const Instruction& i : block.code)
      if (i.rate == rate && !about(i.opcode).ends && operation(i) != After::Next) return false;
    return true;
  }
  bool section(Rate rate) {
    for (const BlockId at : path_) {
      if (!code(f_.blocks[at], rate)) return false;
      const Instruction& last = f_.blocks[at].code.back();
      if (last.merge != kNoBlock && last.rate == rate && region(at, last.merge) != After::Next)
        return false;
    }
    return true;
  }
  // From the branch that ends a block to the block where its ways meet.
  After region(BlockId from, BlockId merge) {
    BlockId at = follow(f_.blocks[from].code.back());
    while (at != merge) {
      const After after = whole(f_.blocks[at]);
      if (after != After::Next) return after;
      at = follow(f_.blocks[at].code.back());
    }
    return After::Next;
  }
  After whole(const segment::Block& block) {
    for (const Instruction& i : block.code) {
      if (i.opcode == Opcode::Jump || i.opcode == Opcode::Branch) return After::Next;
      if (const After after = operation(i); after != After::Next) return after;
    }
    return After::Left;
  }
  // Takes a jump or branch.
  BlockId follow(const Instruction& last) {
    if (last.opcode == Opcode::Branch) return last.targets[v_[last.operands[0]].u.i ? 0 : 1];
    const std::vector<ValueId>& to = f_.blocks[last.targets[0]].parameters;
    moved_.clear();
    for (const ValueId from : last.operands) moved_.push_back(v_[from]);
    for (std::size_t k = 0; k < to.size(); ++k) v_[to[k]] = moved_[k];
    return last.targets[0];
  }
  bool particle() {
    ended_here_ = false;
    if (!section(Rate::Particle)) return ended_here_;
    BlockId at = path_.back();
    for (;;) {
      const Instruction& last = f_.blocks[at].code.back();
      if (last.opcode != Opcode::Jump && last.opcode != Opcode::Branch)
        return operation(last) == After::Rested;
      at = follow(last);
      for (const Instruction& i : f_.blocks[at].code) {
        if (about(i.opcode).ends) break;
        if (const After after = operation(i); after != After::Next) return after == After::Rested;
      }
    }
  }

  // --- operands ---
  cn_value& any(const Instruction& i, std::size_t k) { return v_[i.operands[k]]; }
  std::int64_t integer(const Instruction& i, std::size_t k) { return any(i, k).u.i; }
  double real(const Instruction& i, std::size_t k) { return any(i, k).u.d; }
  bool truth(const Instruction& i, std::size_t k) { return any(i, k).u.i != 0; }
  template <class T>
  const T* object(const Instruction& i, std::size_t k) {
    return static_cast<const T*>(any(i, k).u.o);
  }
  const cn_value* list(const Instruction& i, std::size_t count) {
    arguments_.clear();
    for (std::size_t k = 0; k < count; ++k) arguments_.push_back(any(i, k));
    return arguments_.data();
  }
  static const void* address(const cn_value& v) { return v.u.o; }

  // --- results ---
  After give(const Instruction& i, cn_value v) {
    v_[i.result] = v;
    return After::Next;
  }
  After give_bool(const Instruction& i, bool yes) { return give(i, cn_bool(yes)); }
  After give_int(const Instruction& i, std::int64_t n) { return give(i, cn_int(n)); }
  After give_real(const Instruction& i, double x) { return give(i, cn_real(x)); }
  After give_address(const Instruction& i, const void* p) {
    return give(i, cn_make(CN_NIL, reinterpret_cast<std::uintptr_t>(p)));
  }
  After fine() const { return b->status == 0 ? After::Next : After::Left; }
  static After unless(bool fails) { return fails ? After::Left : After::Next; }
  template <class... Rest>
  After called(const Instruction& i, cn_value v) {
    v_[i.result] = v;
    return fine();
  }
  After scored(const Instruction& i, double x) { return called(i, cn_real(x)); }

  After operation(const Instruction& i);
  After rest(const Instruction& i);
  After finish(const Instruction& i);
  After add_density(double lp);
  After score_table(const Instruction& i);

  const Function& f_;
  cn_batch* const b;  // the name that the kernels' macros have for it
  std::vector<cn_value> v_;
  std::vector<cn_value> moved_, arguments_;
  std::vector<BlockId> path_;
  std::map<std::pair<std::uint32_t, std::vector<ValueId>>, cn_common*> commons_;
  std::map<ValueId, std::vector<double>> score_tables_;
  std::size_t i_ = 0;
  const cn_execution* x_ = nullptr;
  const void* last_ = nullptr;
  const cn_value* row_ = nullptr;
  std::uint64_t applications_ = 0, made_ = 0, steps_ = 0;
  std::size_t ended_ = 0;
  void* predicts_ = nullptr;
  double key_ = 0, sum_ = 0;
  std::uint64_t taken_ = 0;
  bool ended_here_ = false;
  cn_stream stream_{};
  std::uint64_t ahead_[2][CN_AHEAD];
};

After Evaluation::operation(const Instruction& i) {
  switch (i.opcode) {
    // --- conversions ---
    case Opcode::Box: {
      const Type type = f_[i.operands[0]].type;
      const cn_value x = any(i, 0);
      return give(i, type == Type::Int    ? cn_int(x.u.i)
                     : type == Type::Bool ? cn_bool(x.u.i != 0)
                                          : cn_real(x.u.d));
    }
    case Opcode::Unbox:
      return give(i, any(i, 0));
    case Opcode::ToDouble:
      return give_real(i, static_cast<double>(integer(i, 0)));
    case Opcode::Truth:
      return give_bool(i, cn_truthy(any(i, 0)));
    case Opcode::HasTag:
      return give_bool(i, any(i, 0).tag == static_cast<std::uint64_t>(i.tag));
    case Opcode::Is:
      return give_bool(i, any(i, 0).tag == any(i, 1).tag && any(i, 0).u.bits == any(i, 1).u.bits);
    case Opcode::IsNumber:
      return give_bool(i, any(i, 0).tag == CN_INT || any(i, 0).tag == CN_DOUBLE);
    case Opcode::IsClosure:
      return give_bool(i, object<cn_closure>(i, 0)->proto == i.object);
    case Opcode::IsDist:
      return give_bool(i, any(i, 0).tag == CN_DIST && object<cn_dist>(i, 0)->type == i.object);
    case Opcode::RealOf: {
      double x = 0;
      if (!cn_number(any(i, 0), &x)) return After::Left;
      return give_real(i, x);
    }
    case Opcode::SameValue: {
      const int same = b->equal(any(i, 0), any(i, 1));
      if (same < 0) return After::Left;
      return give_bool(i, same != 0);
    }
    // --- numbers ---
    case Opcode::AddInt:
    case Opcode::SubInt:
    case Opcode::MulInt: {
      std::int64_t n = 0;
      const std::int64_t x = integer(i, 0), y = integer(i, 1);
      const bool over = i.opcode == Opcode::AddInt   ? __builtin_add_overflow(x, y, &n)
                        : i.opcode == Opcode::SubInt ? __builtin_sub_overflow(x, y, &n)
                                                     : __builtin_mul_overflow(x, y, &n);
      if (over) return After::Left;
      return give_int(i, n);
    }
    case Opcode::Next:
      return give_int(i, integer(i, 0) + 1);
    case Opcode::Plus:
      return give_int(i, integer(i, 0) + integer(i, 1));
    case Opcode::CanDivide:
      return give_bool(i,
                       integer(i, 1) != 0 && (integer(i, 1) != -1 || integer(i, 0) != INT64_MIN));
    case Opcode::Quot:
      return give_int(i, integer(i, 0) / integer(i, 1));
    case Opcode::Rem:
      return give_int(i, integer(i, 0) % integer(i, 1));
    case Opcode::Mod: {
      const std::int64_t y = integer(i, 1), r = integer(i, 0) % y;
      return give_int(i, r + (r != 0 && (r < 0) != (y < 0) ? y : 0));
    }
    case Opcode::Negate:
      return give_int(i, -integer(i, 0));
    case Opcode::BitAnd:
      return give_int(i, integer(i, 0) & integer(i, 1));
    case Opcode::BitOr:
      return give_int(i, integer(i, 0) | integer(i, 1));
    case Opcode::BitXor:
      return give_int(i, integer(i, 0) ^ integer(i, 1));
    case Opcode::Add:
      return give_real(i, real(i, 0) + real(i, 1));
    case Opcode::Sub:
      return give_real(i, real(i, 0) - real(i, 1));
    case Opcode::Mul:
      return give_real(i, real(i, 0) * real(i, 1));
    case Opcode::Div:
      return give_real(i, real(i, 0) / real(i, 1));
    case Opcode::Abs:
      return give_real(i, std::fabs(real(i, 0)));
    case Opcode::Sqrt:
      return give_real(i, std::sqrt(real(i, 0)));
    case Opcode::Exp:
      return give_real(i, math::exp(real(i, 0)));
    case Opcode::Log:
      return give_real(i, math::log(real(i, 0)));
    case Opcode::Truncate:
      return give_int(i, static_cast<std::int64_t>(real(i, 0)));
    case Opcode::Less:
      return give_bool(i, f_[i.operands[0]].type == Type::Int ? integer(i, 0) < integer(i, 1)
                                                              : real(i, 0) < real(i, 1));
    case Opcode::LessEqual:
      return give_bool(i, f_[i.operands[0]].type == Type::Int ? integer(i, 0) <= integer(i, 1)
                                                              : real(i, 0) <= real(i, 1));
    case Opcode::Equal:
      return give_bool(i, f_[i.operands[0]].type == Type::Double ? real(i, 0) == real(i, 1)
                                                                 : integer(i, 0) == integer(i, 1));
    case Opcode::Not:
      return give_bool(i, !truth(i, 0));
    case Opcode::And:
      return give_bool(i, truth(i, 0) && truth(i, 1));
    case Opcode::Select:
      return give(i, truth(i, 0) ? any(i, 1) : any(i, 2));
    case Opcode::Guard:
      return unless(!truth(i, 0));
    // --- objects ---
    case Opcode::Captured:
      return give(i, object<cn_closure>(i, 0)->captured[i.number]);
    case Opcode::Count:
      return give_int(i, object<cn_vector>(i, 0)->count);
    case Opcode::InRange:
      return give_bool(
          i, static_cast<std::uint64_t>(integer(i, 0)) < static_cast<std::uint64_t>(integer(i, 1)));
    case Opcode::Nth:
      return give(i, cn_nth(b, object<cn_vector>(i, 0), static_cast<std::uint32_t>(integer(i, 1))));
    case Opcode::Elements:
      return give_address(i, object<cn_vector>(i, 0)->tail);
    case Opcode::Element:
      return give(i, static_cast<const cn_value*>(address(any(i, 0)))[integer(i, 1)]);
    case Opcode::HasMeta:
      return give_bool(i, (object<cn_object>(i, 0)->flags & CN_HAS_META) != 0);
    case Opcode::Conj:
      return give(i, cn_conj(b, any(i, 0), any(i, 1)));
    case Opcode::Find:
      return give_int(i, cn_find(any(i, 0), any(i, 1)));
    case Opcode::Entry:
      return give(i, object<cn_array_map>(i, 0)->entries[2 * integer(i, 1) + 1]);
    case Opcode::Get:
      return called(i, cn_get(b, i.object, any(i, 0), any(i, 1), any(i, 2),
                              static_cast<std::uint32_t>(i.number)));
    case Opcode::Assoc:
      return called(i, cn_assoc(b, i.object, any(i, 0), any(i, 1), any(i, 2)));
    case Opcode::Call:
    case Opcode::CallOnWorld: {
      const auto count = static_cast<std::uint32_t>(i.operands.size());
      return called(i, b->native(b, i.object, list(i, count), count));
    }
    case Opcode::HasWorld:
      return give_bool(i, b->world != nullptr);
    case Opcode::MakeClosure: {
      const std::size_t count = i.operands.size() - 1;
      auto* const c = static_cast<cn_closure*>(
          cn_new(b, CN_CLOSURE, offsetof(cn_closure, captured) + count * sizeof(cn_value)));
      c->proto = i.object;
      c->head.aux = static_cast<std::uint16_t>(integer(i, 0));
      for (std::size_t k = 0; k < count; ++k) c->captured[k] = any(i, k + 1);
      return give(i, cn_make(CN_CLOSURE, reinterpret_cast<std::uintptr_t>(c)));
    }
    case Opcode::MakeDist: {
      const auto values = static_cast<std::size_t>(i.number);
      const std::size_t numbers = i.operands.size() - values;
      auto* const d = static_cast<cn_dist*>(
          cn_new(b, CN_DIST,
                 offsetof(cn_dist, values) + values * sizeof(cn_value) + numbers * sizeof(double)));
      d->type = i.object;
      d->value_count = static_cast<std::uint32_t>(values);
      d->number_count = static_cast<std::uint32_t>(numbers);
      for (std::size_t k = 0; k < values; ++k) d->values[k] = any(i, k);
      auto* const to = reinterpret_cast<double*>(d->values + values);
      for (std::size_t k = 0; k < numbers; ++k) to[k] = real(i, values + k);
      return give(i, cn_make(CN_DIST, reinterpret_cast<std::uintptr_t>(d)));
    }
    case Opcode::NumberOf:
      return give_real(i, cn_numbers(object<cn_dist>(i, 0))[i.number]);
    // --- state ---
    case Opcode::Mark:
      return give_int(
          i, static_cast<std::uint16_t>(
                 ((applications_ + static_cast<std::uint64_t>(i.number)) * 0x9e3779b97f4a7c15ull) >>
                 48));
    case Opcode::CountApplications:
      applications_ += static_cast<std::uint64_t>(i.number);
      return After::Next;
    case Opcode::Realised:
      return unless(!b->realised(b, any(i, 0)));
    case Opcode::Predict: {
      auto* const p = static_cast<cn_predicts*>(cn_new(b, CN_PREDICTS, sizeof(cn_predicts)));
      p->previous = predicts_;
      p->label = any(i, 0);
      p->value = any(i, 1);
      predicts_ = p;
      return After::Next;
    }
    case Opcode::Steps:
      return unless(++steps_ > kMostSteps);
    // --- draws ---
    case Opcode::DrawNormal: {
      const double noise = cn_normal(b, &stream_);
      return give_real(i, real(i, 0) + real(i, 1) * noise);
    }
    case Opcode::DrawUniform:
      return give_real(i, cn_draw_uniform(b, real(i, 0), real(i, 1), &stream_));
    case Opcode::DrawFlip:
      return give_bool(i, cn_uniform(b, &stream_) < real(i, 0));
    case Opcode::DrawIndex:
      return give_int(i, cn_discrete(b, object<cn_dist>(i, 0), &stream_));
    case Opcode::DrawGamma:
      return scored(i, cn_draw_gamma(b, any(i, 0), &stream_));
    case Opcode::DrawSeat:
      return called(i, cn_crp_sample(b, any(i, 0), i.object, i.other, &stream_));
    case Opcode::DrawFrom:
      return called(i, b->sample(b, any(i, 0), &stream_));
    case Opcode::DrawDirect: {
      const auto count = static_cast<std::uint32_t>(i.operands.size());
      return called(i, b->sample_direct(b, i.object, list(i, count), count, &stream_));
    }
    case Opcode::SetKey:
      key_ = f_[i.operands[0]].type == Type::Int ? static_cast<double>(integer(i, 0)) : real(i, 0);
      return After::Next;
    case Opcode::SetKeyOf:
      cn_drawn_last(any(i, 0), &key_);
      return After::Next;
    // --- scores ---
    case Opcode::ScoreNormal:
      return give_real(i, cn_normal_score(object<cn_dist>(i, 0), real(i, 1)));
    case Opcode::ScoreIndex:
      return give_real(i, cn_discrete_score(b, object<cn_dist>(i, 0), integer(i, 1)));
    case Opcode::ScoreFlip:
      return give_real(i, cn_flip_score(object<cn_dist>(i, 0), truth(i, 1)));
    case Opcode::ScoreUniform:
      return give_real(i, cn_uniform_score(object<cn_dist>(i, 0), real(i, 1)));
    case Opcode::ScoreLikely:
      if (any(i, 0).tag == CN_DIST && object<cn_dist>(i, 0)->type == i.object)
        return give_real(i, cn_normal_score(object<cn_dist>(i, 0), real(i, 1)));
      return scored(i, b->observe(b, any(i, 0), any(i, 2)));
    case Opcode::ScoreSeat:
      return scored(i, cn_crp_score(b, any(i, 0), any(i, 1), i.object, i.other));
    case Opcode::Score:
      return scored(i, b->observe(b, any(i, 0), any(i, 1)));
    case Opcode::ScoreDirect: {
      const auto count = static_cast<std::uint32_t>(i.operands.size() - 1);
      return scored(i, b->observe_direct(b, i.object, list(i, count), count, any(i, count)));
    }
    case Opcode::MakeFrom: {
      const auto count = static_cast<std::uint32_t>(i.operands.size());
      return called(i, b->construct(b, i.object, list(i, count), count));
    }
    case Opcode::AbsorbSeat:
      return called(i, cn_crp_absorb(b, any(i, 0), any(i, 1), i.object, i.other));
    case Opcode::ScoreTable:
      return score_table(i);
    case Opcode::TableEntry:
      return give_real(i, static_cast<const double*>(address(any(i, 0)))[integer(i, 1)]);
    // --- given draws ---
    case Opcode::Taken:
      return give_int(i, static_cast<std::int64_t>(taken_));
    case Opcode::CountDraws:
      taken_ += static_cast<std::uint64_t>(i.number);
      return After::Next;
    case Opcode::TypeOf:
      return give_address(i, object<cn_dist>(i, 0)->type);
    case Opcode::TypeAt:
      return give_address(i, i.object);
    case Opcode::GivenDraw: {
      const cn_value* const draw =
          cn_given(b, static_cast<std::size_t>(integer(i, 0)), i.number, address(any(i, 1)));
      if (!draw) return After::Left;
      return give_address(i, draw);
    }
    case Opcode::GivenValue:
      return give(i, *static_cast<const cn_value*>(address(any(i, 0))));
    case Opcode::ScoreGiven:
      return scored(
          i, b->score_draw(b, any(i, 0), any(i, 1), static_cast<std::size_t>(integer(i, 2))));
    case Opcode::AddDensity:
      return add_density(real(i, 0));
    case Opcode::EndOfGiven:
      return unless(b->given_count != static_cast<std::size_t>(integer(i, 0)) ||
                    (b->given_last != 0) != (i.number != 0));
    case Opcode::SumOfDensities:
      return give_real(i, sum_);
    // --- rows ---
    case Opcode::LoadCommon:
      return give(i, b->common->values[i.number]);
    case Opcode::LoadRow: {
      const auto* const words = reinterpret_cast<const std::uint64_t*>(row_ + f_.row_values);
      const auto place = static_cast<std::size_t>(i.number);
      if (static_cast<SlotIn>(i.index) == SlotIn::Value) return give(i, row_[place]);
      if (static_cast<SlotIn>(i.index) == SlotIn::Pointer)
        return give(i, cn_make(static_cast<std::uint64_t>(i.tag), words[place]));
      return give(i, cn_make(CN_INT, words[f_.row_pointers + place]));
    }
    // --- ends ---
    case Opcode::Rest:
      return rest(i);
    case Opcode::Finish:
      return finish(i);
    case Opcode::FinishGiven:
      b->score[i_] = sum_;
      b->to[i_].top = nullptr;
      ++ended_;
      return After::Rested;
    default:  // functions and loops are not evaluated
      return After::Left;
  }
}

After Evaluation::add_density(double lp) {
  if (std::fabs(lp) < CN_INFINITY) {
    sum_ += lp;
    return After::Next;
  }
  if (lp != -CN_INFINITY) return After::Left;
  b->score[i_] = lp;
  b->to[i_].top = nullptr;
  ++ended_;
  ended_here_ = true;
  return After::Rested;
}

After Evaluation::score_table(const Instruction& i) {
  std::vector<double>& table = score_tables_[i.result];
  table.resize(static_cast<std::size_t>(i.number));
  const Type type = f_[i.operands[1]].type;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const cn_value d = cn_nth(b, object<cn_vector>(i, 0), static_cast<std::uint32_t>(k));
    const auto* const dist = static_cast<const cn_dist*>(d.u.o);
    table[k] = type == Type::Double ? cn_normal_score(dist, real(i, 1))
               : type == Type::Int  ? cn_discrete_score(b, dist, integer(i, 1))
                                    : cn_score_or_none(b, d, any(i, 2));
  }
  return give_address(i, table.data());
}

After Evaluation::finish(const Instruction& i) {
  cn_execution* const y = &b->to[i_];
  const std::uint64_t all = applications_ + static_cast<std::uint64_t>(i.number);
  b->results[i_] = any(i, 0);
  y->top = nullptr;
  y->world = b->world;
  y->predicts = predicts_;
  y->applications = all;
  made_ += all - x_->applications;
  ++ended_;
  return After::Rested;
}

After Evaluation::rest(const Instruction& i) {
  const RestPlan& r = f_.rests[static_cast<std::size_t>(i.number)];
  const std::size_t bytes = 16 * r.values + 8 * (r.pointers + r.numbers);
  const double score = r.given ? sum_ + real(i, 0) : real(i, 0);
  const std::uint64_t all = applications_ + r.applications;
  cn_common*& common =
      commons_[{r.point, {i.operands.begin() + 1, i.operands.begin() + 1 + r.common}}];
  if (!common) {
    cn_common* const made = cn_common_at(b, r.point, r.site, r.common);
    for (std::size_t k = 0; k < r.common; ++k) made->values[k] = any(i, 1 + k);
    common = b->keep_common(b, made, r.only_common);
    if (r.together && b->blocks_to) b->open_rows(b, i_, common, bytes, predicts_, all);
  }
  cn_value* const values = r.together && b->rows_to ? cn_rest_in_block(b, i_, bytes, score)
                                                    : cn_rest(b, i_, common, sizeof(cn_row) + bytes,
                                                              r.values, predicts_, all, score);
  std::size_t at = 1 + r.common;
  for (std::size_t k = 0; k < r.values; ++k) values[k] = any(i, at++);
  auto* const words = reinterpret_cast<std::uint64_t*>(values + r.values);
  for (std::size_t k = 0; k < r.pointers + r.numbers; ++k) words[k] = any(i, at++).u.bits;
  made_ += all - x_->applications;
  return After::Rested;
}

}  // namespace

int evaluate(const Function& function, cn_batch* batch) {
  return Evaluation(function, batch).run();
}

}  // namespace chancel::segment
