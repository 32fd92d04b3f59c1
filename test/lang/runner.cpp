// SPDX-License-Identifier: Apache-2.0
// Runs every program under test/lang in one process and compares what it gives with the comments in
// it:
//   ;; expect: VALUE          the form that ends on this line has this value (as pr prints it)
//   ;; expect-error: CODE     an error with this code is reported on this line
//   ;; expect-warning: CODE   a warning with this code points at this line; others are a mistake where one is
//                             expected
//   ;; expect-out: TEXT       the next printed line is TEXT
// .clj files are scripts; .vnt (Venture) and .fop (textbook) files are one query, of which one
// execution is run and whose predicts (in order) are compared with the expectations in order.
// Usage: lang_runner DIR [SUBSTRING | --native | --segment | --hot [SUBSTRING]]   (--native: particles are run by
// native code, --segment: by the segments that it is made of)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"
#include "vm/test_probe.hpp"

namespace {

struct Expectations {
  std::map<std::size_t, std::string> values;  // by line
  std::map<std::size_t, std::string> errors;
  std::multimap<std::size_t, std::string> warnings;
  std::vector<std::string> output;
};

std::string trim(std::string s) {
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.pop_back();
  while (!s.empty() && s.front() == ' ') s.erase(0, 1);
  return s;
}

Expectations read_expectations(const std::string& text) {
  Expectations out;
  std::istringstream in(text);
  std::string line;
  for (std::size_t n = 1; std::getline(in, line); ++n) {
    const auto take = [&](const char* mark) -> std::string {
      const std::size_t at = line.find(mark);
      if (at == std::string::npos) return "\1";
      const std::size_t from = at + std::string(mark).size();
      return trim(line.substr(from, line.find(";; expect", from) - from));  // a line may have two
    };
    if (const std::string v = take(";; expect:"); v != "\1") out.values[n] = v;
    if (const std::string v = take(";; expect-error:"); v != "\1") out.errors[n] = v;
    if (const std::string v = take(";; expect-warning:"); v != "\1") out.warnings.emplace(n, v);
    if (const std::string v = take(";; expect-out:"); v != "\1") out.output.push_back(v);
  }
  return out;
}

class Case {
 public:
  Case(std::string path, std::string text, chancel::Tier tier)
      : path_(std::move(path)), text_(std::move(text)), want_(read_expectations(text_)) {
    options_.tier = tier;
  }

  // Empty when everything is as expected.
  std::string run() {
    if (want_.values.empty() && want_.errors.empty() && want_.output.empty() &&
        want_.warnings.empty())
      return "expects nothing";
    options_.name = path_;
    options_.output = [this](std::string_view s) { printed_ += s; };
    options_.limits.max_memory = std::size_t{2} << 30;
    const char* const patience = std::getenv("CHANCEL_TEST_PATIENCE");  // under sanitizers
    options_.limits.timeout = 60 * (patience ? std::atof(patience) : 1);
    try {
      if (path_.ends_with(".clj"))
        script();
      else
        query();
      if (!want_.errors.empty())
        complain(want_.errors.begin()->first, "expected the error " + want_.errors.begin()->second);
    } catch (const chancel::Error& e) {
      errors(e);
    }
    compare_output();
    return problems_;
  }

 private:
  void complain(std::size_t line, const std::string& what) {
    problems_ += path_ + ":" + std::to_string(line) + ": " + what + "\n";
  }

  void script() {
    chancel::Script script(options_, 1);
    const bool warns = !want_.warnings.empty();
    script.evaluate(text_, path_, [&](const chancel::Script::Result& r) {
      for (const chancel::Message& m : r.warnings) {
        const auto [from, to] = want_.warnings.equal_range(m.line);
        const auto it = std::find_if(from, to, [&](const auto& w) { return w.second == m.code; });
        if (it != to)
          want_.warnings.erase(it);
        else if (warns)
          complain(m.line, "unexpected warning\n" + m.text);
      }
      const auto it = want_.values.find(r.line);
      if (it == want_.values.end()) return;
      if (r.text != it->second) complain(r.line, "expected " + it->second + "\n    got " + r.text);
      done_.insert(r.line);
    });
    for (const auto& [line, code] : want_.warnings) complain(line, "expected the warning " + code);
    missing_values();
  }

