// SPDX-License-Identifier: Apache-2.0
// The rules of the form (ir.hpp). Debug builds check them after lowering and after each pass.
#include <fmt/format.h>

#include <algorithm>

#include "segment/dominators.hpp"
#include "segment/ir.hpp"

namespace chancel::segment {

namespace {

class Verifier {
 public:
  explicit Verifier(const Function& f) : f_(f), dominators_(f) {}

  std::string run() {
    if (f_.blocks.empty()) return "there are no blocks";
    if (!f_.blocks[0].parameters.empty()) return "the first block has parameters";
    if (!find_definitions()) return problem_;
    for (BlockId b = 0; b < f_.blocks.size(); ++b)
      if (dominators_.reachable(b) && !block(b)) return fmt::format("b{}: {}", b, problem_);
    return "";
  }

 private:
  struct Place {
    BlockId block = kNoBlock;
    std::size_t at = 0;  // of the instruction plus one; 0: a parameter
  };

  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool define(ValueId v, Place place) {
    if (v >= f_.values.size()) return fail(fmt::format("there is no v{}", v));
    if (f_[v].is_constant) return fail(fmt::format("the constant v{} is assigned", v));
    if (definitions_[v].block != kNoBlock) return fail(fmt::format("v{} is assigned twice", v));
    definitions_[v] = place;
    return true;
  }
  bool find_definitions() {
    definitions_.resize(f_.values.size());
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (const ValueId p : f_.blocks[b].parameters)
        if (!define(p, {b, 0})) return false;
      for (std::size_t i = 0; i < f_.blocks[b].code.size(); ++i)
        if (const ValueId v = f_.blocks[b].code[i].result; v != kNoValue && !define(v, {b, i + 1}))
          return false;
    }
    return true;
  }

  bool use(const Instruction& i, ValueId v, BlockId b, std::size_t at) {
    if (v >= f_.values.size()) return fail(fmt::format("there is no v{}", v));
    if (f_[v].is_constant) return true;
    const Place d = definitions_[v];
    if (d.block == kNoBlock) return fail(fmt::format("v{} is never assigned", v));
    if (d.block == b ? d.at > at : !dominators_.dominates(d.block, b))
      return fail(fmt::format("v{} is used before it is assigned", v));
    if (f_[v].rate > i.rate && i.opcode != Opcode::Jump)
      return fail(fmt::format("{} uses v{} of {} rate", print(f_, i), v, name_of(f_[v].rate)));
    return true;
  }

  bool block(BlockId b) {
    const Block& block = f_.blocks[b];
    if (block.code.empty() || !about(block.code.back().opcode).ends)
      return fail("nothing ends the block");
    for (std::size_t at = 0; at < block.code.size(); ++at) {
      const Instruction& i = block.code[at];
      const OpcodeInfo& info = about(i.opcode);
      if (info.ends && at + 1 < block.code.size()) return fail("code follows " + print(f_, i));
      if (info.state && i.rate != Rate::Particle)
        return fail("not of particle rate: " + print(f_, i));
      if ((info.typed || info.result != Type::None) != (i.result != kNoValue))
        return fail("result: " + print(f_, i));
      if (i.result != kNoValue) {
        if (!info.typed && f_[i.result].type != info.result) return fail("type: " + print(f_, i));
        if (f_[i.result].rate != i.rate) return fail("rate: " + print(f_, i));
      }
      for (const ValueId v : i.operands)
        if (!use(i, v, b, at)) return false;
      if (!operand_types(i)) return fail("operands: " + print(f_, i));
    }
    return targets(block);
  }

