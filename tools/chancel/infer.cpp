// SPDX-License-Identifier: Apache-2.0
// chancel infer FILE [QUERY]: run inference, print what the draws say (or the draws themselves). A
// run that was stopped (Ctrl-C, time limit) prints what is there. With --out the run is also kept
// in a directory, from which
// --resume continues it. Options keep Anglican's letters and names beside ours.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "chancel/chancel.hpp"
#include "chancel/draw_writer.hpp"
#include "chancel/report_page.hpp"
#include "chancel/run_directory.hpp"
#include "chancel/summary.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_file.hpp"
#include "program_options.hpp"
#include "progress.hpp"
#include "quantity.hpp"
#include "ranks.hpp"
#include "run_request.hpp"
#include "signals.hpp"
#include "stored_summary.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr std::uint64_t kFewDraws = 20;  // fewer cannot be trusted, whatever they are
// A time limit covers the summary too, but for this much.
constexpr double kSecondsAfterLimit = 0.5;
constexpr std::uint64_t kDrawsPerEstimate = 1 << 15;

constexpr const char* kAbout =
    "Infers the posterior of a query and prints a summary of its predicts. QUERY may be left out "
    "when the file\n"
    "has one query, or one that is named like the file. FILE - reads the program from standard "
    "input; inside a\n"
    "project FILE may be one of its namespaces: bayes.model, or bayes.model/coin with the query.";

constexpr const char* kExamples =
    "  chancel infer model.clj --data flips.csv\n"
    "      the engine that suits the query, until the answer can be trusted (at most a minute);\n"
    "      arguments by name from a file (JSON, EDN or CSV)\n"
    "  chancel infer models/hmm/hmm.clj -a smc --particles 1000 -n 10000\n"
    "      ten sweeps of a particle filter, summarised\n"
    "  chancel infer model.clj -a lmh -n 20000 -b 5000 -t 10 --chains 4\n"
    "      single-site Metropolis-Hastings: 4 chains, burn-in, thinning\n"
    "  chancel infer model.clj coin -v '[true true false]'\n"
    "      the query coin with an argument (EDN)\n"
    "  chancel infer model.clj --data flips.csv -n 1000 -f csv > draws.csv\n"
    "      1000 draws as CSV\n"
    "  chancel infer model.clj -a pgibbs -o ':number-of-particles 50' -f anglican\n"
    "      Anglican's own options and output\n"
    "  chancel infer model.clj -a pgibbs -n 100000 --out runs/1\n"
    "  chancel infer --resume runs/1\n"
    "      a run that is kept on disk; after a crash or Ctrl-C it continues to the same draws\n"
    "  chancel infer model.clj --report model.html\n"
    "      also a page of charts, for a browser\n"
    "\n"
    "Exit codes: 0 fine, 64 wrong usage, 65 bad program or data, 66 no such file, 70 the run "
    "failed, 130 interrupted.\n";

struct Options {
  ProgramOptions program;
  RunRequest request;
  std::string file, query;
  std::string format = "table";
  std::string out, resume, report, draws = "csv", state_every = "10s";
  bool gzip = false, profile = false;
  bool quiet = false, debug = false, pointwise = false, labels = false;
};

std::vector<std::string> formats() {
  std::vector<std::string> all = {"table", "json"};
  for (std::string& format : draw_formats()) all.push_back(std::move(format));
  return all;
}

OptionParser make_parser(Options& o) {
  OptionParser parser("chancel infer FILE [QUERY] [options]", kAbout, kExamples);
  parser.positional("FILE", &o.file, false);
  parser.positional("QUERY", &o.query, false);
  o.request.declare(parser);
  o.program.declare_dialect(parser);
  o.program.declare_tier(parser);
  parser.group("Output");
  parser.option(
      "-f,--output-format,--format", &o.format, "NAME",
      "table (default) or json: a summary; anglican, clojure, json-lines: a line for each predict; "
      "csv, ndjson: a line for each draw",
      formats());
  parser.flag("--labels", &o.labels, kLabelsHelp);
  parser.option("--out", &o.out, "DIR",
                "keep the run in this directory: draws, observes, summary; docs/file-formats.md");
  parser.option("--draws", &o.draws, "NAME", "format of the draws in it: csv (default) or ndjson",
                {"csv", "ndjson"});
  parser.flag("--pointwise", &o.pointwise,
              "keep the log-likelihood of each observe in it, for summary --loo and compare");
  parser.flag("--gzip", &o.gzip, "compress them");
  parser.option("--resume", &o.resume, "DIR",
                "continue the run in this directory, to the same draws as without a stop");
  parser.option("--state-every", &o.state_every, "TIME",
                "how often its state is stored there for --resume; 10s (default), 0: never");
  parser.flag("--profile", &o.profile,
              "also say what each line costs: draws, calls, time, and how far its observes spread "
              "the weights");
  parser.option("--report", &o.report, "FILE",
                "also make a page of charts of the run (HTML); docs/report.md");
  parser.flag("-q,--quiet", &o.quiet, "no progress and no remarks on standard error");
  parser.flag("-d,--debug", &o.debug, "also say what happens at each observe of a particle engine");
  o.program.declare_limits(parser);
  return parser;
}

