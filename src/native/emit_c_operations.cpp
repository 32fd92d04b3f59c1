// SPDX-License-Identifier: Apache-2.0
// Each operation as C. What they call is in segment/abi.h and segment/kernels.h.
#include <fmt/format.h>

#include "native/c_function.hpp"
#include "vm/row.hpp"

namespace chancel::native {

using namespace segment;  // but for Block, which is another one there

namespace {

constexpr std::uint64_t kMostSteps = 1u << 20;  // of loops in a segment; then limits are looked at
constexpr std::uint64_t kStepsOfLoop = 1u << 16;  // the same, of loops that draw nothing

std::uint64_t number_of(Tag tag) { return static_cast<std::uint64_t>(tag); }

}  // namespace

CFunction::CFunction(const segment::Function& function, Tables& tables)
    : f_(function), tables_(tables), inline_(function.values.size(), kNoValue) {
  for (const segment::Block& b : f_.blocks)
    for (const Instruction& i : b.code)
      if (i.opcode == Opcode::Box) inline_[i.result] = i.operands[0];
}

std::string CFunction::constant(const Value& v, Type type) const {
  switch (type) {
    case Type::Bool:
      return v.bits ? "1" : "0";
    case Type::Int:  // the least integer has no literal
      return fmt::format("((int64_t)UINT64_C({}))", static_cast<std::uint64_t>(v.i));
    case Type::Double:
      if (v.d != v.d) return "__builtin_nan(\"\")";
      if (v.d > 1.7e308 || v.d < -1.7e308)
        return fmt::format("((union {{ uint64_t b; double d; }}){{UINT64_C({})}}).d", v.bits);
      return fmt::format("({:a})", v.d);
    default:
      return v.is_nil() ? "cn_make(CN_NIL, 0)"
                        : fmt::format("b->constants[{}]", tables_.constant(v));
  }
}

std::string CFunction::text(ValueId v) const {
  if (is_inline(v)) {
    const ValueId inside = inline_[v];
    const Type type = f_[inside].type;
    return fmt::format("{}({})",
                       type == Type::Int      ? "cn_int"
                       : type == Type::Double ? "cn_real"
                                              : "cn_bool",
                       text(inside));
  }
  return f_[v].is_constant ? constant(f_[v].constant, f_[v].type) : fmt::format("v{}", v);
}

std::string CFunction::object(const Instruction& i, std::size_t operand, const char* type) const {
  return fmt::format("((const {}*)({}).u.o)", type, text(i, operand));
}

std::string CFunction::pointer(const void* p) const {
  return fmt::format("b->pointers[{}]", tables_.pointer(p));
}

std::string CFunction::list(const Instruction& i, std::size_t count) const {
  std::string out = "(cn_value[]){";
  for (std::size_t k = 0; k < count; ++k) out += text(i, k) + ", ";
  return out + "}";
}

const char* CFunction::exit_of(const Instruction& i) const {
  return i.rate == Rate::Batch ? "return CN_NONE" : "goto bail";
}

void CFunction::assign(const Instruction& i, const std::string& value) {
  line(fmt::format("v{} = {};", i.result, value));
}

void CFunction::leave_unless(const Instruction& i, const std::string& condition) {
  line(fmt::format("if (unlikely(!({}))) {};", condition, exit_of(i)));
}

std::string CFunction::expression(const Instruction& i) {
  const auto x = [&](std::size_t k) { return text(i, k); };
  const auto binary = [&](const char* sign) { return fmt::format("{} {} {}", x(0), sign, x(1)); };
  switch (i.opcode) {
    case Opcode::Unbox:
      return fmt::format("({}){}", x(0), c_field(f_[i.result].type));
    case Opcode::ToDouble:
      return "(double)" + x(0);
    case Opcode::Truth:
      return fmt::format("cn_truthy({})", x(0));
    case Opcode::HasTag:
      return fmt::format("({}).tag == {}", x(0), number_of(i.tag));
    case Opcode::Is:
      return fmt::format("({0}).tag == ({1}).tag && ({0}).u.bits == ({1}).u.bits", x(0), x(1));
    case Opcode::IsNumber:
      return fmt::format("({0}).tag == CN_INT || ({0}).tag == CN_DOUBLE", x(0));
    case Opcode::IsClosure:
      return fmt::format("{}->proto == {}", object(i, 0, "cn_closure"), pointer(i.object));
    case Opcode::IsDist:
      return fmt::format("({}).tag == CN_DIST && {}->type == {}", x(0), object(i, 0, "cn_dist"),
                         pointer(i.object));
    case Opcode::Next:
      return x(0) + " + 1";
    case Opcode::Plus:
      return binary("+");
    case Opcode::CanDivide:
      return fmt::format("{1} != 0 && ({1} != -1 || {0} != INT64_MIN)", x(0), x(1));
    case Opcode::Quot:
      return binary("/");
    case Opcode::Rem:
      return binary("%");
    case Opcode::Mod:
      return fmt::format("{0} % {1} + ({0} % {1} != 0 && ({0} % {1} < 0) != ({1} < 0) ? {1} : 0)",
                         x(0), x(1));
    case Opcode::Negate:
      return "-" + x(0);
    case Opcode::BitAnd:
      return binary("&");
    case Opcode::BitOr:
      return binary("|");
    case Opcode::BitXor:
      return binary("^");
    case Opcode::Add:
      return binary("+");
    case Opcode::Sub:
      return binary("-");
    case Opcode::Mul:
      return binary("*");
    case Opcode::Div:
      return binary("/");
    case Opcode::Abs:
      return fmt::format("__builtin_fabs({})", x(0));
    case Opcode::Sqrt:
      return fmt::format("__builtin_sqrt({})", x(0));
    case Opcode::Exp:
      return fmt::format("chancel_exp(b->exps, {})", x(0));
    case Opcode::Log:
      return fmt::format("chancel_log(b->logs, {})", x(0));
    case Opcode::Truncate:
      return "(int64_t)" + x(0);
    case Opcode::Less:
      return binary("<");
    case Opcode::LessEqual:
      return binary("<=");
    case Opcode::Equal:
      return binary("==");
    case Opcode::Not:
      return "!" + x(0);
    case Opcode::And:
      return binary("&&");
    case Opcode::Select:
      return fmt::format("{} ? {} : {}", x(0), x(1), x(2));
    case Opcode::Captured:
      return fmt::format("{}->captured[{}]", object(i, 0, "cn_closure"), i.number);
    case Opcode::Count:
      return fmt::format("{}->count", object(i, 0, "cn_vector"));
    case Opcode::InRange:
      return fmt::format("(uint64_t){} < (uint64_t){}", x(0), x(1));
    case Opcode::Nth:
      return fmt::format("cn_nth(b, {}, (uint32_t){})", object(i, 0, "cn_vector"), x(1));
    case Opcode::Elements:
      return fmt::format("{}->tail", object(i, 0, "cn_vector"));
    case Opcode::Element:
      return fmt::format("((const cn_value*){})[{}]", x(0), x(1));
    case Opcode::HasMeta:
      return fmt::format("({}->flags & CN_HAS_META) != 0", object(i, 0, "cn_object"));
    case Opcode::Conj:
      return fmt::format("cn_conj(b, {}, {})", x(0), x(1));
    case Opcode::Find:
      return fmt::format("cn_find({}, {})", x(0), x(1));
    case Opcode::Entry:
      return fmt::format("{}->entries[2 * {} + 1]", object(i, 0, "cn_array_map"), x(1));
    case Opcode::HasWorld:
      return "b->world != 0";
    case Opcode::NumberOf:
      return fmt::format("cn_numbers({})[{}]", object(i, 0, "cn_dist"), i.number);
    case Opcode::Mark:
      return fmt::format("(uint16_t)(((applications + {}) * 0x9e3779b97f4a7c15ull) >> 48)",
                         i.number);
    case Opcode::StepsOver:
      return fmt::format("unlikely(++steps > {} || *b->alarm)", kStepsOfLoop);
    case Opcode::DrawNormal:
      return fmt::format("{} + {} * cn_normal(b, &s)", x(0), x(1));
    case Opcode::DrawFlip:
      return fmt::format("cn_uniform(b, &s) < {}", x(0));
    case Opcode::DrawUniform:
      return fmt::format("cn_draw_uniform(b, {}, {}, &s)", x(0), x(1));
    case Opcode::DrawIndex:
      if (i.index == 0) return fmt::format("cn_discrete(b, {}, &s)", object(i, 0, "cn_dist"));
      return fmt::format("cn_index(b, (const double*)({}->values + {}), {}, &s)",
                         object(i, 0, "cn_dist"), i.number, i.index);
    case Opcode::ScoreNormal:
      return fmt::format("cn_normal_score({}, {})", object(i, 0, "cn_dist"), x(1));
    case Opcode::ScoreIndex:
      return fmt::format("cn_discrete_score(b, {}, {})", object(i, 0, "cn_dist"), x(1));
    case Opcode::ScoreFlip:
      return fmt::format("cn_flip_score({}, {})", object(i, 0, "cn_dist"), x(1));
    case Opcode::ScoreUniform:
      return fmt::format("cn_uniform_score({}, {})", object(i, 0, "cn_dist"), x(1));
    case Opcode::TableEntry:
      return fmt::format("((const double*){})[{}]", x(0), x(1));
    case Opcode::Taken:
      return "(int64_t)taken";
    case Opcode::TypeOf:
      return fmt::format("{}->type", object(i, 0, "cn_dist"));
    case Opcode::TypeAt:
      return pointer(i.object);
    case Opcode::GivenValue:
      return fmt::format("*(const cn_value*){}", x(0));
    case Opcode::SumOfDensities:
      return "sum";
    case Opcode::LoadCommon:
      return fmt::format("b->common->values[{}]", i.number);
    case Opcode::LoadRow:
      if (static_cast<SlotIn>(i.index) == SlotIn::Value) return fmt::format("row[{}]", i.number);
      if (static_cast<SlotIn>(i.index) == SlotIn::Pointer)
        return fmt::format("cn_make({}, ((const uint64_t*)(row + {}))[{}])", number_of(i.tag),
                           f_.row_values, i.number);
      return fmt::format("((const {}*)(row + {}))[{}]",
                         f_[i.result].type == Type::Double ? "double" : "int64_t", f_.row_values,
                         f_.row_pointers + i.number);
    case Opcode::Parameter:
      return i.number < 0 ? "self" : fmt::format("p{}", i.number);
    case Opcode::Register:
    case Opcode::Global:
      return fmt::format("{}[{}]{}", i.opcode == Opcode::Register ? "registers" : "b->globals",
                         i.number, c_field(f_[i.result].type));
    default:
      return "";
  }
}

// Calls of the program, which say by the status of the batch that they fail.
std::string CFunction::call(const Instruction& i) {
  const auto x = [&](std::size_t k) { return text(i, k); };
  const std::size_t count = i.operands.size();
  switch (i.opcode) {
    case Opcode::Get:
      return fmt::format("cn_get(b, {}, {}, {}, {}, {})", pointer(i.object), x(0), x(1), x(2),
                         i.number);
    case Opcode::Assoc:
      return fmt::format("cn_assoc(b, {}, {}, {}, {})", pointer(i.object), x(0), x(1), x(2));
    case Opcode::Call:
    case Opcode::CallOnWorld:
      return fmt::format("b->native(b, {}, {}, {})", pointer(i.object), list(i, count), count);
    case Opcode::DrawGamma:
      return fmt::format("cn_draw_gamma(b, {}, &s)", x(0));
    case Opcode::DrawSeat:
      return fmt::format("cn_crp_sample(b, {}, {}, {}, &s)", x(0), pointer(i.object),
                         pointer(i.other));
    case Opcode::DrawFrom:
      return fmt::format("b->sample(b, {}, &s)", x(0));
    case Opcode::DrawDirect:
      return fmt::format("b->sample_direct(b, {}, {}, {}, &s)", pointer(i.object), list(i, count),
                         count);
    case Opcode::ScoreLikely:
      return fmt::format(
          "({0}).tag == CN_DIST && {1}->type == {2} ? cn_normal_score({1}, {3}) : "
          "b->observe(b, {0}, {4})",
          x(0), object(i, 0, "cn_dist"), pointer(i.object), x(1), x(2));
    case Opcode::ScoreSeat:
      return fmt::format("cn_crp_score(b, {}, {}, {}, {})", x(0), x(1), pointer(i.object),
                         pointer(i.other));
    case Opcode::AbsorbSeat:
      return fmt::format("cn_crp_absorb(b, {}, {}, {}, {})", x(0), x(1), pointer(i.object),
                         pointer(i.other));
    case Opcode::Score:
      return fmt::format("b->observe(b, {}, {})", x(0), x(1));
    case Opcode::ScoreDirect:
      return fmt::format("b->observe_direct(b, {}, {}, {}, {})", pointer(i.object),
                         list(i, count - 1), count - 1, x(count - 1));
    case Opcode::MakeFrom:
      return fmt::format("b->construct(b, {}, {}, {})", pointer(i.object), list(i, count), count);
    case Opcode::ScoreGiven:
      return fmt::format("b->score_draw(b, {}, {}, {})", x(0), x(1), x(2));
    default:
      return "";
  }
}

void CFunction::operation(const Instruction& i) {
  const auto x = [&](std::size_t k) { return text(i, k); };
  const auto v = [&] { return fmt::format("v{}", i.result); };
  if (i.opcode == Opcode::Box) return;
  if (const std::string e = expression(i); !e.empty()) return assign(i, e);
  if (const std::string c = call(i); !c.empty()) {
    assign(i, c);
    return leave_unless(i, "b->status == 0");
  }
  switch (i.opcode) {
    case Opcode::RealOf:
      return leave_unless(i, fmt::format("cn_number({}, &{})", x(0), v()));
    case Opcode::SameValue:
      assign(i, fmt::format("b->equal({}, {})", x(0), x(1)));
      return leave_unless(i, v() + " >= 0");
    case Opcode::AddInt:
      return leave_unless(i,
                          fmt::format("!__builtin_saddl_overflow({}, {}, &{})", x(0), x(1), v()));
    case Opcode::SubInt:
      return leave_unless(i,
                          fmt::format("!__builtin_ssubl_overflow({}, {}, &{})", x(0), x(1), v()));
    case Opcode::MulInt:
      return leave_unless(i,
                          fmt::format("!__builtin_smull_overflow({}, {}, &{})", x(0), x(1), v()));
    case Opcode::Guard:
      return leave_unless(i, x(0));
    case Opcode::MakeClosure: {
      const std::size_t count = i.operands.size() - 1;
      std::string text = fmt::format(
          "{{ cn_closure* const c = cn_new(b, CN_CLOSURE, {}); c->proto = {}; "
          "c->head.aux = (uint16_t){};",
          sizeof(Closure) - sizeof(Value) + count * sizeof(Value), pointer(i.object), x(0));
      for (std::size_t k = 0; k < count; ++k)
        text += fmt::format(" c->captured[{}] = {};", k, x(k + 1));
      return line(text + fmt::format(" {0}.u.o = c; {0}.tag = CN_CLOSURE; }}", v()));
    }
    case Opcode::MakeDist: {
      const auto values = static_cast<std::size_t>(i.number);
      const std::size_t numbers = i.operands.size() - values;
      std::string text = fmt::format(
          "{{ cn_dist* const d = cn_new(b, CN_DIST, {}); d->type = {}; d->value_count = {}; "
          "d->number_count = {};",
          sizeof(Dist) - sizeof(Value) + values * sizeof(Value) + numbers * sizeof(double),
          pointer(i.object), values, numbers);
      for (std::size_t k = 0; k < values; ++k) text += fmt::format(" d->values[{}] = {};", k, x(k));
      for (std::size_t k = 0; k < numbers; ++k)
        text += fmt::format(" ((double*)(d->values + {}))[{}] = {};", values, k, x(values + k));
      return line(text + fmt::format(" {0}.u.o = d; {0}.tag = CN_DIST; }}", v()));
    }
    case Opcode::CountApplications:
      return line(fmt::format("applications += {};", i.number));
    case Opcode::CountDraws:
      return line(fmt::format("taken += {};", i.number));
    case Opcode::Realised:
      return leave_unless(i, fmt::format("b->realised(b, {})", x(0)));
    case Opcode::Predict:
      return line(
          fmt::format("{{ cn_predicts* const p = cn_new(b, CN_PREDICTS, sizeof(cn_predicts)); "
                      "p->previous = predicts; p->label = {}; p->value = {}; predicts = p; }}",
                      x(0), x(1)));
    case Opcode::Steps:
      if (f_.form < Form::Function)
        return line(fmt::format("if (unlikely(++steps > {})) goto bail;", kMostSteps));
      return line(fmt::format(
          "if (unlikely(++steps > {} || b->calls_left < 0)) {{ steps = 0; if (b->should_stop(b)) "
          "goto bail; }}",
          kStepsOfLoop));
    case Opcode::SetKey:
      return line(fmt::format("key = (double){};", x(0)));
    case Opcode::SetKeyOf:
      return line(fmt::format("cn_drawn_last({}, &key);", x(0)));
    case Opcode::ScoreTable:
      return score_table(i);
    case Opcode::GivenDraw:
      assign(i, fmt::format("cn_given(b, {}, {}, {})", x(0), i.number, x(1)));
      return leave_unless(i, v() + " != 0");
    case Opcode::AddDensity:
      line(fmt::format(
          "if (unlikely(!(__builtin_fabs({0}) < CN_INFINITY))) {{ if ({0} != -CN_INFINITY) goto "
          "bail; b->score[i] = {0}; b->to[i].top = 0; ++ended; continue; }}",
          x(0)));
      return line(fmt::format("sum += {};", x(0)));
    case Opcode::EndOfGiven:
      return leave_unless(
          i, fmt::format("b->given_count == {} && {}b->given_last", x(0), i.number ? "" : "!"));
    case Opcode::CallFunction:
    case Opcode::CallForever: {
      line(fmt::format("b->applications = applications + {};", i.index));
      std::string text = fmt::format("function_{}(b", i.number);
      for (std::size_t k = 0; k < i.operands.size(); ++k) text += ", " + x(k);
      if (i.opcode == Opcode::CallForever) return line(text + ");");
      assign(i, text + ")");
      leave_unless(i, "!b->status");
      return line("applications = b->applications;");
    }
    case Opcode::Rest:
      return rest(i);
    case Opcode::Finish:
      return line(fmt::format(
          "{{ cn_execution* const y = &b->to[i]; b->results[i] = {0}; y->top = 0; "
          "y->world = b->world; y->predicts = predicts; y->applications = applications + {1}; "
          "made += applications + {1} - x->applications; ++ended; continue; }}",
          x(0), i.number));
    case Opcode::FinishGiven:
      return line("b->score[i] = sum; b->to[i].top = 0; ++ended; continue;");
    case Opcode::Leave:
      return line(fmt::format("{};", exit_of(i)));
    case Opcode::Return:
      line(fmt::format("b->applications = applications + {};", i.number));
      return line(fmt::format("return {};", x(0)));
    case Opcode::LeaveLoop:
      for (std::size_t k = 0; k < i.operands.size(); ++k)
        line(fmt::format("registers[{}] = {};", k, x(k)));
      return line(
          fmt::format("b->applications = applications + {}; return {};", i.number, i.index));
    default:
      return;
  }
}

// A table of the scores of one value by the elements of a vector.
void CFunction::score_table(const Instruction& i) {
  const ValueInfo& x = f_[i.operands[1]];
  tables_of_scores_.emplace_back(i.result, i.number);
  const std::string element = fmt::format("cn_nth(b, {}, (uint32_t)j)", object(i, 0, "cn_vector"));
  const std::string one =
      x.type == Type::Double
          ? fmt::format("cn_normal_score((const cn_dist*){}.u.o, {})", element, text(i, 1))
      : x.type == Type::Int
          ? fmt::format("cn_discrete_score(b, (const cn_dist*){}.u.o, {})", element, text(i, 1))
          : fmt::format("cn_score_or_none(b, {}, {})", element, text(i, 2));
  line(fmt::format("for (size_t j = 0; j < {}; ++j) t{}[j] = {};", i.number, i.result, one));
  assign(i, fmt::format("t{}", i.result));
}

void CFunction::rest(const Instruction& i) {
  const RestPlan& r = f_.rests[static_cast<std::size_t>(i.number)];
  const std::uint64_t bytes = 16 * r.values + 8 * (r.pointers + r.numbers);
  const std::string score = r.given ? "sum + " + text(i, 0) : text(i, 0);
  // What is common is made once a batch, also where branches stop with the same: particles are run
  // together only if they share it.
  const std::vector<ValueId> common(i.operands.begin() + 1, i.operands.begin() + 1 + r.common);
  const std::size_t c = commons_.try_emplace({r.point, common}, commons_.size()).first->second;
  std::string make = fmt::format("cn_common* const made_here = cn_common_at(b, {}, {}, {});",
                                 r.point, r.site, r.common);
  for (std::size_t k = 0; k < common.size(); ++k)
    make += fmt::format(" made_here->values[{}] = {};", k, text(common[k]));
  const std::string open = r.together
                               ? fmt::format(
                                     " if (CN_BLOCKS && b->blocks_to) b->open_rows(b, i, c{}, {}, "
                                     "predicts, applications + {});",
                                     c, bytes, r.applications)
                               : "";
  line(fmt::format("if (!c{0}) {{ {1} c{0} = b->keep_common(b, made_here, {2});{3} }}", c, make,
                   r.only_common ? 1 : 0, open));
  line(fmt::format(
      "{{ cn_value* const values = {}cn_rest(b, i, c{}, sizeof(cn_row) + {}, {}, predicts, "
      "applications + {}, {}); (void)values;",
      r.together
          ? fmt::format("CN_BLOCKS && b->rows_to ? cn_rest_in_block(b, i, {}, {}) : ", bytes, score)
          : "",
      c, bytes, r.values, r.applications, score));
  std::size_t at = 1 + r.common;
  std::string fill;
  for (std::uint32_t k = 0; k < r.values; ++k)
    fill += fmt::format(" values[{}] = {};", k, text(i, at++));
  for (std::uint32_t k = 0; k < r.pointers; ++k)
    fill +=
        fmt::format(" ((uint64_t*)(values + {}))[{}] = ({}).u.bits;", r.values, k, text(i, at++));
  for (std::uint32_t k = 0; k < r.numbers; ++k, ++at)
    fill += fmt::format(" (({}*)(values + {}))[{}] = {};",
                        f_[i.operands[at]].type == Type::Double ? "double" : "int64_t", r.values,
                        r.pointers + k, text(i, at));
  if (!fill.empty()) line(fill);
  line(fmt::format("made += applications + {} - x->applications;", r.applications));
  line("continue; }");
}

}  // namespace chancel::native
