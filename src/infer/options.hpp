// SPDX-License-Identifier: Apache-2.0
// Reads the options of an engine. Names have been checked against the engine's list before
// (make_engine); here values are checked: a bad one is I002 that says what would be good.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "infer/engine.hpp"

namespace chancel {

class OptionReader {
 public:
  static constexpr std::uint64_t kMostInteger = 0xfffffff0u;
  OptionReader(const char* engine, const std::vector<OptionValue>& options, DiagnosticSink& sink)
      : engine_(engine), options_(options), sink_(sink) {}

  std::uint64_t integer(const char* name, std::uint64_t otherwise, std::uint64_t least,
                        std::uint64_t most = kMostInteger);
  double real(const char* name, double otherwise, double least, double most);
  bool boolean(const char* name, bool otherwise);
  // One of the words (given as keyword, symbol or string).
  std::string word(const char* name, const char* otherwise,
                   std::initializer_list<const char*> words);
  bool given(const char* name) const { return find(name) != nullptr; }
  bool ok() const { return ok_; }

 private:
  const Value* find(const char* name) const;
  void bad(const char* name, const std::string& wanted, const Value& got);

  const char* engine_;
  const std::vector<OptionValue>& options_;
  DiagnosticSink& sink_;
  bool ok_ = true;
};

}  // namespace chancel
