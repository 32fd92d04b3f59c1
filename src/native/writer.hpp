// SPDX-License-Identifier: Apache-2.0
// One segment in C: variables, what is done once for a batch, once for a family (particles with the
// same parent, up to their first draw), and for each particle.
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

  // A path is a way through the part before the first branch that differs between particles.
  struct Texts {
    std::string label, batch, family, particle;
    bool draws = false;
  };
  Texts texts;
  bool straight = true;   // no such branch yet: what is uniform is done for the batch
  bool in_family = true;  // nothing has been drawn yet
  bool given = false;     // draws are, and scores add up over them

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
  // Before all paths.
  void first_line(const std::string& text) { first_ += "  " + text + "\n"; }
  void batch_line(const std::string& text);
  // The result of an expression over these.
  Known compute(Type type, bool uniform, const std::string& expression);
  // Unless it holds, the interpreter goes on.
  void guard(bool uniform, const std::string& condition);
  void bail(bool uniform) { guard(uniform, "0"); }

  // Whether particles of the path so far, or this text, may hold a part of one of these objects, or one of them may hold
  // a part of what particles have. Objects that the batch was given do not count: they are there once.
  bool particles_hold(const std::vector<std::uint32_t>& variables, const std::string& text) const;

  static std::string name(std::uint32_t variable) { return "v" + std::to_string(variable); }
  std::string boxed(const Known& k);   // an expression of cn_value
  std::string number(const Known& k);  // of int64_t or double, for the types Int and Double
  std::string real(const Known& k);    // of double, for both
  std::string truth(const Known& k);   // of int
  std::string object(const Known& k, const char* type);  // of a pointer
  std::string pointer(const void* p) { return fmt::format("b->pointers[{}]", tables_.pointer(p)); }

  // The whole function, of the segment `index`; `entry` is done for each family before its text. Rows have so many bytes
  // behind their heads; `begins`: what they begin with (kernels.h).
  void finish_path(const std::string& entry, std::size_t bytes, const char* begins,
                   std::size_t index);
  std::string function(std::size_t index) const;
  // A function that is no segment: it has no paths, and `bail` is its last line.
  std::string plain_function(const std::string& signature, const std::string& entry,
                             const std::string& bail) const;
  static const char* c_type(Type type);
  // Where a batch is given its common values.
  static constexpr const char* kGiven = "b->common->values[";
  // Of a value, where it is a number of the type.
  static const char* field(Type type) {
    return type == Type::Any ? "" : type == Type::Double ? ".u.d" : ".u.i";
  }

 private:
  std::string variables() const;
  Tables& tables_;
  std::vector<Type> types_;
  std::vector<std::size_t> arrays_;
  std::vector<bool> given_;                           // by variable: a common value of the batch
  std::vector<std::vector<std::uint32_t>> together_;  // objects that a line of the batch mentions
  std::string first_, paths_;
};

}  // namespace chancel::native