// What a person would type to get the same draws.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                          "0123456789-_./:=+,@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string repeat_command(const Arguments& arguments, std::uint64_t seed) {
  std::string out = "chancel infer";
  bool has_seed = false;
  bool skip = false;  // the destination is not part of the run, and a directory holds one run
  for (const std::string& argument : arguments) {
    if (skip) {
      skip = false;
      continue;
    }
    if (argument == "--out" || argument == "--report") skip = true;
    if (skip || argument.starts_with("--out=") || argument.starts_with("--report=")) continue;
    out += " " + shell_word(argument);
    has_seed = has_seed || argument == "--seed" || argument.starts_with("--seed=");
  }
  if (!has_seed) out += fmt::format(" --seed {}", seed);
  return out;
}

// All but the query's name, which may have to be found in the program.
RunDescription describe(const Options& o, const Arguments& arguments, const Limits& limits) {
  RunDescription run;
  RunInfo& info = run.info;
  info.program = input_name(o.file);
  if (o.request.data == "-" && o.file == "-")
    throw UsageError("- cannot be both the program and the data", "put one of them into a file");
  run.limits = limits;
  o.request.describe(run);
  info.pointwise = o.pointwise;
  if (o.pointwise && o.out.empty())
    throw UsageError("--pointwise needs --out", "log-likelihoods are kept in a run directory");
  if (o.pointwise && info.prior)
    throw UsageError("--pointwise and --prior exclude each other", "--prior observes nothing");
  info.query = o.query;
  info.command = repeat_command(arguments, info.seed);
  run.files = !o.program.no_files;
  run.tier = o.program.tier;
  run.dialect = o.program.dialect;
  if (o.draws != "csv" && o.draws != "ndjson")
    throw UsageError(fmt::format("--draws: csv or ndjson expected, got '{}'", o.draws), "");
  run.draws_format = o.draws;
  run.gzip = o.gzip;
  run.source = read_program(o.file, limits);
  return run;
}

double state_interval(const Options& o) {
  return o.state_every == "0" ? 0 : parse_seconds("--state-every", o.state_every);
}

// A resumed run is the same run: options that would change its draws cannot be given again.
void check_resume_options(const std::vector<std::string>& given) {
  const std::vector<std::string> free = {"--resume",     "--threads", "--max-memory", "--timeout",
                                         "--format",     "--report",  "--profile",    "--quiet",
                                         "--labels",     "--debug",   "--no-files",   "--tier",
                                         "--state-every"};
  for (const std::string& name : given)
    if (std::find(free.begin(), free.end(), name) == free.end())
      throw UsageError(fmt::format("{} cannot be given with --resume: the run keeps its own", name),
                       "leave it out, or start another run with --out");
}

// The run in a directory, with what may be different this time. Its limits may become tighter, not looser; the
// time is that of the command.
RunDescription stored_description(const Options& o, const Limits& limits) {
  RunDescription run = read_run(o.resume).description;
  if (o.request.threads != "0") run.threads = o.request.thread_count();
  std::size_t& memory = run.limits.max_memory;
  if (memory != 0 && limits.max_memory > memory)
    throw UsageError(
        fmt::format("--max-memory: the run in {} has a limit of {} bytes, and {} is more", o.resume,
                    memory, o.program.max_memory),
        "leave it out, or start another run with --out");
  if (limits.max_memory != 0) memory = limits.max_memory;
  run.limits.timeout = limits.timeout;
  run.files = run.files && !o.program.no_files;
  if (o.program.tier != "auto") run.tier = o.program.tier;
  return run;
}

// The page's name is the last line of a summary; beside draws it goes to the other stream.
void name_page(const std::string& page, const std::string& format, bool quiet) {
  const std::string text = fmt::format("{:<14}{}\n", "Report", page);
  if (format == "table") {
    write_output("\n" + text);
  } else if (!quiet) {
    write_error(text);
  }
  flush_output();
}

