// SPDX-License-Identifier: Apache-2.0
// Code as text (chancel dump --stage=code) and the checks that a code object must pass.
#include <string_view>

#include "bytecode/code.hpp"
#include "fmt/format.h"
#include "value/native.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {

enum class Format { A, AB, ABC, AK, AI, AG, AU, J, AJ, ABJ, CALL };
constexpr Format kFormats[] = {
#define CHANCEL_OP(name, format, words) Format::format,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
};
Format format_of(Op op) { return kFormats[static_cast<int>(op)]; }

bool has_native(Op op) {
  return op_words(op) == 1 && op != Op::CallGlobal && op != Op::Sample && op != Op::Observe;
}

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
      if (i.op == Op::AddInt)
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
      if (v.is(Tag::Closure)) print_function(*v.as<Closure>()->proto, out);
      if (v.is(Tag::Query)) print_function(*v.as<Query>()->proto, out);
    }
  }
}

std::string check_jump(const CodeBlock& code, std::size_t pc, std::int64_t offset,
                       const std::vector<bool>& starts) {
  const std::int64_t to = static_cast<std::int64_t>(pc) + 1 + offset;
  if (to < 0 || to >= static_cast<std::int64_t>(code.instrs.size()) ||
      !starts[static_cast<std::size_t>(to)])
    return fmt::format("instruction {} jumps to {}", pc, to);
  return {};
}

std::string verify_code(const CodeBlock& code) {
  std::vector<bool> starts(code.instrs.size(), false);
  for (std::size_t pc = 0; pc < code.instrs.size();) {
    if (code.instrs[pc].op >= Op::Count_)
      return fmt::format("instruction {} has no such operation", pc);
    starts[pc] = true;
    pc += 1 + static_cast<std::size_t>(op_words(code.instrs[pc].op));
    if (pc > code.instrs.size()) return "code ends inside an instruction";
  }
  if (code.spans.size() != code.instrs.size()) return "spans and instructions differ in number";
  for (std::size_t pc = 0; pc < code.instrs.size();) {
    const Instr i = code.instrs[pc];
    const auto bad = [&](std::uint32_t r) { return r >= code.frame_size; };
    std::string problem;
    switch (format_of(i.op)) {
      case Format::A:
      case Format::AI:
      case Format::AG:
        if (bad(i.a)) problem = "register a";
        break;
      case Format::AB:
        if (bad(i.a) || bad(i.b)) problem = "register a or b";
        break;
      case Format::ABC:
        if (i.op == Op::PatchCapture || i.op == Op::GetCaptured ? (bad(i.a) || bad(i.c))
            : i.op == Op::AddInt                                ? (bad(i.a) || bad(i.b))
                                 : (bad(i.a) || bad(i.b) || bad(i.c)))
          problem = "register";
        break;
      case Format::AK: {
        const auto k = static_cast<std::size_t>(i.wide());
        if (k >= (i.op == Op::MakeClosure ? code.functions.size() : code.constants.size()))
          problem = "constant";
        break;
      }
      case Format::AU:
        if (i.b >= code.proto->captures.size()) problem = "captured value";
        break;
      case Format::J:
      case Format::AJ:
        problem = check_jump(code, pc, i.wide(), starts);
        break;
      case Format::ABJ:
        problem = check_jump(code, pc, static_cast<std::int16_t>(i.c), starts);
        break;
      case Format::CALL:
        if (bad(i.a) || static_cast<std::uint32_t>(i.b) + i.c >= code.frame_size)
          problem = "call window";
        break;
    }
    if (!problem.empty()) return fmt::format("{} at {}: bad {}", op_name(i.op), pc, problem);
    if (has_native(i.op) && ext_live(code.instrs[pc + 1]) > code.frame_size)
      return "live mark past the frame";
    pc += 1 + static_cast<std::size_t>(op_words(i.op));
  }
  if (code.instrs.empty()) return "no code";
  return {};
}

}  // namespace

std::string disassemble(const FunctionProto& function) {
  std::string out;
  print_function(function, out);
  return out;
}

std::string verify(const FunctionProto& function) {
  for (const auto& code : function.arities) {
    std::string problem = verify_code(*code);
    if (!problem.empty()) return problem;
    for (const FunctionProto* inner : code->functions) {
      problem = verify(*inner);
      if (!problem.empty()) return problem;
    }
  }
  return {};
}

}  // namespace chancel
