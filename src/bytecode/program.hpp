// SPDX-License-Identifier: Apache-2.0
// A program: global variables, code, constants, checkpoint sites and record types. It grows while a
// script is evaluated form by form and is only read while engines run. Constants live in a heap of
// their own that is never collected. An Image holds the values of the globals at one moment, in a
// heap that is not modified afterwards: what a run of inference sees. Therefore a lazy sequence
// made earlier keeps the old definitions, and many threads may read an image without locks.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/budget.hpp"
#include "diag/source.hpp"
#include "value/heap.hpp"
#include "value/record.hpp"

namespace chancel {

struct FunctionProto;  // bytecode/code.hpp
class HotCode;         // vm/hot_code.hpp

enum class SiteKind : std::uint8_t { Sample, Observe };
struct Site {
  SiteKind kind;
  Span span;
  const Name* function;  // enclosing function, or null
};

class Program {
 public:
  // Machines hold a pointer to the globals: they never move. 65 536 of them is more than any
  // program has.
  static constexpr std::size_t kMaxGlobals = 65536;
  Program();
  ~Program();
  SourceMap sources;
  // Source files of the library: messages point past them, into the user's text.
  std::vector<bool> library_files;
  void mark_library_file(std::uint32_t file) {
    if (library_files.size() <= file) library_files.resize(file + 1, false);
    library_files[file] = true;
  }
  bool is_library_file(std::uint32_t file) const {
    return file < library_files.size() && library_files[file];
  }

  Arena& constants() { return constant_arena_; }
  std::shared_ptr<HotCode> hot_code;  // null: all code is interpreted
  // Accounts for the memory of code; null: not accounted.
  Budget* budget = nullptr;
  void take(std::size_t bytes) {
    if (budget) budget->take(bytes);
  }
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
  std::deque<RecordType>& record_types() { return record_types_; }
  Value keep(const Value& v);  // a copy among the constants

  // Protocol methods that extend-type gives to classes: class -> method -> global.
  std::unordered_map<const Name*, std::unordered_map<const Name*, std::uint32_t>> extensions;

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
  // A copy of the program's globals as they are now: of those that are wanted, and of constants, which
  // are shared. The others are unbound.
  Image(std::shared_ptr<Program> p, const std::vector<bool>& wanted);
};

}  // namespace chancel
