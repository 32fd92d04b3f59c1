// SPDX-License-Identifier: Apache-2.0
// See emit_c.hpp. Operations are in emit_c_operations.cpp.
#include "native/emit_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "native/c_function.hpp"

namespace chancel::native {

using namespace segment;  // but for Block, which is another one there

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

const char* c_type(Type type) {
  switch (type) {
    case Type::Int:
      return "int64_t";
    case Type::Double:
      return "double";
    case Type::Any:
      return "cn_value";
    case Type::Address:
      return "const void*";
    default:
      return "int";
  }
}

const char* c_field(Type type) {
  return type == Type::Any ? "" : type == Type::Double ? ".u.d" : ".u.i";
}

// --- blocks ---

void CFunction::write_code(const segment::Block& block, Rate rate) {
  for (const Instruction& i : block.code)
    if (i.rate == rate && !about(i.opcode).ends) operation(i);
}

void CFunction::write_end(const Instruction& last, BlockId next) {
  if (last.opcode == Opcode::Jump) {
    moves(f_.blocks[last.targets[0]].parameters, last.operands);
    if (last.targets[0] != next) line(fmt::format("goto block_{};", last.targets[0]));
  } else if (last.opcode == Opcode::Branch) {
    line(fmt::format("if (!({})) goto block_{};", text(last.operands[0]), last.targets[1]));
    if (last.targets[0] != next) line(fmt::format("goto block_{};", last.targets[0]));
  } else {
    operation(last);
  }
}

// All at once: what is read may be written.
void CFunction::moves(const std::vector<ValueId>& to, const std::vector<ValueId>& from) {
  std::string copies, assignments;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == from[i]) continue;
    const std::string v = text(from[i]);
    // Boxed numbers name the variable inside.
    const ValueId read = source_of(from[i]);
    const bool written = std::find(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(i), read) !=
                         to.begin() + static_cast<std::ptrdiff_t>(i);
    if (written) copies += fmt::format("{} t{} = {}; ", c_type(f_[from[i]].type), i, v);
    assignments +=
        written ? fmt::format("v{} = t{}; ", to[i], i) : fmt::format("v{} = {}; ", to[i], v);
  }
  if (!assignments.empty()) line("{ " + copies + assignments + "}");
}

// The blocks that control reaches from these without passing `end`, in an order in which most jumps
// fall through.
std::vector<BlockId> CFunction::reached_from(std::vector<BlockId> open, BlockId end) const {
  std::vector<BlockId> out;
  std::vector<bool> met(f_.blocks.size());
  if (end != kNoBlock) met[end] = true;
  while (!open.empty()) {
    const BlockId b = open.back();
    open.pop_back();
    if (met[b]) continue;
    met[b] = true;
    out.push_back(b);
    const std::vector<BlockId> next = successors(f_.blocks[b]);
    open.insert(open.end(), next.rbegin(), next.rend());
  }
  return out;
}

void CFunction::write_blocks(const std::vector<BlockId>& blocks, BlockId after) {
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const segment::Block& block = f_.blocks[blocks[k]];
    out_ += fmt::format("    block_{}:;\n", blocks[k]);
    for (const Instruction& i : block.code)
      if (!about(i.opcode).ends) operation(i);
    write_end(block.code.back(), k + 1 < blocks.size() ? blocks[k + 1] : after);
  }
}

// --- segments ---

namespace {

// The straight blocks that one path consists of.
struct Path {
  std::vector<BlockId> blocks;
  std::size_t shared =
      0;  // the first of them, whose batch code has run for the path that it forked from
  int label = -1;
};

}  // namespace

void CFunction::write_section(const std::vector<BlockId>& path, Rate rate) {
  for (const BlockId b : path) {
    const segment::Block& block = f_.blocks[b];
    write_code(block, rate);
    const Instruction& last = block.code.back();
    if (last.merge == kNoBlock || last.rate != rate) continue;
    write_end(last, last.targets[0]);
    write_blocks(reached_from({last.targets[1], last.targets[0]}, last.merge), last.merge);
    out_ += fmt::format("    block_{}:;\n", last.merge);
  }
}

