// SPDX-License-Identifier: Apache-2.0
// Writes one segment in C: its variables, and code that runs once for a batch, once for a family
// (particles with the same parent, up to their first draw), or for each particle.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "native/abstract.hpp"

namespace chancel::native {

class Tables {  // shared by all segments of a query
 public:
  std::size_t constant(const Value& v);
  std::size_t pointer(const void* p);
  std::vector<Value> constants;
  std::vector<const void*> pointers;
};

class Writer {
 public:
  explicit Writer(Tables& tables) : tables_(tables) {}

  // A path through the code before the first branch that differs between particles.
  struct Texts {
    std::string label, batch, family, particle;
    bool draws = false;
  };
  Texts texts;
  bool straight = true;   // no such branch yet: uniform code runs once for the batch
  bool in_family = true;  // before the first draw
  bool given = false;     // draws are given, and their scores are added up

  std::uint32_t variable(Type type) {
    types_.push_back(type);
    return static_cast<std::uint32_t>(types_.size() - 1);
  }
  // An array of doubles.
  std::string array(std::size_t size) {
    arrays_.push_back(size);
    return fmt::format("t{}", arrays_.size() - 1);
  }
  std::string& here() { return straight && in_family ? texts.family : texts.particle; }
  void line(const std::string& text) { here() += "    " + text + "\n"; }
  // Emitted before all paths.
  void first_line(const std::string& text) { first_ += "  " + text + "\n"; }
  void batch_line(const std::string& text);
  // Assigns the expression to a new variable.
  AbstractValue compute(Type type, bool uniform, const std::string& expression);
  // Unless the condition holds, the interpreter continues.
  void guard(bool uniform, const std::string& condition);
  void bail(bool uniform) { guard(uniform, "0"); }

  // Whether particles of the path so far, or this text, may share structure with one of these
  // objects. Objects that the batch received as common values do not count: there is one copy of
  // them.
  bool particles_hold(const std::vector<std::uint32_t>& variables, const std::string& text) const;

  static std::string name(std::uint32_t variable) { return "v" + std::to_string(variable); }
  std::string boxed(const AbstractValue& k);   // an expression of cn_value
  std::string number(const AbstractValue& k);  // of int64_t or double, for the types Int and Double
  std::string real(const AbstractValue& k);    // of double, for both
  std::string truth(const AbstractValue& k);   // of int
  std::string object(const AbstractValue& k, const char* type);  // of a pointer
  std::string pointer(const void* p) { return fmt::format("b->pointers[{}]", tables_.pointer(p)); }

  // Completes a path of segment `index`; `entry` runs for each family before its text. Rows have
  // `bytes` bytes after their headers, and `begins` is the type of their first slot (kernels.h).
  void finish_path(const std::string& entry, std::size_t bytes, const char* begins,
                   std::size_t index);
  std::string function(std::size_t index) const;
  // A function other than a segment: without paths, and with `bail` as its last line.
  std::string plain_function(const std::string& signature, const std::string& entry,
                             const std::string& bail) const;
  static const char* c_type(Type type);
  // The common values of a batch.
  static constexpr const char* kGiven = "b->common->values[";
  // The field of a cn_value that holds a number of the type.
  static const char* field(Type type) {
    return type == Type::Any ? "" : type == Type::Double ? ".u.d" : ".u.i";
  }

 private:
  std::string variables() const;
  Tables& tables_;
  std::vector<Type> types_;
  std::vector<std::size_t> arrays_;
  std::vector<bool> given_;  // by variable: it is a common value of the batch
  std::vector<std::vector<std::uint32_t>> together_;  // objects mentioned by one line of the batch
  std::string first_, paths_;
};

}  // namespace chancel::native