class Run {
 public:
  Run(const Options& o, const RunDescription& run, const RunStatistics& statistics)
      : quiet_(o.quiet),
        format_(o.format),
        report_(o.report),
        labels_(o.labels),
        description_(run),
        info_(run.info),
        threads_(run.threads),
        progress_(style(o), draws_goal(run.info, statistics), warms_up(run.info, statistics)) {
    const std::string directory = o.resume.empty() ? o.out : o.resume;
    if (!directory.empty()) {
      recorder_ = std::make_unique<RunRecorder>(directory, run, !o.resume.empty());
      recorder_->set_state_interval(state_interval(o));
    }
    directory_ = directory;
    if (!report_.empty()) page_.emplace();
    writer_ = make_draw_writer(o.format, write_output);
    if (writer_ != nullptr) {
      RunInfo used = info_;
      used.burn = statistics.burn;
      writer_->begin(used);
    }
  }

  void at_descent(const Descent& d) {
    if (recorder_ != nullptr) recorder_->descent(d);
    if (page_) page_->descent(d);
  }
  void at_barrier(const Barrier& b, bool debug) {
    progress_.at_barrier(b);
    if (recorder_ != nullptr) recorder_->barrier(b);
    if (page_) page_->barrier(b);
    if (!debug) return;
    write_error(fmt::format(
        "sweep {} observe {} (line {}): ESS {:.1f}, {}{} ancestors, log mean weight {:.4f}\n",
        b.sweep + 1, b.barrier + 1, b.line, b.ess, b.resampled ? "resampled, " : "",
        b.distinct_ancestors, b.log_mean_weight));
  }

  // Continues from the state that the directory has; else the run starts again from its seed, with
  // a warning when there is a state that cannot be used. It also starts again where draws go to the
  // output too, and on several ranks. False: `inference` has to be started again.
  bool go_on(Inference& inference) {
    if (recorder_ == nullptr || writer_ != nullptr || !cluster().alone()) return true;
    std::string problem;
    const auto state = recorder_->stored_state(&problem);
    bool restored = state && inference.restore(*state, &problem);
    if (restored && inference.statistics().draws != recorder_->stored_draws()) {
      restored = false;
      problem = "its draws are miscounted";
    }
    if (restored) {
      draws_ = recorder_->go_on_from_stored_state();
      resumed_ = true;
      if (!quiet_) write_error(fmt::format("chancel: resuming after {} draws\n", draws_));
    } else if (!problem.empty() && !quiet_) {
      write_error(
          fmt::format("chancel: warning[U006]: the stored state {}/state.bin is not used: {}\n"
                      "hint: the run starts again from its seed, to the same draws; that takes as "
                      "long as before\n",
                      directory_, problem));
    }
    return restored || !state;
  }

  // Takes all draws. An error ends the run; what came before it is kept.
  void take(Inference& run) {
    try {
      while (const Draw* draw = run.next()) {
        if (recorder_ != nullptr) {
          recorder_->draw(*draw);
          if (recorder_->wants_update()) recorder_->update(run.statistics());
          if (recorder_->wants_state()) run.come_to_rest();
          if (run.at_rest()) recorder_->keep_state(run.state());
        }
        // Draws that are only written are not kept, so that a long run needs no memory for them.
        if (writer_ != nullptr) writer_->draw(*draw);
        // But for a few, which may be all.
        if (recorder_ == nullptr && (writer_ == nullptr || page_ || draws_ < kFewDraws))
          builder_.add(*draw);
        progress_.count(++draws_);
        if (draws_ % kDrawsPerEstimate == 0)
          run.leave_time((recorder_ ? recorder_->draws() : builder_).expected_seconds() -
                         kSecondsAfterLimit);
        if (progress_.wants_statistics()) progress_.statistics(run.statistics());
        if (output_is_closed()) break;
      }
    } catch (const Error& error) {
      failure_ = error;
    }
    progress_.stop();
    if (recorder_ != nullptr && run.statistics().interrupted) recorder_->keep_state(run.state());
  }