  bool operand_types(const Instruction& i) const {
    const auto type = [&](std::size_t k) { return f_[i.operands[k]].type; };
    const auto takes = [&](std::initializer_list<Type> types) {
      return i.operands.size() == types.size() &&
             std::equal(types.begin(), types.end(), i.operands.begin(),
                        [&](Type t, ValueId v) { return f_[v].type == t; });
    };
    const auto all = [&](Type t, std::size_t from) {
      return std::all_of(i.operands.begin() + static_cast<std::ptrdiff_t>(from), i.operands.end(),
                         [&](ValueId v) { return f_[v].type == t; });
    };
    constexpr Type B = Type::Bool, I = Type::Int, D = Type::Double, A = Type::Any,
                   P = Type::Address;
    switch (i.opcode) {
      case Opcode::Box:
        return i.operands.size() == 1 && (type(0) == B || type(0) == I || type(0) == D);
      case Opcode::Unbox:
      case Opcode::Truth:
      case Opcode::HasTag:
      case Opcode::IsNumber:
      case Opcode::IsClosure:
      case Opcode::IsDist:
      case Opcode::RealOf:
      case Opcode::Captured:
      case Opcode::Count:
      case Opcode::Elements:
      case Opcode::HasMeta:
      case Opcode::NumberOf:
      case Opcode::TypeOf:
      case Opcode::Realised:
      case Opcode::SetKeyOf:
      case Opcode::DrawIndex:
      case Opcode::DrawGamma:
      case Opcode::DrawSeat:
      case Opcode::DrawFrom:
      case Opcode::Finish:
        return takes({A});
      case Opcode::Is:
      case Opcode::SameValue:
      case Opcode::Conj:
      case Opcode::Find:
      case Opcode::Predict:
      case Opcode::Score:
      case Opcode::ScoreSeat:
      case Opcode::AbsorbSeat:
        return takes({A, A});
      case Opcode::Get:
      case Opcode::Assoc:
        return takes({A, A, A});
      case Opcode::Call:
      case Opcode::CallOnWorld:
      case Opcode::DrawDirect:
      case Opcode::ScoreDirect:
      case Opcode::MakeFrom:
      case Opcode::LeaveLoop:
        return all(A, 0);
      case Opcode::ToDouble:
      case Opcode::Next:
      case Opcode::Negate:
        return takes({I});
      case Opcode::AddInt:
      case Opcode::SubInt:
      case Opcode::MulInt:
      case Opcode::Plus:
      case Opcode::CanDivide:
      case Opcode::Quot:
      case Opcode::Rem:
      case Opcode::Mod:
      case Opcode::BitAnd:
      case Opcode::BitOr:
      case Opcode::BitXor:
      case Opcode::InRange:
        return takes({I, I});
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Mul:
      case Opcode::Div:
      case Opcode::DrawNormal:
      case Opcode::DrawUniform:
        return takes({D, D});
      case Opcode::Abs:
      case Opcode::Sqrt:
      case Opcode::Exp:
      case Opcode::Log:
      case Opcode::Truncate:
      case Opcode::DrawFlip:
      case Opcode::AddDensity:
        return takes({D});
      case Opcode::Less:
      case Opcode::LessEqual:
        return takes({I, I}) || takes({D, D});
      case Opcode::Equal:
        return takes({I, I}) || takes({D, D}) || takes({B, B});
      case Opcode::Not:
      case Opcode::Guard:
      case Opcode::Branch:
        return takes({B});
      case Opcode::And:
        return takes({B, B});
      case Opcode::Select:
        return i.operands.size() == 3 && type(0) == B && type(1) == f_[i.result].type &&
               type(2) == f_[i.result].type;
      case Opcode::Nth:
      case Opcode::Entry:
      case Opcode::ScoreIndex:
        return takes({A, I});
      case Opcode::Element:
      case Opcode::TableEntry:
        return takes({P, I});
      case Opcode::MakeClosure:
        return !i.operands.empty() && type(0) == I && all(A, 1);
      case Opcode::MakeDist:
        for (std::size_t k = 0; k < i.operands.size(); ++k)
          if (type(k) != (k < static_cast<std::size_t>(i.number) ? A : D)) return false;
        return true;
      case Opcode::SetKey:
        return takes({I}) || takes({D});
      case Opcode::ScoreNormal:
      case Opcode::ScoreUniform:
        return takes({A, D});
      case Opcode::ScoreFlip:
        return takes({A, B});
      case Opcode::ScoreLikely:
        return takes({A, D, A});
      case Opcode::ScoreTable:
        return i.operands.size() == 3 && type(0) == A && type(2) == A;
      case Opcode::GivenDraw:
        return takes({I, P});
      case Opcode::GivenValue:
        return takes({P});
      case Opcode::ScoreGiven:
        return takes({A, A, I});
      case Opcode::EndOfGiven:
        return takes({I});
      case Opcode::Rest: {
        const RestPlan& r = f_.rests[static_cast<std::size_t>(i.number)];
        return i.operands.size() == 1 + r.common + r.values + r.pointers + r.numbers &&
               type(0) == D;
      }
      case Opcode::Return:
        return i.operands.size() == 1;
      default:
        return true;
    }
  }

  bool targets(const Block& from) {
    const Instruction& last = from.code.back();
    const std::size_t wanted = last.opcode == Opcode::Jump     ? 1
                               : last.opcode == Opcode::Branch ? 2
                                                               : 0;
    const std::vector<BlockId> next = successors(from);
    if (next.size() != wanted) return fail("targets of " + print(f_, last));
    for (const BlockId b : next) {
      if (b >= f_.blocks.size()) return fail(fmt::format("there is no b{}", b));
      const Block& to = f_.blocks[b];
      const std::size_t given = last.opcode == Opcode::Jump ? last.operands.size() : 0;
      if (to.parameters.size() != given) return fail("arguments of " + print(f_, last));
      for (std::size_t k = 0; k < given; ++k) {
        if (f_[to.parameters[k]].type != f_[last.operands[k]].type)
          return fail("types of arguments of " + print(f_, last));
      }
    }
    return true;
  }

  const Function& f_;
  Dominators dominators_;
  std::vector<Place> definitions_;
  std::string problem_;
};

}  // namespace

std::string broken_rule(const Function& function) { return Verifier(function).run(); }

}  // namespace chancel::segment