  void query() {
    chancel::CompileOptions options = options_;
    options.dialect = path_.ends_with(".vnt") ? "venture" : "textbook";
    auto model = chancel::Model::compile(text_, options);
    chancel::InferOptions infer;
    infer.algorithm = "importance";
    infer.samples = 1;
    infer.seed = 1;
    infer.threads = 1;
    auto run = model.infer(model.default_query(), infer);
    const chancel::Draw* draw = run.next();
    if (!draw) {
      complain(1, "no draw");
      return;
    }
    std::size_t i = 0;
    // One expectation per predict, in order; repeated labels would need care and are not used here.
    for (const auto& [line, value] : want_.values) {
      if (i >= draw->predicts.size()) {
        complain(line, "expected " + value + "\n    got nothing");
        continue;
      }
      const std::string got = draw->predicts[i].value.print();
      if (got != value) complain(line, "expected " + value + "\n    got " + got);
      ++i;
    }
  }

  void missing_values() {
    for (const auto& [line, value] : want_.values)
      if (!done_.contains(line))
        complain(line, "expected " + value + "\n    but no form ends here");
  }

  void errors(const chancel::Error& e) {
    bool first = true;
    for (const chancel::Message& m : e.messages()) {
      if (!m.error) continue;
      const auto it = want_.errors.find(m.line);
      if (first && (it == want_.errors.end() || it->second != m.code)) {
        complain(m.line, "unexpected error\n" + m.text);
        return;
      }
      first = false;
    }
  }

  void compare_output() {
    if (want_.output.empty()) return;
    std::istringstream in(printed_);
    std::string line;
    std::vector<std::string> got;
    while (std::getline(in, line)) got.push_back(trim(line));
    for (std::size_t i = 0; i < std::max(got.size(), want_.output.size()); ++i) {
      const std::string a = i < want_.output.size() ? want_.output[i] : "(nothing)";
      const std::string b = i < got.size() ? got[i] : "(nothing)";
      if (a != b) complain(0, "expected output " + a + "\n    got " + b);
    }
  }

  std::string path_;
  std::string text_;
  Expectations want_;
  chancel::CompileOptions options_;
  std::set<std::size_t> done_;
  std::string printed_;
  std::string problems_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: lang_runner DIR [SUBSTRING | --native | --segment]\n");
    return 64;
  }
  // --hot: loops and functions become native code almost at once.
  const bool hot = argc > 2 && std::string(argv[2]) == "--hot";
  const bool native = hot || (argc > 2 && std::string(argv[2]) == "--native");
  // Segments are evaluated: no compiler is needed.
  const bool evaluated = argc > 2 && std::string(argv[2]) == "--segment";
  const char* const part = native || evaluated ? (argc > 3 ? argv[3] : nullptr)
                           : argc > 2          ? argv[2]
                                               : nullptr;
  const chancel::Tier tier = native      ? chancel::Tier::Native
                             : evaluated ? chancel::Tier::Segment
                                         : chancel::Tier::Auto;
  const chancel::TestProbe probe{nullptr, 0, hot};
  chancel::TestProbe::of_process = &probe;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[1])) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".clj" && ending != ".vnt" && ending != ".fop") continue;
    if (entry.path().parent_path().filename() == "beside") continue;  // loaded by tests
    if (part && entry.path().string().find(part) == std::string::npos) continue;
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  int passed = 0, failed = 0;
  for (const auto& file : files) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    std::string problems;
    try {
      problems = Case(file.string(), text.str(), tier).run();
    } catch (const std::exception& e) {
      problems = file.string() + ": " + e.what() + "\n";
    }
    if (problems.empty()) {
      ++passed;
    } else {
      ++failed;
      std::printf("%s", problems.c_str());
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