  int report(const RunStatistics& statistics) {
    if (output_is_closed()) return 0;
    const bool by_user = user_interrupt().requested();
    if (failure_) show_messages_unless_told(*failure_);
    // After a failure only a limit leaves draws worth a summary: those before another error say
    // nothing about the rest.
    const bool limit = failure_ && failure_->messages().front().code.starts_with("L");
    std::vector<std::string> remarks;
    if (writer_ != nullptr) remarks.push_back(writer_->end());
    status_ = statistics.interrupted || (failure_ && limit) ? RunStatus::Interrupted
              : failure_                                    ? RunStatus::Failed
                                                            : RunStatus::Finished;
    if (recorder_ != nullptr)
      for (std::string& remark : recorder_->finish(statistics, status_)) remarks.push_back(remark);
    for (const std::string& remark : remarks)
      if (!remark.empty() && !quiet_) write_error("chancel: warning[U004]: " + remark + "\n");
    const bool explained = !statistics.stopped.empty();
    if (draws_ == 0 && !failure_ && !explained) {
      show_nothing(statistics);
      return by_user ? kInterruptedExit : static_cast<int>(ExitCode::Failed);
    }
    summarised_ = draws_ > 0 && (!failure_ || limit);
    if (summarised_ || (explained && !failure_)) show_summary(statistics);
    flush_output();
    if (failure_) return by_user ? kInterruptedExit : static_cast<int>(failure_->exit_code());
    if (by_user) return kInterruptedExit;
    // The clock ended the run before anything could be said: L002 is about that.
    const bool too_soon = statistics.cut && !statistics.interrupted && draws_ > 0 &&
                          std::any_of(statistics.warnings.begin(), statistics.warnings.end(),
                                      [](const Message& m) { return m.code == "L002"; });
    return draws_ > 0 && !too_soon ? 0 : static_cast<int>(ExitCode::Failed);
  }

  // The page, when one is wanted and there is something to show. Last, so that it has the profile.
  void make_page(const RunStatistics& statistics) const {
    if (!summarised_ || !page_) return;
    if (resumed_) {  // the page has not seen what came before
      write_report_page(directory_, report_);
      return name_page(report_, format_, quiet_);
    }
    const SummaryBuilder& draws = recorder_ ? recorder_->draws() : builder_;
    page_->write(report_, {description_, status_, version(), statistics, {}, {}}, draws, summary_);
    name_page(report_, format_, quiet_);
  }

  void profile(const std::vector<LineProfile>& lines, const std::string& source,
               const std::vector<PassTime>& passes) {
    if (recorder_ != nullptr) recorder_->profile(lines);
    if (page_) page_->profile(lines);
    const bool summary_on_output = format_ == "table";
    std::string text =
        profile_table(lines, source, summary_on_output ? output_colour() : error_colour());
    if (!passes.empty()) text += "\nNative code: what making it takes, without the compiler\n";
    for (const PassTime& p : passes)
      text += fmt::format("{:<10} {:9.3f} ms  {}\n", p.name, 1000 * p.seconds, p.doc);
    if (summary_on_output) {
      write_output("\n" + text);
    } else if (!quiet_) {
      write_error(text);
    }
  }

 private:
  static Progress::Style style(const Options& o) {
    if (o.quiet) return Progress::Style::None;
    // A bar among draws on the same terminal would tear both.
    const bool draws_on_terminal =
        output_is_terminal() && o.format != "table" && o.format != "json";
    if (!error_is_terminal() || o.debug) return Progress::Style::Lines;
    return draws_on_terminal ? Progress::Style::None : Progress::Style::Bar;
  }

  void show_summary(const RunStatistics& statistics) {
    const bool few = draws_ < kFewDraws;
    if (writer_ == nullptr || page_ || few)
      summary_ = recorder_ ? recorder_->summary() : builder_.summary(statistics, threads_);
    summary_.draws = draws_;
    if (format_ == "json") {
      write_output(json(summary_, statistics, info_));
      if (!quiet_ && !statistics.stopped.empty())
        write_error(fmt::format("chancel: stopped: {}\n", statistics.stopped));
    } else if (writer_ == nullptr) {
      write_output(table(summary_, statistics, info_, table_options_of(labels_)));
    } else if (!quiet_) {
      // The draws went out as they came: nothing is known about more than a few of them here.
      write_error(statistics_text(summary_, statistics, info_) +
                  advice_text(few ? summary_ : Summary{}, statistics, error_colour()));
    }
  }

  void show_nothing(const RunStatistics& statistics) {
    for (const Message& message : statistics.warnings) show_message(message);
    if (statistics.warnings.empty()) {
      show_error({"there is no draw to show",
                  "draws are left out by --burn, --warmup and --thin, or -n is too small", "I002",
                  ExitCode::Failed});
    }
  }

