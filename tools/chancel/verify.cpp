// SPDX-License-Identifier: Apache-2.0
// chancel verify FILE [QUERY]: simulation-based calibration of a program with an engine, and how
// far engines agree on its own data.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "chancel/verify.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_file.hpp"
#include "program_options.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

namespace fs = std::filesystem;

constexpr int kNotUniform = 1;  // exit code

constexpr const char* kAbout =
    "Simulates data from the prior of a program, infers with an engine from each data set, and "
    "says "
    "whether the values\nthat the data were simulated with have uniform ranks among posterior "
    "draws, "
    "as they must (simulation-based\ncalibration). Ends with exit code 1 when they have not. With "
    "--agree, also compares engines on the program's own data.";
constexpr const char* kExamples =
    "  chancel verify coin.clj -a smc --particles 1000\n"
    "  chancel verify coin.clj --agree smc,lmh --out coin-check\n"
    "  chancel verify coin.clj --out coin-check --resume\n";

struct Options {
  ProgramOptions program;
  std::string file, query;
  std::string algorithm = "auto", algorithm_options, particles;
  std::string samples, warmup, burn = "0", thin = "1", seed = "1", threads = "0";
  std::string value, data, datasets = "200", false_alarm = "0.01", agree, out;
  bool resume = false, quiet = false;
};

OptionParser make_parser(Options& o) {
  OptionParser parser("chancel verify FILE [QUERY] [options]", kAbout, kExamples);
  parser.positional("FILE", &o.file, true);
  parser.positional("QUERY", &o.query, false);
  parser.group("Calibration");
  parser.option("--datasets", &o.datasets, "N", "data sets to simulate (200); 0 = none");
  parser.option("--false-alarm", &o.false_alarm, "P",
                "the most that a right program and engine fail (0.01)");
  parser.option("--agree", &o.agree, "ENGINES",
                "compare these engines, with commas between them, on the program's own data");
  parser.option("--seed", &o.seed, "N", "the same seed gives the same verdict (1)");
  parser.option("--threads", &o.threads, "N",
                "all cores when not given; never changes the verdict");
  parser.group("Engine");
  parser.option("-a,--inference-algorithm,--algorithm", &o.algorithm, "NAME",
                "as for infer (auto)");
  parser.option("--particles", &o.particles, "N", "short for -o ':number-of-particles N'");
  parser.repeated("-o,--algorithm-options", &o.algorithm_options, "EDN", "options of the engine");
  parser.option("-n,--number-of-samples,--samples", &o.samples, "N", "draws of each run (1000)");
  parser.option("-w,--warmup", &o.warmup, "N", "steps before them, as for infer");
  parser.option("-b,--burn", &o.burn, "N",
                "draws to leave out after that (a quarter of the draws, unless --warmup is given)");
  parser.option("-t,--thin", &o.thin, "N", "keep every Nth draw (1)");
  parser.group("Arguments of the query");
  parser.option("-v,--value", &o.value, "EDN", "as for infer");
  parser.option("--data", &o.data, "FILE", "as for infer");
  o.program.declare_dialect(parser);
  o.program.declare_tier(parser);
  parser.group("Output");
  parser.option("--out", &o.out, "DIR", "keep ranks and a page of their histograms here");
  parser.flag("--resume", &o.resume, "continue the verification in that directory");
  parser.flag("-q,--quiet", &o.quiet, "no progress on standard error");
  o.program.declare_limits(parser);
  return parser;
}

