// SPDX-License-Identifier: Apache-2.0
// An execution at rest without frames: a Row holds what differs between executions that stand at the
// same resume point, a Common what they share there. Native code (src/native) makes and takes rows;
// a resume point describes how the frames of the contract (vm/frame.hpp) are made of them when the
// interpreter has to continue. Like frames, rows and commons are never written after they have been
// made.
#pragma once
#include <optional>
#include <vector>

#include "vm/frame.hpp"

namespace chancel {

enum class SlotIn : std::uint8_t {
  Nowhere,   // never read: nil
  Constant,  // of the resume point
  Common,
  Value,    // the rest is in the row: values first,
  Pointer,  // then objects of a kind that the resume point gives,
  Int,      // then numbers
  Double,
  Bool,
  Virtual,  // an object that native code did not make: the resume point has the places of its parts
};
// What native code knows of a value: frames of the interpreter that hold others are not turned into rows.
struct ValueRule {
  std::optional<Value> constant;
  std::optional<Tag> tag;
  const void* kind = nullptr;   // of a closure its code, of a distribution or process its type
  std::vector<ValueRule> held;  // what a closure has captured
  bool holds(const Value& v) const;
};
struct SlotPlace {
  SlotIn in = SlotIn::Nowhere;
  std::uint32_t index = 0;
  std::uint32_t rule = 0;  // of a value: its place in the rules, plus one; 0: it may be anything
};

// A closure, a distribution, a vector or a map, made of what is in a row when the interpreter needs it.
struct VirtualPlace {
  struct Number {
    SlotPlace place;
    bool is_value;  // it is one of the values
  };
  Tag tag;
  const FunctionProto* proto;
  const DistType* distribution;
  std::vector<SlotPlace> values;  // of a map its keys and values in turn
  std::vector<Number> numbers;    // of a distribution its own; of a closure its mark
};

struct ResumeFrame {
  const CodeBlock* code;
  const Instr* pc;
  std::uint16_t dst;
  FrameKind kind;
  std::vector<SlotPlace> slots;
};

struct ResumePoint {
  std::vector<ResumeFrame> frames;  // the oldest first
  std::vector<Value> constants;     // immediate, or in a heap that stands still
  std::vector<ValueRule> rules;
  std::vector<VirtualPlace> virtual_objects;  // parts before what is made of them
  std::uint32_t common = 0;                   // values in the Common
  std::uint32_t values = 0;                   // values in a row
  std::uint32_t pointers = 0;
  std::uint32_t numbers = 0;
  Tag tag_of(const SlotPlace& pointer) const { return *rules[pointer.rule - 1].tag; }
  std::uint32_t site = 0;      // of the observe
  std::uint32_t segment = 0;   // of the native code that continues from here,
  const void* code = nullptr;  // and whose it is
};

struct Common : Object {
  const ResumePoint* point;
  std::uint64_t count;
  Value values[1];
};
struct Row : Object {  // aux = number of values; pointers and numbers follow them
  Common* common;
  Value values[1];
  Object** pointers() { return reinterpret_cast<Object**>(values + aux); }
  const std::uint64_t* words() const {
    return reinterpret_cast<const std::uint64_t*>(values + aux);
  }
  std::uint64_t* numbers() {
    return reinterpret_cast<std::uint64_t*>(values + aux) + common->point->pointers;
  }
};
inline std::size_t row_value_bytes(const ResumePoint& p) {
  return p.values * sizeof(Value) + std::size_t{8} * (p.pointers + p.numbers);
}
inline std::size_t row_bytes(const ResumePoint& p) {
  return sizeof(Row) - sizeof(Value) + row_value_bytes(p);
}
// Whether rows with the one stand where rows with the other do, with the same values in common.
bool same_common(const Common* a, const Common* b);

// The frames of a row.
Frame* frames_of(Arena& arena, const Row* row);
// The row of frames that stand at the point; null when they do not, or hold something else than it
// has room for. Common values are taken as they are.
Row* row_of(Arena& arena, const ResumePoint& point, const Frame* top, const Common* like);

}  // namespace chancel
