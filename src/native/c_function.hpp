// SPDX-License-Identifier: Apache-2.0
// One function of the form as C: how emit_c.cpp and emit_c_operations.cpp share the work.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "native/emit_c.hpp"

namespace chancel::native {

const char* c_type(segment::Type type);
// The field of a cn_value that holds a number of the type.
const char* c_field(segment::Type type);

class CFunction {
 public:
  CFunction(const segment::Function& function, Tables& tables);
  std::string segment();
  std::string plain();  // a function or a loop

 private:
  using ValueId = segment::ValueId;
  using BlockId = segment::BlockId;
  using Instruction = segment::Instruction;

  // --- emit_c.cpp ---
  void line(const std::string& text) { out_ += "    " + text + "\n"; }
  void write_code(const segment::Block& block, segment::Rate rate);
  void write_end(const Instruction& last, BlockId next);
  void write_blocks(const std::vector<BlockId>& blocks, BlockId after);
  void write_section(const std::vector<BlockId>& path, segment::Rate rate);
  void moves(const std::vector<ValueId>& to, const std::vector<ValueId>& from);
  std::vector<BlockId> reached_from(std::vector<BlockId> open, BlockId end) const;
  void begin_particles(bool draws);
  void begin_particle(bool draws, bool given);
  bool block_draws(BlockId b) const;
  std::string variables() const;

  // --- emit_c_operations.cpp ---
  void operation(const Instruction& i);
  void rest(const Instruction& i);
  void score_table(const Instruction& i);
  // What the value of an instruction is; empty: it is more than an expression.
  std::string expression(const Instruction& i);
  std::string call(const Instruction& i);
  // The interpreter takes over.
  const char* exit_of(const Instruction& i) const;
  void assign(const Instruction& i, const std::string& value);
  void leave_unless(const Instruction& i, const std::string& condition);
  // A value: a variable, a literal, or a box around one of them.
  std::string text(ValueId v) const;
  std::string text(const Instruction& i, std::size_t operand) const {
    return text(i.operands[operand]);
  }
  std::string constant(const Value& v, segment::Type type) const;
  std::string object(const Instruction& i, std::size_t operand, const char* type) const;
  std::string pointer(const void* p) const;
  std::string list(const Instruction& i,
                   std::size_t count) const;  // of the first operands, as an array
  bool is_inline(ValueId v) const { return inline_[v] != segment::kNoValue; }
  // The variable that the text of a value reads.
  ValueId source_of(ValueId v) const { return is_inline(v) ? inline_[v] : v; }

  const segment::Function& f_;
  Tables& tables_;
  std::vector<ValueId> inline_;  // of boxes: what is in them
  std::string out_;
  std::vector<std::pair<ValueId, std::int64_t>> tables_of_scores_;
  std::map<std::pair<std::uint32_t, std::vector<ValueId>>, std::size_t> commons_;
};

}  // namespace chancel::native
