// SPDX-License-Identifier: Apache-2.0
// See writer.hpp.
#include "native/writer.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "bytecode/code.hpp"

namespace chancel::native {

void AbstractValue::learn(const Value& v) {
  tag = v.tag;
  if (v.is(Tag::Closure)) proto = proto_of(v.as<Closure>());
  if (v.is(Tag::Dist)) distribution = v.as<Dist>()->type;
  if (v.is(Tag::Process)) process = v.as<Process>()->type;
}

std::size_t Tables::constant(const Value& v) {
  for (std::size_t i = 0; i < constants.size(); ++i)
    if (constants[i].tag == v.tag && constants[i].bits == v.bits) return i;
  constants.push_back(v);
  return constants.size() - 1;
}

std::size_t Tables::pointer(const void* p) {
  const auto found = std::find(pointers.begin(), pointers.end(), p);
  if (found != pointers.end()) return static_cast<std::size_t>(found - pointers.begin());
  pointers.push_back(p);
  return pointers.size() - 1;
}

AbstractValue Writer::compute(Type type, bool uniform, const std::string& expression) {
  AbstractValue k;
  k.kind = uniform && straight ? AbstractValue::Kind::Uniform : AbstractValue::Kind::Varying;
  k.type = type;
  k.variable = variable(type);
  const std::string text = fmt::format("{} = {};", name(k.variable), expression);
  if (k.kind == AbstractValue::Kind::Uniform)
    batch_line(text);
  else
    line(text);
  return k;
}

void Writer::guard(bool uniform, const std::string& condition) {
  if (uniform && straight)
    batch_line(fmt::format("if (unlikely(!({}))) return CN_NONE;", condition));
  else
    line(fmt::format("if (unlikely(!({}))) goto bail;", condition));
}

namespace {
// The variables that a text mentions.
template <class Found>
void for_variables(std::string_view text, Found&& found) {
  for (std::size_t at = text.find('v'); at != text.npos; at = text.find('v', at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_'))
      continue;
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data() + at + 1, end, number).ec == std::errc{}) found(number);
  }
}
}  // namespace

void Writer::batch_line(const std::string& text) {
  texts.batch += "  " + text + "\n";
  std::vector<std::uint32_t> objects;
  for_variables(text, [&](std::uint32_t v) {
    if (types_[v] == Type::Any) objects.push_back(v);
  });
  if (text.find(kGiven) != text.npos) {
    given_.resize(types_.size());
    for (const std::uint32_t v : objects) given_[v] = true;
  } else if (objects.size() > 1) {
    together_.push_back(std::move(objects));
  }
}

bool Writer::particles_hold(const std::vector<std::uint32_t>& variables,
                            const std::string& text) const {
  std::vector<bool> reached(types_.size());
  bool more = false;
  const auto reach = [&](std::uint32_t v) {
    if (reached[v] || (v < given_.size() && given_[v])) return;
    reached[v] = more = true;
  };
  for (const std::uint32_t v : variables) reach(v);
  if (!more) return false;
  while (std::exchange(more, false))
    for (const auto& objects : together_)
      if (std::any_of(objects.begin(), objects.end(), [&](auto v) { return reached[v]; }))
        std::for_each(objects.begin(), objects.end(), reach);
  bool held = false;
  for (const std::string* t : {&texts.family, &texts.particle, &text})
    for_variables(*t, [&](std::uint32_t v) { held = held || reached[v]; });
  return held;
}

std::string Writer::boxed(const AbstractValue& k) {
  if (k.is_constant()) {
    if (k.type == Type::Int) return fmt::format("cn_int({})", number(k));
    if (k.type == Type::Double) return fmt::format("cn_real({})", number(k));
    if (k.type == Type::Bool) return fmt::format("cn_bool({})", k.value.bits);
    if (k.value.is_nil()) return "cn_make(CN_NIL, 0)";
    return fmt::format("b->constants[{}]", tables_.constant(k.value));
  }
  switch (k.type) {
    case Type::Int:
      return "cn_int(" + name(k.variable) + ")";
    case Type::Double:
      return "cn_real(" + name(k.variable) + ")";
    case Type::Bool:
      return "cn_bool(" + name(k.variable) + ")";
    default:
      return name(k.variable);
  }
}

std::string Writer::number(const AbstractValue& k) {
  if (!k.is_constant()) return name(k.variable);
  if (k.type == Type::Int)  // the least integer has no literal
    return fmt::format("((int64_t)UINT64_C({}))", static_cast<std::uint64_t>(k.value.i));
  if (k.value.d != k.value.d) return "__builtin_nan(\"\")";
  if (k.value.d > 1.7e308 || k.value.d < -1.7e308)
    return fmt::format("((union {{ uint64_t b; double d; }}){{UINT64_C({})}}).d", k.value.bits);
  return fmt::format("({:a})", k.value.d);
}