std::string CFunction::segment() {
  const bool given = f_.form == Form::Future;
  std::deque<Path> paths{{{0}, 0, -1}};
  int labels = 0;
  while (!paths.empty()) {
    Path path = std::move(paths.front());
    paths.pop_front();
    if (path.label >= 0) out_ += fmt::format("fork_{}:;\n", path.label);
    // Code of batch rate, with the choice among paths.
    for (std::size_t k = path.shared; k < path.blocks.size(); ++k) {
      const segment::Block& block = f_.blocks[path.blocks[k]];
      write_section({path.blocks[k]}, Rate::Batch);
      const Instruction& last = block.code.back();
      if (last.merge != kNoBlock) {
        path.blocks.push_back(last.merge);
      } else if (last.opcode == Opcode::Branch && last.rate == Rate::Batch) {
        Path other = path;
        other.blocks.push_back(last.targets[1]);
        other.shared = path.blocks.size();
        other.label = labels++;
        line(fmt::format("if (!({})) goto fork_{};", text(last.operands[0]), other.label));
        paths.push_back(std::move(other));
        path.blocks.push_back(last.targets[0]);
      } else if (last.opcode == Opcode::Jump && f_.blocks[last.targets[0]].straight) {
        path.blocks.push_back(last.targets[0]);
      }
    }
    const Instruction& end = f_.blocks[path.blocks.back()].code.back();
    const std::vector<BlockId> rest = reached_from(
        end.opcode == Opcode::Branch ? std::vector<BlockId>{end.targets[1], end.targets[0]}
        : end.opcode == Opcode::Jump ? std::vector<BlockId>{end.targets[0]}
                                     : std::vector<BlockId>{},
        kNoBlock);
    std::vector<BlockId> all = rest;
    for (const BlockId b : path.blocks) {
      all.push_back(b);
      const Instruction& last = f_.blocks[b].code.back();
      if (last.merge == kNoBlock) continue;
      const std::vector<BlockId> region =
          reached_from({last.targets[0], last.targets[1]}, last.merge);
      all.insert(all.end(), region.begin(), region.end());
    }
    const bool draws =
        std::any_of(all.begin(), all.end(), [&](BlockId b) { return block_draws(b); });
    begin_particles(draws);
    write_section(path.blocks, Rate::Family);
    begin_particle(draws, given);
    write_section(path.blocks, Rate::Particle);
    write_end(end, rest.empty() ? kNoBlock : rest[0]);
    write_blocks(rest, kNoBlock);
    out_ += "  }\n  b->made += made;\n  b->ended += ended;\n  return CN_DONE;\n";
  }
  std::string whole =
      fmt::format("int {}_{}(cn_batch* b) {{\n", given ? "future" : "segment", f_.number);
  whole += variables();
  if (given) whole += "  double sum;\n  size_t taken;\n";
  whole +=
      "  size_t i, ended = 0;\n  const void* last = 0;\n"
      "  uint64_t applications, made = 0, steps = 0;\n  void* predicts;\n"
      "  double key;\n  cn_stream s;\n  uint64_t ahead[2][CN_AHEAD];\n  s.key = b->key;\n"
      "  s.source = b->source;\n";
  whole += out_;
  whole +=
      "bail:\n  b->begin = i;\n  b->made += made;\n  b->ended += ended;\n  return CN_BAIL;\n"
      "other:\n  b->begin = i;\n  b->made += made;\n  b->ended += ended;\n  return "
      "CN_OTHER;\n}\n\n";
  return whole;
}

void CFunction::begin_particles(bool draws) {
  const char* const begins = f_.row_values > 0     ? "CN_VALUE_FIRST"
                             : f_.row_pointers > 0 ? "CN_OBJECT_FIRST"
                                                   : "CN_NUMBER_FIRST";
  out_ += fmt::format(
      "  for (i = b->begin; i < b->end; {}++i) {{\n",
      draws ? "CN_STREAMS_GO_ON ? (b->drawn[i] = s.drawn) : 0, CN_KEYS ? (b->keys[i] = key) : 0, "
            : "CN_KEYS ? (b->keys[i] = 0) : 0, ");
  out_ += fmt::format(
      "    const cn_execution* x;\n"
      "    const void* const before = cn_before(b, i, {0}, {1}, CN_IN_BLOCKS_{2}, &x);\n"
      "    if (unlikely(!before)) goto other;\n"
      "    if (before != last) {{\n"
      "    const cn_value* const row = cn_values_of(b, before, CN_IN_BLOCKS_{2});\n"
      "    if (unlikely(!row)) goto other;\n"
      "    b->world = x->world;\n",
      16 * f_.row_values + 8 * (f_.row_pointers + f_.row_numbers), begins, f_.number);
}

void CFunction::begin_particle(bool draws, bool given) {
  out_ +=
      "    last = before;\n    }\n"
      "    b->world = x->world;\n    applications = x->applications;\n"
      "    predicts = x->predicts;\n";
  if (given) out_ += "    sum = b->log_weight[i];\n    taken = 0;\n";
  if (draws) out_ += "    cn_begin_draws(b, i, &s, ahead);\n    key = 0;\n";
}

