// SPDX-License-Identifier: Apache-2.0
// Code objects: what the compiler makes and the VM runs. Register machine; registers are allocated
// like a stack, so that at every instruction the registers below its `live` mark are initialised
// and nothing above it matters. That makes a frame cheap to freeze (copy the live part) and exact
// for the collector, without maps.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/symbol.hpp"
#include "diag/span.hpp"
#include "value/function_def.hpp"
#include "value/object.hpp"
#include "value/value.hpp"

namespace chancel {

enum class Op : std::uint16_t {
#define CHANCEL_OP(name, format, words) name,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
  Count_
};

struct Instr {
  Op op;
  std::uint16_t a, b, c;
  std::int32_t wide() const {
    return static_cast<std::int32_t>(b | (static_cast<std::uint32_t>(c) << 16));
  }
};
static_assert(sizeof(Instr) == 8);
inline std::uint64_t word_of(Instr i) { return __builtin_bit_cast(std::uint64_t, i); }
inline Instr instr_of(std::uint64_t w) { return __builtin_bit_cast(Instr, w); }

// Extension words.
inline const NativeDef* ext_native(Instr i) {
  return reinterpret_cast<const NativeDef*>(word_of(i) & 0xffffffffffffull);
}
inline std::uint16_t ext_live(Instr i) { return static_cast<std::uint16_t>(word_of(i) >> 48); }
struct SiteWord {
  std::uint32_t site;
  std::uint16_t live;
  std::uint16_t id_register;  // register + 1; 0 = none
};
inline SiteWord ext_site(Instr i) {
  const std::uint64_t w = word_of(i);
  return {static_cast<std::uint32_t>(w), static_cast<std::uint16_t>(w >> 32),
          static_cast<std::uint16_t>(w >> 48)};
}
inline Instr make_pointer_word(const void* p, std::uint16_t live) {
  return instr_of((reinterpret_cast<std::uint64_t>(p) & 0xffffffffffffull) |
                  (static_cast<std::uint64_t>(live) << 48));
}
inline Instr make_site_word(SiteWord s) {
  return instr_of(s.site | (static_cast<std::uint64_t>(s.live) << 32) |
                  (static_cast<std::uint64_t>(s.id_register) << 48));
}

struct FunctionProto;

struct Capture {
  bool from_local;      // register of the enclosing frame, or one of its own captured values
  std::uint16_t index;  // kSelfCapture: the enclosing function itself
};
inline constexpr std::uint16_t kSelfCapture = 0xffff;

struct ArgumentSpans {  // of a call at `pc`: where each argument stands
  std::uint32_t pc;
  std::vector<Span> spans;
};

struct CodeBlock {  // one arity of a function
  const FunctionProto* proto = nullptr;
  std::uint16_t params = 0;      // fixed parameters: registers 0 .. params-1
  bool variadic = false;         // register `params` holds the list of the rest
  std::uint16_t frame_size = 0;  // registers used at most
  // What a call asks of the stack: the same, or more than any stack has where native code may stand for
  // the function. So calls look for it without a test of their own.
  mutable std::atomic<std::uint32_t> entry_size{0};
  mutable std::atomic<void*> hot{nullptr};  // that code (vm/hot_code.hpp)
  void set_frame_size(std::uint16_t registers) {
    frame_size = registers;
    entry_size = registers;
  }
  std::vector<Instr> instrs;
  std::vector<std::uint16_t>
      live;  // registers in use at each instruction, operands apart; stubs: none
  std::vector<Value> constants;
  std::vector<FunctionProto*> functions;      // for MakeClosure
  std::vector<Span> spans;                    // one per instruction word
  std::vector<ArgumentSpans> argument_spans;  // ascending pc
};

struct FunctionProto : FunctionDef {
  std::vector<Capture> captures;
  std::vector<std::unique_ptr<CodeBlock>> arities;  // ascending params, variadic last
  const CodeBlock* by_count[6] = {};                // arity for 0..5 arguments, null if none
  const CodeBlock* find(std::uint32_t count) const {
    if (count < 6) return by_count[count];
    return find_slow(count);
  }
  const CodeBlock* find_slow(std::uint32_t count) const;
  void index();  // fills by_count
};

// The code of a function or query: every FunctionDef that a value points to is the beginning of a FunctionProto.
inline const FunctionProto* proto_of(const Closure* c) {
  return static_cast<const FunctionProto*>(c->function);
}
inline const FunctionProto* proto_of(const Query* q) {
  return static_cast<const FunctionProto*>(q->function);
}

const char* op_name(Op op);
int op_words(Op op);                                     // extension words
std::string disassemble(const FunctionProto& function);  // with nested functions
// Checks registers, jumps, constants and live marks; empty when they hold.
std::string verify(const FunctionProto& function);

}  // namespace chancel