std::string Writer::real(const AbstractValue& k) {
  return k.type == Type::Int ? "(double)" + number(k) : number(k);
}

std::string Writer::truth(const AbstractValue& k) {
  if (k.is_virtual()) return "1";
  if (k.is_constant()) return k.value.truthy() ? "1" : "0";
  if (k.type == Type::Bool) return name(k.variable);
  if (k.type != Type::Any) return "1";
  return "cn_truthy(" + name(k.variable) + ")";
}

std::string Writer::object(const AbstractValue& k, const char* type) {
  return fmt::format("(({}*)({}).u.o)", type, boxed(k));
}

const char* Writer::c_type(Type type) {
  switch (type) {
    case Type::Bool:
      return "int";
    case Type::Int:
      return "int64_t";
    case Type::Double:
      return "double";
    default:
      return "cn_value";
  }
}

void Writer::finish_path(const std::string& entry, std::size_t bytes, const char* begins,
                         std::size_t index) {
  paths_ += texts.label;
  paths_ += texts.batch;
  paths_ += fmt::format("  for (i = b->begin; i < b->end; {}++i) {{\n",
                        texts.draws ? "CN_STREAMS_GO_ON ? (b->drawn[i] = s.drawn) : 0, CN_KEYS ? "
                                      "(b->keys[i] = key) : 0, "
                                    : "CN_KEYS ? (b->keys[i] = 0) : 0, ");
  paths_ += fmt::format(
      "    const cn_execution* x;\n"
      "    const void* const before = cn_before(b, i, {0}, {1}, CN_IN_BLOCKS_{2}, &x);\n"
      "    if (unlikely(!before)) goto other;\n"
      "    if (before != last) {{\n"
      "    const cn_value* const row = cn_values_of(b, before, CN_IN_BLOCKS_{2});\n"
      "    if (unlikely(!row)) goto other;\n"
      "    b->world = x->world;\n",
      bytes, begins, index);
  paths_ += entry;
  paths_ += texts.family;
  paths_ += "    last = before;\n    }\n";
  paths_ +=
      "    b->world = x->world;\n    applications = x->applications;\n    predicts = "
      "x->predicts;\n";
  if (given) paths_ += "    sum = b->log_weight[i];\n    taken = 0;\n";
  if (texts.draws) paths_ += "    cn_begin_draws(b, i, &s, ahead);\n    key = 0;\n";
  paths_ += texts.particle;
  paths_ += "  }\n  b->made += made;\n  b->ended += ended;\n  return CN_DONE;\n";
  texts = Texts{};
}

std::string Writer::variables() const {
  std::string out;
  for (const Type type : {Type::Bool, Type::Int, Type::Double, Type::Any}) {
    std::string names;
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (types_[i] == type) names += fmt::format("{}v{}", names.empty() ? "" : ", ", i);
    if (!names.empty()) out += fmt::format("  {} {};\n", c_type(type), names);
  }
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    out += fmt::format("  double t{}[{}];\n", i, arrays_[i]);
  return out;
}

std::string Writer::plain_function(const std::string& signature, const std::string& entry,
                                   const std::string& bail) const {
  return signature + " {\n" + variables() +
         "  uint64_t applications = b->applications, steps = 0;\n" + entry + texts.particle +
         "bail:\n" + bail + "}\n\n";
}

std::string Writer::function(std::size_t index) const {
  std::string out = fmt::format("int {}_{}(cn_batch* b) {{\n", given ? "future" : "segment", index);
  out += variables();
  if (given) out += "  double sum;\n  size_t taken;\n";
  out +=
      "  size_t i, ended = 0;\n  const void* last = 0;\n  uint64_t applications, made = 0, "
      "steps = "
      "0;\n  void* predicts;\n"
      "  double key;\n  cn_stream s;\n  uint64_t ahead[2][CN_AHEAD];\n  s.key = b->key;\n  "
      "s.source = b->source;\n";
  out += first_;
  out += paths_;
  out +=
      "bail:\n  b->begin = i;\n  b->made += made;\n  b->ended += ended;\n  return CN_BAIL;\n"
      "other:\n  b->begin = i;\n  b->made += made;\n  b->ended += ended;\n  return "
      "CN_OTHER;\n}\n\n";
  return out;
}

}  // namespace chancel::native
