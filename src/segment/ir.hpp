// SPDX-License-Identifier: Apache-2.0
// The form of a segment between bytecode and machine code: blocks of instructions in static single
// assignment, with block parameters in place of phi functions. A segment takes one particle from a
// resume point to the next; the particles of a batch run the same code.
//
// A value has a type and a rate. Rates say for whom a value is computed: once for the batch, once for
// a family (particles with the same parent), or for each particle. An instruction's rate is at least
// that of its operands.
//
// Blocks are straight as long as all particles that take the path come through them in one state:
// the first block, what follows a branch on a condition of batch rate (emitters choose among such
// paths before the loop over particles), and the `merge` of a branch whose two ways only choose
// values. From the other blocks on particles differ.
//
// Heap objects are immutable, so loads from them are pure. Nothing that a segment does has an effect
// before the block ends in Rest or Finish: a particle may leave at every instruction marked L, and the
// interpreter then runs it from the segment's start.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "value/value.hpp"

namespace chancel::segment {

enum class Type : std::uint8_t { Bool, Int, Double, Any, Address, None };
enum class Rate : std::uint8_t { Batch, Family, Particle };

enum class Opcode : std::uint8_t {
#define CHANCEL_SEGMENT_OP(name, result, flags) name,
#include "segment/operations.def"
#undef CHANCEL_SEGMENT_OP
  Count_
};

struct OpcodeInfo {
  const char* name;
  Type result;  // None with `typed`: the instruction says it
  bool typed;
  bool pure, total, allocates, host, leaves, state, ends;
  // It may be executed for more than one particle at once.
  bool shareable() const { return !state && !ends; }
  bool removable() const { return (pure || allocates) && !leaves && !host; }
  // Where it has been executed with these operands, doing so again changes nothing.
  bool mergeable() const { return shareable() && !allocates && !host; }
};
const OpcodeInfo& about(Opcode opcode);

using ValueId = std::uint32_t;
using BlockId = std::uint32_t;
inline constexpr ValueId kNoValue = ~ValueId{0};
inline constexpr BlockId kNoBlock = ~BlockId{0};

struct Instruction {
  Opcode opcode = Opcode::Leave;
  Rate rate = Rate::Particle;  // for whom it is executed
  Tag tag = Tag::Nil;
  ValueId result = kNoValue;
  std::vector<ValueId> operands;
  std::int64_t number = 0;
  std::int64_t index = 0;
  const void* object = nullptr;
  const void* other = nullptr;
  std::array<BlockId, 2> targets{kNoBlock, kNoBlock};  // of Jump and Branch
  BlockId merge =
      kNoBlock;  // of a Branch in a straight block: where both ways meet again, straight
};

struct Block {
  std::vector<ValueId> parameters;
  std::vector<Instruction> code;  // the last one ends the block
  bool straight = false;
};

// How a particle rests at a resume point. Operands of the instruction: the score, then the common
// values, and what the row holds: values, objects, numbers.
struct RestPlan {
  std::uint32_t point = 0;                                          // resume point
  std::uint32_t site = 0;                                           // of the observe
  std::uint32_t common = 0, values = 0, pointers = 0, numbers = 0;  // operands
  std::uint64_t applications = 0;                                   // not yet counted
  bool given = false;     // the score is added to the densities of given draws
  bool together = false;  // all particles of the path rest here, with the same side state
  bool only_common =
      false;  // particles hold no part of the common objects themselves (pass `escape`)
};

enum class Form : std::uint8_t {
  Segment,   // particles with their own draws
  Future,    // particles that take given draws
  Function,  // one call of a function that draws nothing
  Loop,      // a loop of the interpreter, on its registers
};

struct ValueInfo {
  Type type = Type::None;
  Rate rate = Rate::Particle;
  bool is_constant = false;
  Value constant = Value::nil();
};

struct Function {
  Form form = Form::Segment;
  std::uint32_t number = 0;  // of the resume point, or of the function in its unit
  std::vector<ValueInfo> values;
  std::vector<Block> blocks;  // the first is where it begins
  std::vector<RestPlan> rests;
  std::uint32_t row_values = 0, row_pointers = 0, row_numbers = 0;  // of the rows that it takes
  // Of a function: its parameters, whether the closure precedes them, and what it returns (None:
  // nothing, as far as is known).
  std::vector<Type> parameters;
  bool takes_self = false;
  Type returns = Type::None;

  const ValueInfo& operator[](ValueId v) const { return values[v]; }
  std::size_t size() const;  // instructions
};

const char* name_of(Type type);
const char* name_of(Rate rate);
// The blocks that control may reach next, in order.
inline std::vector<BlockId> successors(const Block& block) {
  std::vector<BlockId> out;
  if (!block.code.empty())
    for (const BlockId b : block.code.back().targets)
      if (b != kNoBlock) out.push_back(b);
  return out;
}

// As text, for `chancel dump --pass segments` and tests.
std::string print(const Function& function);
std::string print(const Function& function, const Instruction& instruction);

// The first rule of the form that is broken; empty: none.
std::string broken_rule(const Function& function);

}  // namespace chancel::segment