bool CFunction::block_draws(BlockId b) const {
  return std::any_of(f_.blocks[b].code.begin(), f_.blocks[b].code.end(), [](const Instruction& i) {
    return i.opcode >= Opcode::DrawNormal && i.opcode <= Opcode::SetKeyOf;
  });
}

std::string CFunction::variables() const {
  std::string out;
  for (const Type type : {Type::Bool, Type::Int, Type::Double, Type::Any, Type::Address}) {
    std::string names;
    const auto add = [&](ValueId v) {
      if (v != kNoValue && f_[v].type == type && !is_inline(v))
        names += fmt::format("{}v{}", names.empty() ? "" : ", ", v);
    };
    for (const segment::Block& b : f_.blocks) {
      for (const ValueId v : b.parameters) add(v);
      for (const Instruction& i : b.code) add(i.result);
    }
    // `const void* v1, v2` would declare one pointer.
    if (type == Type::Address) {
      for (std::size_t at = names.find(", v"); at != names.npos; at = names.find(", v", at + 3))
        names.insert(at + 2, "*");
    }
    if (!names.empty()) out += fmt::format("  {} {};\n", c_type(type), names);
  }
  for (const auto& [table, size] : tables_of_scores_)
    out += fmt::format("  double t{}[{}];\n", table, size);
  for (std::size_t c = 0; c < commons_.size(); ++c)
    out += fmt::format("  cn_common* c{} = 0;\n", c);
  return out;
}

// --- functions and loops ---

namespace {

std::string signature_of(const Function& f) {
  std::string text =
      fmt::format("static {} function_{}(cn_batch* b",
                  c_type(f.returns == Type::None ? Type::Bool : f.returns), f.number);
  if (f.takes_self) text += ", cn_value self";
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    text += fmt::format(", {} p{}", c_type(f.parameters[i]), i);
  return text + ")";
}

// Calls the function with what the registers hold.
std::string entry_of(const Function& f) {
  std::string arguments = f.takes_self ? ", registers[-1]" : "";
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    arguments += fmt::format(", registers[{}]{}", i, c_field(f.parameters[i]));
  const Type type = f.returns == Type::None ? Type::Any : f.returns;
  const char* const box = type == Type::Int      ? "cn_int"
                          : type == Type::Double ? "cn_real"
                          : type == Type::Bool   ? "cn_bool"
                                                 : "";
  return fmt::format(
      "int64_t entry(cn_batch* b, cn_value* registers) {{\n  {} given = function_{}(b{});\n"
      "  if (b->status) return -1;\n  b->results[0] = {}(given);\n  return 0;\n}}\n",
      c_type(type), f.number, arguments, box);
}

}  // namespace

std::string CFunction::plain() {
  const bool loop = f_.form == Form::Loop;
  write_blocks(reached_from({0}, kNoBlock), kNoBlock);
  std::string whole =
      (loop ? "int64_t entry(cn_batch* b, cn_value* registers)" : signature_of(f_)) + " {\n";
  whole += variables() + "  uint64_t applications = b->applications, steps = 0;\n";
  if (!loop)
    whole +=
        "  if (unlikely((char*)__builtin_frame_address(0) < b->stack_end)) goto bail;\n"
        "  if (unlikely(--b->calls_left < 0) && b->should_stop(b)) goto bail;\n";
  whole += out_ + "bail:\n";
  whole += loop                      ? "  return -1;\n"
           : f_.returns == Type::Any ? "  b->status = 1;\n  return cn_make(CN_NIL, 0);\n"
                                     : "  b->status = 1;\n  return 0;\n";
  return whole + "}\n\n";
}

std::string emit_c(const Function& function, Tables& tables) {
  CFunction c(function, tables);
  return function.form < Form::Function ? c.segment() : c.plain();
}

std::string emit_c_stub(Form form, std::size_t number) {
  return fmt::format("int {}_{}(cn_batch* b) {{ return CN_NONE; }}\n",
                     form == Form::Future ? "future" : "segment", number);
}

std::string emit_c_unit(const std::vector<Function>& functions, Tables& tables) {
  std::string text, bodies;
  for (const Function& f : functions) {
    if (f.form == Form::Function) text += signature_of(f) + ";\n";
    bodies += emit_c(f, tables);
  }
  const Function& first = functions.front();
  return text + bodies + (first.form == Form::Function ? entry_of(first) : "");
}

std::string emit_c_point(std::size_t number, bool in_blocks) {
  return fmt::format("#define CN_IN_BLOCKS_{} {}\n", number, in_blocks ? "CN_BLOCKS" : "0");
}

}  // namespace chancel::native
