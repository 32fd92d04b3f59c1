// SPDX-License-Identifier: Apache-2.0
// Functions and distributions of the host program, for use by programs:
//
//   chancel::CompileOptions options;
//   options.functions.push_back({"haversine", 4, 4, [](chancel::NativeCall& call) {
//     return call.real(haversine(call.number(0), call.number(1), call.number(2), call.number(3)));
//   }});
//   auto model = chancel::Model::compile("(defquery q (predict :d (haversine 0 0 1 1)))", options);
//
// They are called on all threads of a run at the same time, and again for every particle, proposal
// and replay: a function must return the same value for the same arguments and have no side
// effects. Randomness comes from the argument of NativeDistribution::sample alone, so that a seed
// decides the draws. An exception becomes the failure of the run, with the place of the call.
#pragma once
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "chancel/value.hpp"

namespace chancel {

// What a native function throws to say which argument is wrong; any std::exception will do
// otherwise.
class BadArgument : public std::runtime_error {
 public:
  BadArgument(std::size_t argument, const std::string& message)
      : std::runtime_error(message), argument_(argument) {}
  std::size_t argument() const { return argument_; }

 private:
  std::size_t argument_;
};

// The arguments of a call, and where its answer is made. Good during the call.
class NativeCall {
 public:
  std::size_t size() const { return arguments_.size(); }
  const ValueView& operator[](std::size_t index) const { return arguments_[index]; }
  double number(std::size_t index) const;                // throws BadArgument
  std::int64_t integer(std::size_t index) const;         // throws BadArgument
  std::vector<double> numbers(std::size_t index) const;  // of a collection; throws BadArgument
  // The answer, in the run's own memory.
  ValueView nil() const { return ValueMaker::nil(); }
  ValueView boolean(bool value) const { return ValueMaker::boolean(value); }
  ValueView integer_value(std::int64_t value) const { return ValueMaker::integer(value); }
  ValueView real(double value) const { return ValueMaker::real(value); }
  ValueView keyword(std::string_view name) const { return ValueMaker::keyword(name); }
  ValueView string(std::string_view text) const;
  ValueView vector(const std::vector<ValueView>& items) const;
  ValueView reals(const std::vector<double>& items) const;
  ValueView map(const std::vector<std::pair<ValueView, ValueView>>& entries) const;

 private:
  friend struct NativeAccess;
  std::vector<ValueView> arguments_;
  void* arena_ = nullptr;
};

// The random numbers of one draw.
class Randomness {
 public:
  double uniform();      // [0, 1)
  double normal();       // standard
  double exponential();  // standard
  std::uint64_t bits();

 private:
  friend struct NativeAccess;
  void* stream_ = nullptr;
};

struct NativeFunction {
  std::string name;
  int min_arguments = 0;
  int max_arguments = -1;  // -1 = any number
  std::function<ValueView(NativeCall&)> call;
  std::string signature;  // "[lat lon]", for messages and the REPL
  std::string doc;
};

struct NativeDistribution {
  std::string name;
  // Names: (name a b) takes as many, and (:a d) reads them back.
  std::vector<std::string> parameters;
  bool discrete = false;                              // log_prob is of a mass
  std::function<void(NativeCall& parameters)> check;  // throws when they are not good; may be empty
  std::function<ValueView(NativeCall& parameters, Randomness& random)> sample;
  // -infinity outside of the support.
  std::function<double(NativeCall& parameters, const ValueView& x)> log_prob;
  std::string doc;
};

}  // namespace chancel
