// SPDX-License-Identifier: Apache-2.0
// A program: global variables, code, constants, checkpoint sites and record types. It grows while a script is evaluated form by
// form and is only read while engines run. Constants live in a heap of their own that is never collected.
// An Image is the values of the globals at one moment, in a heap that nobody changes: what a run of inference sees. It is how
// a lazy sequence made earlier keeps the old definitions, and why many threads may read it without locks.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "bytecode/code.hpp"
#include "diag/source.hpp"
#include "value/heap.hpp"
#include "value/record.hpp"

namespace chancel {

enum class SiteKind : std::uint8_t { Sample, Observe };
struct Site {
  SiteKind kind;
  Span span;
  const Name* function;  // enclosing function, or null
};

class Program {
 public:
  Program() : constant_arena_(constant_heap_) {}
  SourceMap sources;
  // Source files up to this index belong to the library: messages point past them, into the user's text.
  std::uint32_t library_files = 0;
  bool is_library_file(std::uint32_t file) const { return file <= library_files; }

  Arena& constants() { return constant_arena_; }
  // Index of the global with this name; makes an unbound one if needed.
  std::uint32_t global(const Name* name);
  int find_global(const Name* name) const;
  const Name* global_name(std::uint32_t index) const { return names_[index]; }
  std::size_t global_count() const { return names_.size(); }

  FunctionProto* add_function();
  std::uint32_t add_site(SiteKind kind, Span span, const Name* function);
  const Site& site(std::uint32_t index) const { return sites_[index]; }
  std::size_t site_count() const { return sites_.size(); }
  RecordType* add_record_type();
  Value keep(const Value& v);  // a copy among the constants

  std::vector<Value> values;  // the host's globals, by index; unbound ones are unbound()
  static Value unbound() { return Value::native_fn(nullptr); }
  static bool is_unbound(const Value& v) { return v.is(Tag::Native) && v.native == nullptr; }

 private:
  Heap constant_heap_;
  Arena constant_arena_;
  std::vector<const Name*> names_;
  std::unordered_map<const Name*, std::uint32_t> index_;
  std::deque<std::unique_ptr<FunctionProto>> functions_;
  std::deque<Site> sites_;
  std::deque<RecordType> record_types_;
};

struct Image {
  std::shared_ptr<Program> program;
  Heap heap;
  Arena arena{heap};
  std::vector<Value> globals;
  // A copy of the program's globals as they are now.
  explicit Image(std::shared_ptr<Program> p);
};

}  // namespace chancel
