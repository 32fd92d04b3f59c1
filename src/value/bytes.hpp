// SPDX-License-Identifier: Apache-2.0
// Values as bytes, and back: for stored states, and for values that go from one process to another.
// A value is written as the program of a stack machine: its parts first, then how they are put
// together, so that neither writer nor reader is recursive and any depth of nesting works. What is
// shared is written once, also between the values of one writer. Reading gives the same value: same
// kinds (a list stays a list, a sorted map keeps its order, a range stays a range), same bits, same
// metadata, same iteration order.
//
// Numbers of all kinds, texts, names, collections, sequences that have been realised, records of
// the program, library functions and distributions made by their constructors can be written. What
// is an identity or code of one process cannot: functions of the program, queries, atoms, delays,
// random processes, exceptions, host objects, sequences that have not been evaluated.
//
// A reader trusts nothing: whatever the bytes, it gives a value that is well-formed, or an error.
// Memory is bounded by a multiple of their number, and by the room of the ByteReader. (MemoryLimit may be
// thrown, as by any builder, and RunStopped when the run must end: a few bytes can name a distribution
// that takes long to make.)
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "value/heap.hpp"
#include "value/value.hpp"

namespace chancel {

class RunWatch;
struct DistType;
struct NativeDef;
struct RecordType;

// What bytes name instead of holding it. Null: there is none with this name, and values that need
// it can neither be written nor read.
class ByteNames {
 public:
  virtual ~ByteNames() = default;
  virtual const NativeDef* native(std::string_view) const { return nullptr; }
  virtual const DistType* dist(std::string_view) const { return nullptr; }
  virtual const RecordType* record(std::string_view) const { return nullptr; }
};

class ValueWriter {
 public:
  // Nothing may be collected while the writer is in use.
  explicit ValueWriter(ByteWriter& to, const ByteNames* names = nullptr);
  ~ValueWriter();
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  // False: it cannot be written, and problem() says why; what has been written since is void.
  bool write(const Value& v);
  const std::string& problem() const { return problem_; }

 private:
  struct Open;  // a value whose parts are being written
  void value(const Value& v);
  void open(const Value& v);
  void close(const Open& done);
  void parts_of(const Value& v, std::vector<Value>& parts);
  void end_of_cells();
  void built(const Value& v) { places_.emplace(v.o, places_.size()); }
  bool refuse(std::string what);
  bool can_be_made_again(const Dist* d);

  ByteWriter& to_;
  const ByteNames* names_;
  std::vector<Open> open_;
  std::unordered_map<const Object*, std::uint64_t> places_;  // in the order of building
  std::uint64_t cells_ = 0;                                  // list cells that are built in a row
  std::unique_ptr<Heap> scratch_;
  std::string problem_;
};

class ValueReader {
 public:
  // `watch`: the run that waits for the values; null: nothing ends it.
  ValueReader(ByteReader& from, Arena& arena, const ByteNames* names = nullptr,
              RunWatch* watch = nullptr)
      : from_(from), arena_(arena), names_(names), watch_(watch) {}
  // The values in the order in which they were written. False: from.problem() says why.
  bool read(Value* out);

 private:
  bool step(std::uint8_t op);
  void push(const Value& v) {
    if (from_.charge(2 * sizeof(Value))) stack_.push_back(v);
  }
  void look();
  bool build(const Value& v);
  const Value* take(std::uint64_t count);  // the last `count` of the stack, off it; null: too few
  bool ratio();
  bool big_integer();
  bool cells();
  bool vector_seq();
  bool range();
  bool map(std::uint8_t op);
  bool set(std::uint8_t op);
  bool record();
  bool dist();
  bool comparator(const Value& v);
  bool fail(const char* why) { return from_.fail(why); }

  ByteReader& from_;
  Arena& arena_;
  const ByteNames* names_;
  RunWatch* watch_;
  std::uint32_t steps_ = 0;  // since it was asked
  std::vector<Value> stack_;
  std::vector<Value> built_;   // every object, in order
  Value meta_ = Value::nil();  // of the next one
};

}  // namespace chancel