  bool quiet_;
  bool summarised_ = false;
  bool resumed_ = false;  // from a stored state
  std::string format_, report_, directory_;
  bool labels_ = false;
  RunDescription description_;
  RunInfo info_;
  unsigned threads_;
  SummaryBuilder builder_;
  Summary summary_;
  std::optional<ReportPage> page_;
  RunStatus status_ = RunStatus::Running;
  std::unique_ptr<DrawWriter> writer_;
  std::unique_ptr<RunRecorder> recorder_;
  std::uint64_t draws_ = 0;
  std::optional<Error> failure_;
  Progress progress_;
};

}  // namespace

int infer_command(const Arguments& arguments) {
  Options o;
  OptionParser parser = make_parser(o);
  if (!parser.parse(arguments)) return 0;
  if (!o.file.empty()) {
    ProgramFile program = find_program(o.file);
    o.file = std::move(program.path);
    if (!program.query.empty() && !o.query.empty())
      throw UsageError("the query is named twice", "chancel infer NAMESPACE/QUERY");
    if (!program.query.empty()) o.query = std::move(program.query);
    note_project(o.file, o.quiet);
  }
  const std::vector<std::string> known = formats();
  if (std::find(known.begin(), known.end(), o.format) == known.end()) {
    throw UsageError(fmt::format("there is no format '{}'", o.format),
                     suggest(o.format, known, "the formats are " + join(known)));
  }
  if (o.file.empty() && o.resume.empty())
    throw UsageError("FILE is missing", "usage: chancel infer FILE [QUERY] [options]");
  if (!o.resume.empty() && !(o.file.empty() && o.out.empty())) {
    throw UsageError("--resume takes program and options from the directory",
                     fmt::format("chancel infer --resume {}", o.resume));
  }
  if (!o.resume.empty()) check_resume_options(parser.given());
  state_interval(o);  // a mistake is reported before anything is run
  CompileOptions compile = o.program.compile_options(input_name(o.file));
  compile.output = write_program_text;  // standard output is for results
  if (!o.resume.empty() && read_run(o.resume).status == RunStatus::Finished) {
    if (!o.quiet)
      write_error(
          fmt::format("chancel: the run in {} is finished: this is its summary\n", o.resume));
    const int code =
        show_stored_summary({o.resume}, o.format == "json" ? "json" : "table", o.labels);
    if (!o.report.empty()) {
      write_report_page(o.resume, o.report);
      name_page(o.report, o.format, o.quiet);
    }
    return code;
  }
  RunDescription description = o.resume.empty() ? describe(o, arguments, compile.limits)
                                                : stored_description(o, compile.limits);
  compile.files = description.files;
  compile.tier = tier_of(description.tier);
  compile.name = description.info.program;
  compile.dialect = description.dialect;
  compile.limits = description.limits;

  Model model = Model::compile(description.source, compile);
  if (!o.quiet) {
    for (const Message& message : model.warnings()) show_message(message);
  }
  if (description.info.query.empty()) description.info.query = model.default_query();

  // A seed that was not given is that of rank 0. This comes after the mistakes that all ranks find
  // alike: rank 0 reports them itself.
  if (!cluster().alone())
    description.info.seed =
        std::stoull(cluster().gather(std::to_string(description.info.seed)).front());
  InferOptions options = description.infer_options();
  options.cluster = cluster();
  std::optional<Run> run;
  const bool kept = !o.out.empty() || !o.resume.empty() || !o.report.empty();
  options.log_joint = kept || o.format == "csv" || o.format == "ndjson";
  if (kept)
    options.on_descent = [&run](const Descent& d) {
      if (run) run->at_descent(d);
    };
  if (!o.quiet || o.debug || kept) {
    options.on_barrier = [&run, debug = o.debug](const Barrier& b) {
      if (run) run->at_barrier(b, debug);
    };
  }
  Inference inference = model.infer(description.info.query, options);
  if (!cluster().first()) {
    show_program_text();
    inference.next();
    return 0;
  }
  if (const std::string& choice = inference.statistics().choice; !o.quiet && !choice.empty())
    write_error(fmt::format("chancel: {}\n", choice));
  run.emplace(o, description, inference.statistics());
  if (!o.resume.empty() && !run->go_on(inference))
    inference = model.infer(description.info.query, options);
  run->take(inference);
  const RunStatistics statistics =
      inference.statistics();  // its time is that of the run, not of what follows
  const int code = run->report(statistics);
  if (o.profile && code == 0)
    run->profile(inference.profile(), description.source, inference.native_passes());
  run->make_page(statistics);
  return code;
}

}  // namespace chancel::tool