double read_number(const std::string& text) {
  double x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

// One file for each data set: a word, a number, a number, a label.
class Store {
 public:
  Store(std::string directory, const std::string& settings, bool resume)
      : directory_(std::move(directory)) {
    if (directory_.empty()) return;
    const fs::path file = fs::path(directory_) / "settings.txt";
    std::error_code none;
    if (resume) {
      if (read_input(file.string(), "the settings of the verification") != settings)
        throw UsageError("--resume: the verification in " + directory_ + " is another one",
                         "give the same program, query and options");
    } else {
      if (fs::exists(file, none))
        throw UsageError(directory_ + " holds a verification already",
                         "--resume continues it; --out takes another directory");
      fs::create_directories(fs::path(directory_) / "datasets", none);
      write(file, settings);
    }
  }

  std::optional<SimulatedData> find(unsigned number) const {
    std::ifstream in(path(number));
    if (directory_.empty() || !in) return std::nullopt;
    SimulatedData out;
    std::string line;
    bool whole = false;
    while (std::getline(in, line)) {
      std::istringstream parts(line);
      std::string word, first, second, label;
      parts >> word >> first >> second;
      std::getline(parts >> std::ws, label);
      if (word == "engine") out.engine = label;
      if (word == "rank") out.ranks.push_back({label, read_number(first), read_number(second)});
      if (word == "observed")
        out.observed.push_back({static_cast<std::size_t>(read_number(first)), read_number(second)});
      whole = word == "end";
    }
    return whole ? std::optional(out) : std::nullopt;
  }

  void put(unsigned number, const SimulatedData& data) const {
    if (directory_.empty()) return;
    std::string text = fmt::format("engine 0 0 {}\n", data.engine);
    for (const auto& r : data.ranks)
      text += fmt::format("rank {} {} {}\n", r.value, r.rank, r.label);
    for (const auto& o : data.observed) text += fmt::format("observed {} {}\n", o.line, o.value);
    write(path(number), text + "end\n");
  }

  void page(const std::string& html) const {
    if (!directory_.empty()) write(fs::path(directory_) / "verify.html", html);
  }

 private:
  fs::path path(unsigned number) const {
    return fs::path(directory_) / "datasets" / fmt::format("{:05}.txt", number + 1);
  }
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush())
      throw UsageError(fmt::format("cannot write {}", file.string()), "is the directory writable?",
                       "U004", ExitCode::NoInput);
  }
  std::string directory_;
};

InferOptions infer_options(const Options& o, const Limits& limits) {
  InferOptions out;
  out.algorithm = o.algorithm;
  out.engine_options = read_engine_options(o.algorithm_options);
  if (!o.particles.empty())
    out.engine_options.push_back({"number-of-particles", static_cast<std::int64_t>(parse_count(
                                                             "--particles", o.particles))});
  if (!o.samples.empty()) out.samples = parse_count("--samples", o.samples);
  if (!o.warmup.empty()) out.warmup = parse_count("--warmup", o.warmup);
  out.burn = parse_count("--burn", o.burn);
  out.thin = std::max<std::uint64_t>(1, parse_count("--thin", o.thin));
  out.seed = parse_count("--seed", o.seed);
  out.threads =
      static_cast<unsigned>(std::min<std::uint64_t>(parse_count("--threads", o.threads), 4096));
  if (!o.value.empty()) out.value = o.value;
  if (!o.data.empty()) out.data = {input_name(o.data), read_input(o.data, "the data", limits)};
  out.limits = limits;
  out.interrupt = user_interrupt();
  return out;
}

std::string verdict_text(const Verification& v) {
  std::string out = fmt::format("{:<32} {:>8}\n", "label", "p");
  for (const CalibratedLabel& label : v.labels)
    out += fmt::format("{:<32} {:>8.4f}{}\n", label.label, label.p_value,
                       label.uniform ? "" : "  not uniform");
  if (!v.observes.empty())
    out += fmt::format("\n{:<16} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "simulated, line",
                       "values", "mean", "sd", "5 %", "50 %", "95 %");
  for (const PriorPredictive& p : v.observes)
    out += fmt::format("{:<16} {:>8} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g} {:>10.4g}\n", p.line,
                       p.values, p.mean, p.sd, p.q5, p.q50, p.q95);
  return out + fmt::format("\n{}: {} data sets, engine {}, false-alarm rate {:g}\n",
                           v.passed ? "Passed" : "FAILED", v.datasets, v.engine, v.false_alarm);
}

