// SPDX-License-Identifier: Apache-2.0
// Mutated programs against the limits: takes the programs of the language tests, models and
// examples, cuts and splices them at form level, and checks, runs or infers each result under a
// small time and memory limit (see limits_oracle.hpp for what counts as a finding).
//
//   program_fuzz [--seconds N] [--cases N] [--seed S] [--only CASE] [--findings DIR] FOLDER...
//
// A case is named by seed and number; --only makes that case alone and prints it. Programs with a
// finding are written to the findings folder. Exit status 1: there were findings.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "chancel/chancel.hpp"
#include "form_tree.hpp"
#include "limits_oracle.hpp"

namespace chancel::fuzz {
namespace {

constexpr double kSeconds = 0.4;
constexpr std::size_t kBytes = std::size_t{64} << 20;

class Mutator {
 public:
  Mutator(const std::vector<Form>& programs, std::uint64_t seed)
      : programs_(programs), rng_(seed) {}

  Form program() {
    Form made = programs_[below(programs_.size())];
    for (std::size_t n = 1 + below(6); n > 0; --n) change(made);
    return made;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_()) % n; }

 private:
  // A place in the tree: a list of parts that is not empty, and one of them.
  struct Place {
    std::vector<Form>* parts;
    std::size_t at;
    Form& form() const { return (*parts)[at]; }
  };

  Place place_in(Form& program) {
    std::vector<Form>* parts = &program.parts;
    for (;;) {
      const std::size_t at = below(parts->size());
      std::vector<Form>& inner = (*parts)[at].parts;
      if (inner.empty() || below(4) == 0) return {parts, at};
      parts = &inner;
    }
  }

  Form extreme() {
    static constexpr const char* kTokens[] = {"0",
                                              "-1",
                                              "1",
                                              "2.5",
                                              "9223372036854775807",
                                              "-9223372036854775808",
                                              "##NaN",
                                              "##Inf",
                                              "##-Inf",
                                              "1e308",
                                              "1e-310",
                                              "1/3",
                                              "nil",
                                              "true",
                                              "\"\"",
                                              "\\a",
                                              ":k",
                                              "x",
                                              "conj",
                                              "+",
                                              "range",
                                              "normal",
                                              "identity",
                                              "%1"};
    static constexpr const char* kForms[] = {"[]",
                                             "{}",
                                             "#{}",
                                             "(range)",
                                             "(range 100000)",
                                             "(repeat 1)",
                                             "(vec (range 1000000))",
                                             "(iterate (fn [x] [x x]) 1)",
                                             "(nth (iterate (fn [x] [x x]) 1) 60)",
                                             "(repeatedly (fn [] 1))",
                                             "(loop [] (recur))",
                                             "(eval (quote (+ 1 2)))",
                                             "(sample (normal 0 1))",
                                             "(observe (flip 0.5) true)",
                                             "(predict :x (range 10))",
                                             "(throw (ex-info \"m\" {}))",
                                             "(lazy-seq [1 2])",
                                             "(atom 0)",
                                             "(str (range 100))",
                                             "(keyword (str (rand)))"};
    if (below(2) == 0) return {kTokens[below(std::size(kTokens))], 0, {}};
    return parse_forms(kForms[below(std::size(kForms))]).parts[0];
  }

  // The form inside another one.
  Form wrapped(Form form) {
    static constexpr const char* kWraps[] = {
        "(let [v HERE] v)",
        "(eval (quote HERE))",
        "(do HERE)",
        "((fn [] HERE))",
        "[HERE HERE]",
        "(try HERE (catch Exception e e))",
        "(map identity HERE)",
        "(if HERE 1 2)",
        "(quote HERE)",
        "(doall HERE)",
        "(for [i (range 3)] HERE)",
        "(loop [i 0] (if (< i 3) (do HERE (recur (inc i))) i))",
        "{:a HERE}",
        "(apply str HERE)"};
    Form wrap = parse_forms(kWraps[below(std::size(kWraps))]).parts[0];
    put(wrap, form);
    return wrap;
  }
  static void put(Form& in, const Form& form) {
    for (Form& part : in.parts) {
      if (part.token == "HERE")
        part = form;
      else
        put(part, form);
    }
  }

  void change(Form& program) {
    if (program.parts.empty()) program.parts.push_back(extreme());
    const Place place = place_in(program);
    switch (below(10)) {
      case 0:
        place.parts->erase(place.parts->begin() + static_cast<std::ptrdiff_t>(place.at));
        break;
      case 1: {
        const Form copy = place.form();
        place.parts->insert(place.parts->begin() + static_cast<std::ptrdiff_t>(place.at), copy);
        break;
      }
      case 2:
      case 3: {
        Form other = programs_[below(programs_.size())];
        if (other.parts.empty()) break;
        place.form() = place_in(other).form();
        break;
      }
      case 4:
        std::swap(place.form(), (*place.parts)[below(place.parts->size())]);
        break;
      case 5:
      case 6:
        place.form() = extreme();
        break;
      case 7:
        place.form() = wrapped(place.form());
        break;
      case 8: {  // often
        if (below(4) != 0) break;
        const Form one = place.form();
        if (one.parts.size() > 100) break;
        place.parts->insert(place.parts->end(), std::size_t{1} << below(13), one);
        break;
      }
      default: {  // deep
        if (below(4) != 0 || place.form().parts.size() > 20) break;
        const bool vector = below(2) == 0;
        for (std::size_t n = std::size_t{1} << below(12); n > 0; --n) {
          Form shell{vector ? "[" : "(", vector ? ']' : ')', {}};
          if (!vector) shell.parts.push_back({"identity", 0, {}});
          shell.parts.push_back(std::move(place.form()));
          place.form() = std::move(shell);
        }
      }
    }
  }

