// SPDX-License-Identifier: Apache-2.0
// See ir.hpp: the table of operations, and segments as text.
#include "segment/ir.hpp"

#include <fmt/format.h>

#include <string_view>

#include "bytecode/code.hpp"
#include "value/dist_object.hpp"
#include "value/print.hpp"
#include "vm/row.hpp"

namespace chancel::segment {

namespace {

constexpr bool has(const char* flags, char flag) {
  for (; *flags; ++flags)
    if (*flags == flag) return true;
  return false;
}
constexpr OpcodeInfo info(const char* name, Type result, bool typed, const char* flags) {
  return {name,
          result,
          typed,
          has(flags, 'P'),
          has(flags, 'T'),
          has(flags, 'A'),
          has(flags, 'H'),
          has(flags, 'L'),
          has(flags, 'S'),
          has(flags, 'E')};
}

namespace results {
constexpr Type Bool = Type::Bool, Int = Type::Int, Double = Type::Double, Any = Type::Any,
               Address = Type::Address, None = Type::None, Typed = Type::None;
}
constexpr OpcodeInfo kInfo[] = {
#define CHANCEL_SEGMENT_OP(name, result, flags) \
  info(#name, results::result, std::string_view(#result) == "Typed", #flags),
#include "segment/operations.def"
#undef CHANCEL_SEGMENT_OP
};

std::string lower(const char* name) {
  std::string out;
  for (const char* c = name; *c; ++c) {
    if (*c >= 'A' && *c <= 'Z' && c != name) out += '-';
    out += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
  }
  return out;
}

std::string value_text(const Function& f, ValueId v) {
  if (v == kNoValue) return "_";
  const ValueInfo& info = f[v];
  if (!info.is_constant) return fmt::format("v{}", v);
  if (info.type == Type::Address) return fmt::format("#{}", info.constant.i);
  constexpr std::size_t kMost = 40;
  const std::string text = show(info.constant);
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

std::string list(const Function& f, const std::vector<ValueId>& values, std::size_t from,
                 std::size_t count) {
  std::string out;
  for (std::size_t i = from; i < from + count; ++i)
    out += (i > from ? ", " : "") + value_text(f, values[i]);
  return out;
}

// What `object` is, by the kind of operation.
std::string object_text(const Instruction& i) {
  if (!i.object) return "";
  switch (i.opcode) {
    case Opcode::Get:
    case Opcode::Assoc:
    case Opcode::Call:
    case Opcode::CallOnWorld:
      return static_cast<const NativeDef*>(i.object)->name;
    case Opcode::IsClosure:
    case Opcode::MakeClosure: {
      const Name* name = static_cast<const FunctionProto*>(i.object)->name;
      return name ? name->full : "fn";
    }
    case Opcode::DrawSeat:
    case Opcode::ScoreSeat:
    case Opcode::AbsorbSeat:
      return static_cast<const ProcessType*>(i.object)->name;
    default:
      return static_cast<const DistType*>(i.object)->name;
  }
}

}  // namespace

const OpcodeInfo& about(Opcode opcode) { return kInfo[static_cast<std::size_t>(opcode)]; }

const char* name_of(Type type) {
  constexpr const char* kNames[] = {"bool", "int", "double", "any", "address", "none"};
  return kNames[static_cast<std::size_t>(type)];
}
const char* name_of(Rate rate) {
  constexpr const char* kNames[] = {"batch", "family", "particle"};
  return kNames[static_cast<std::size_t>(rate)];
}

std::size_t Function::size() const {
  std::size_t n = 0;
  for (const Block& b : blocks) n += b.code.size();
  return n;
}

std::string print(const Function& f, const Instruction& i) {
  std::string out = fmt::format("{:<9}", name_of(i.rate));
  if (i.result != kNoValue) out += fmt::format("v{} = ", i.result);
  out += lower(about(i.opcode).name);
  if (i.opcode == Opcode::Rest) {
    const RestPlan& r = f.rests[static_cast<std::size_t>(i.number)];
    out += fmt::format(" at point {}, score {}", r.point, value_text(f, i.operands[0]));
    if (r.common) out += ", common " + list(f, i.operands, 1, r.common);
    if (const std::size_t row = r.values + r.pointers + r.numbers)
      out += ", row " + list(f, i.operands, 1 + r.common, row);
    if (r.applications) out += fmt::format(", {} applications", r.applications);
    if (r.together) out += ", together";
    if (r.only_common) out += ", only common";
    return out;
  }
  if (const std::string object = object_text(i); !object.empty()) out += " " + object;
  if (i.tag != Tag::Nil) out += fmt::format(" tag {}", static_cast<std::uint64_t>(i.tag));
  if (i.number) out += fmt::format(" {}", i.number);
  if (i.index) out += fmt::format(" [{}]", i.index);
  if (!i.operands.empty()) out += " " + list(f, i.operands, 0, i.operands.size());
  for (const BlockId b : i.targets)
    if (b != kNoBlock) out += fmt::format(" -> b{}", b);
  if (i.merge != kNoBlock) out += fmt::format(" merging in b{}", i.merge);
  if (i.result != kNoValue) out += fmt::format(" : {}", name_of(f[i.result].type));
  return out;
}

std::string print(const Function& f) {
  constexpr const char* kForms[] = {"segment", "future", "function", "loop"};
  std::string out = fmt::format("{} {}\n", kForms[static_cast<std::size_t>(f.form)], f.number);
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    const Block& block = f.blocks[b];
    out += fmt::format("  b{}", b);
    if (!block.parameters.empty()) {
      out += "(";
      for (std::size_t k = 0; k < block.parameters.size(); ++k)
        out += fmt::format("{}v{} : {}", k ? ", " : "", block.parameters[k],
                           name_of(f[block.parameters[k]].type));
      out += ")";
    }
    out += block.straight ? ", straight:\n" : ":\n";
    for (const Instruction& i : block.code) out += "    " + print(f, i) + "\n";
  }
  return out;
}

}  // namespace chancel::segment