std::string agreement_text(const Agreement& a) {
  std::string out = fmt::format("\n{:<24} {:<22} {:>12} {:>12} {:>8}\n", "label", "engines", "mean",
                                "mean", "errors");
  for (const Disagreement& d : a.pairs)
    out += fmt::format("{:<24} {:<22} {:>12.5g} {:>12.5g} {:>8.2f}{}\n", d.label,
                       d.first + ", " + d.second, d.first_mean, d.second_mean, d.errors,
                       d.errors > a.most_errors ? "  differ" : "");
  return out + fmt::format("\n{}: differences of up to {:.2f} standard errors are chance\n",
                           a.passed ? "Engines agree" : "ENGINES DISAGREE", a.most_errors);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');)
    if (!word.empty()) out.push_back(word);
  return out;
}

}  // namespace

int verify_command(const Arguments& arguments) {
  Options o;
  OptionParser parser = make_parser(o);
  if (!parser.parse(arguments)) return 0;
  if (o.resume && o.out.empty())
    throw UsageError("--resume needs --out", "it says which directory");
  const std::vector<std::string> engines = words_of(o.agree);
  if (!o.agree.empty() && engines.size() < 2)
    throw UsageError("--agree needs two engines or more", "for example --agree smc,lmh");
  ProgramFile program = find_program(o.file);
  o.file = std::move(program.path);
  if (!program.query.empty()) o.query = std::move(program.query);
  note_project(o.file);
  CompileOptions compile = o.program.compile_options(input_name(o.file));
  compile.interrupt = user_interrupt();
  const std::string source = read_program(o.file, compile.limits);
  Model model = Model::compile(source, compile);
  const std::string query = o.query.empty() ? model.default_query() : o.query;
  VerifyOptions options;
  options.infer = infer_options(o, compile.limits);
  options.datasets = static_cast<unsigned>(
      std::min<std::uint64_t>(parse_count("--datasets", o.datasets), 1000000));
  options.false_alarm = read_number(o.false_alarm);
  if (!(options.false_alarm > 0 && options.false_alarm < 1))
    throw UsageError("--false-alarm: a number between 0 and 1", "");
  bool passed = true;
  if (options.datasets > 0) {
    const std::string settings = fmt::format(
        "query {}\nengine {} {}\nsamples {} warmup {} burn {} thin {}\nseed {}\nvalue {}\ndata "
        "{}\n\n{}",
        query, o.algorithm, print_engine_options(options.infer.engine_options), o.samples, o.warmup,
        o.burn, o.thin, options.infer.seed, o.value,
        options.infer.data ? options.infer.data->second : "", source);
    // Other ranks look up what is known, and rank 0 keeps what is found.
    const bool first = cluster().first();
    const Store store(first || o.resume ? o.out : "", settings, o.resume);
    const auto style = o.quiet               ? Progress::Style::None
                       : error_is_terminal() ? Progress::Style::Bar
                                             : Progress::Style::Lines;
    Progress progress(style, options.datasets, false, "data sets");
    unsigned finished = 0;
    options.known = [&](unsigned i) { return store.find(i); };
    options.done = [&](unsigned i, const SimulatedData& data) {
      if (!first) return;
      store.put(i, data);
      progress.count(++finished);
    };
    options.infer.cluster = cluster();
    const Verification v = verify(source, compile, query, options);
    options.infer.cluster = {};
    if (!first) return 0;
    progress.stop();
    store.page(verify_page(v, fmt::format("{}: calibration of {}", input_name(o.file), query)));
    write_output(verdict_text(v));
    if (v.interrupted) return kInterruptedExit;
    passed = v.passed;
  }
  if (!engines.empty() && cluster().first()) {
    const Agreement a = agree(model, query, options.infer, engines, options.false_alarm);
    write_output(agreement_text(a));
    passed = passed && a.passed;
  }
  return passed ? 0 : kNotUniform;
}

}  // namespace chancel::tool