  const std::vector<Form>& programs_;
  std::mt19937_64 rng_;
};

struct Case {
  std::string text;
  enum class Command { Check, Run, Infer } command;
  std::string engine;
};

Case make_case(const std::vector<Form>& programs, std::uint64_t seed, std::uint64_t number) {
  Mutator mutator(programs, seed * 1000003 + number);
  Case made{text_of(mutator.program()), Case::Command::Check, ""};
  const std::vector<EngineInfo> all = engines();
  made.command = static_cast<Case::Command>(mutator.below(3));
  made.engine = all[mutator.below(all.size())].name;
  return made;
}

std::string run_case(const Case& c) {
  CompileOptions options;
  options.limits.timeout = kSeconds;
  options.limits.max_memory = kBytes;
  options.limits.max_output = std::uint64_t{1} << 20;
  std::string messages;
  if (c.command == Case::Command::Check) {
    for (const Message& m : check(c.text, options).messages) messages += m.text + "\n";
  } else if (c.command == Case::Command::Run) {
    Script(options).evaluate(c.text, "fuzz", [](const Script::Result&) {});
  } else {
    Model model = Model::compile(c.text, options);
    InferOptions infer;
    infer.algorithm = c.engine;
    infer.samples = 50;
    infer.threads = 1;
    infer.limits = options.limits;
    Inference run = model.infer(model.default_query(), std::move(infer));
    while (run.next() != nullptr) {
    }
    for (const Message& m : run.statistics().warnings) messages += m.text + "\n";
  }
  return messages;
}

const char* name_of(Case::Command command) {
  return command == Case::Command::Check ? "check"
         : command == Case::Command::Run ? "run"
                                         : "infer";
}

std::vector<Form> read_programs(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto ending = entry.path().extension();
      if (entry.is_regular_file() && entry.file_size() < 16384 &&
          (ending == ".clj" || ending == ".vnt"))
        files.push_back(entry.path());
    }
  std::sort(files.begin(), files.end());
  std::vector<Form> programs;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    programs.push_back(parse_forms({std::string(std::istreambuf_iterator<char>(in), {})}));
    if (programs.back().parts.empty()) programs.pop_back();
  }
  return programs;
}

int main_with(int argc, char** argv) {
  double seconds = 1e9;
  std::uint64_t cases = ~std::uint64_t{0}, seed = 1, only = ~std::uint64_t{0};
  std::filesystem::path findings = "findings";
  std::vector<std::filesystem::path> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : "0"); };
    if (option == "--seconds")
      seconds = std::stod(value());
    else if (option == "--cases")
      cases = std::stoull(value());
    else if (option == "--seed")
      seed = std::stoull(value());
    else if (option == "--only")
      only = std::stoull(value());
    else if (option == "--findings")
      findings = value();
    else
      folders.emplace_back(std::filesystem::absolute(option));
  }
  if (folders.empty())
    for (const char* folder : {"test/lang", "models", "examples"})
      folders.push_back(std::filesystem::path(CHANCEL_SOURCE_DIR) / folder);
  const std::vector<Form> programs = read_programs(folders);
  if (programs.empty()) return fmt::print(stderr, "program_fuzz: no programs\n"), 66;
  findings = std::filesystem::absolute(findings);
  // Programs that write files do it in a folder of their own.
  std::string scratch = (std::filesystem::temp_directory_path() / "program_fuzz_XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr || chdir(scratch.c_str()) != 0) return 70;

  if (only != ~std::uint64_t{0}) {
    const Case c = make_case(programs, seed, only);
    fmt::print("{}\n;; {} {}\n", c.text, name_of(c.command), c.engine);
    fmt::print(";; {}\n", finding_of({2 * kSeconds, kBytes}, [&] { return run_case(c); }));
    return 0;
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t number = 0, found = 0;
  for (; number < cases && std::chrono::steady_clock::now() < end; ++number) {
    const Case c = make_case(programs, seed, number);
    // Compiling and inferring each have the limit.
    const CaseLimits limits{c.command == Case::Command::Infer ? 2 * kSeconds : kSeconds, kBytes};
    const std::string finding = finding_of(limits, [&] { return run_case(c); });
    if (finding.empty()) continue;
    ++found;
    std::filesystem::create_directories(findings);
    const auto file = findings / fmt::format("{}-{}.clj", seed, number);
    std::ofstream(file) << c.text << "\n;; " << name_of(c.command) << " " << c.engine << "\n";
    fmt::print("seed {} case {} ({} {}): {}\n  {}\n", seed, number, name_of(c.command), c.engine,
               finding, file.string());
    std::fflush(stdout);
  }
  std::filesystem::remove_all(scratch);
  fmt::print("{} cases, {} findings\n", number, found);
  return found == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chancel::fuzz

int main(int argc, char** argv) { return chancel::fuzz::main_with(argc, argv); }
