// SPDX-License-Identifier: Apache-2.0
// Code as text (chancel dump --stage=code).
#include <string_view>

#include "bytecode/code.hpp"
#include "bytecode/format.hpp"
#include "fmt/format.h"
#include "value/native.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

std::string operands(const CodeBlock& code, std::size_t pc) {
  const Instr i = code.instrs[pc];
  const auto target = [&](std::int64_t offset) {
    return static_cast<std::int64_t>(pc) + 1 + offset;
  };
  switch (format_of(i.op)) {
    case Format::A:
      return fmt::format("r{}", i.a);
    case Format::AB:
      return fmt::format("r{} r{}", i.a, i.b);
    case Format::ABC:
      if (i.op == Op::AddInt || i.op == Op::NthOrNil)
        return fmt::format("r{} r{} {}", i.a, i.b, static_cast<std::int16_t>(i.c));
      return fmt::format("r{} r{} r{}", i.a, i.b, i.c);
    case Format::AK:
      if (i.op == Op::MakeClosure) {
        const FunctionProto* f = code.functions[static_cast<std::size_t>(i.wide())];
        return fmt::format("r{} fn {}", i.a, f->name ? f->name->full : "anonymous");
      }
      return fmt::format("r{} {}", i.a,
                         show(code.constants[static_cast<std::size_t>(i.wide())], true, 60));
    case Format::AI:
      return fmt::format("r{} {}", i.a, i.wide());
    case Format::AG:
      return fmt::format("r{} global {}", i.a, i.wide());
    case Format::AU:
      return fmt::format("r{} captured {}", i.a, i.b);
    case Format::J:
      return fmt::format("-> {}", target(i.wide()));
    case Format::AJ:
      return fmt::format("r{} -> {}", i.a, target(i.wide()));
    case Format::ABJ:
      return fmt::format("r{} r{} -> {}", i.a, i.b, target(static_cast<std::int16_t>(i.c)));
    case Format::CALL:
      return fmt::format("r{} window r{} count {}", i.a, i.b, i.c);
  }
  return {};
}

std::string extension(const CodeBlock& code, std::size_t pc) {
  const Instr i = code.instrs[pc];
  if (has_native(i.op)) return fmt::format("  ; {}", ext_native(code.instrs[pc + 1])->name);
  if (i.op == Op::CallGlobal)
    return fmt::format("  ; global {}", static_cast<std::uint32_t>(word_of(code.instrs[pc + 1])));
  if (op_words(i.op) > 0) {
    const SiteWord s = ext_site(code.instrs[pc + 1]);
    return fmt::format("  ; site {} live {}", s.site, s.live);
  }
  return {};
}

void print_function(const FunctionProto& f, std::string& out) {
  for (const auto& code : f.arities) {
    out += fmt::format("{}{} {}: {} parameter{}{}, {} registers, {} captured\n",
                       f.is_query ? "query " : "fn ", f.name ? f.name->full : "anonymous", "",
                       code->params, code->params == 1 ? "" : "s",
                       code->variadic ? " and rest" : "", code->frame_size, f.captures.size());
    for (std::size_t pc = 0; pc < code->instrs.size();) {
      const Op op = code->instrs[pc].op;
      const Span span = code->spans[pc];
      out += fmt::format("  {:4}  {:<14} {}{}", pc, op_name(op), operands(*code, pc),
                         extension(*code, pc));
      if (span.known()) out += fmt::format("  @{}..{}", span.begin, span.end);
      out += '\n';
      pc += 1 + static_cast<std::size_t>(op_words(op));
    }
  }
  for (const auto& code : f.arities) {
    for (const FunctionProto* inner : code->functions) print_function(*inner, out);
    for (const Value& v : code->constants) {
      if (v.is(Tag::Closure)) print_function(*proto_of(v.as<Closure>()), out);
      if (v.is(Tag::Query)) print_function(*proto_of(v.as<Query>()), out);
    }
  }
}

}  // namespace

std::string disassemble(const FunctionProto& function) {
  std::string out;
  print_function(function, out);
  return out;
}

}  // namespace chancel
