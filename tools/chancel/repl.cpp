// SPDX-License-Identifier: Apache-2.0
// chancel repl: reads forms, evaluates them, prints their values. A form may go over several lines;
// Ctrl-C drops what was typed or stops what is running; an error leaves the session as it was. From
// a pipe there is no prompt.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "chancel/worksheet.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "line_editor.hpp"
#include "option_parser.hpp"
#include "program_options.hpp"
#include "progress.hpp"
#include "prompt_commands.hpp"
#include "run_request.hpp"
#include "signals.hpp"
#include "stored_summary.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Reads forms, evaluates them and prints their values. Tab completes names, the arrows bring "
    "back earlier\n"
    "lines, Ctrl-C drops a line or stops a run, Ctrl-D leaves. :infer QUERY infers a query, "
    ":help has the rest.";

constexpr const char* kExamples =
    "  chancel repl\n"
    "  chancel repl model.clj                   start with the definitions of a file\n"
    "  echo '(sample* (normal 0 1))' | chancel repl\n";

constexpr const char* kGreeting =
    "Chancel {}. :infer QUERY infers, :doc NAME explains, :help has the rest, Ctrl-D leaves.\n";

std::string history_file() {
  if (const char* file = std::getenv("CHANCEL_HISTORY")) return file;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.chancel_history" : "";
}

class Repl {
 public:
  Repl(const CompileOptions& options, std::uint64_t seed, bool interactive)
      : interactive_(interactive),
        limits_(options.limits),
        script_(options, seed),
        editor_(interactive, interactive ? history_file() : "",
                [this](std::string_view prefix) { return script_.completions(prefix); }) {
    style_.columns = output_columns();
    style_.most = 12 * style_.columns;
    style_.colour = output_colour();
  }

  // False when something failed.
  bool evaluate(std::string text, const std::string& name, bool show) {
    bool ok = true;
    clear_interrupt();
    script_.evaluate_forms(
        std::move(text), name,
        [&](const Form& form) {
          if (form.interrupted_after)
            write_error(fmt::format("chancel: interrupted: continuing with {} draws\n",
                                    *form.interrupted_after));
          for (const Message& message : form.warnings) show_message(message);
          if (form.failed()) {
            for (const Message& message : form.errors) show_message(message);
            exit_code_ = static_cast<int>(form.exit_code);
            ok = false;
            return false;
          }
          const bool empty = form.is_definition && form.value.kind() == ValueView::Kind::Nil;
          if (show && !empty) write_output(value_text(form) + "\n");
          return true;
        },
        dialect_);
    clear_interrupt();
    flush_output();
    return ok;
  }

  int loop() {
    std::string text;
    std::string line;
    while (!quit_ && !output_is_closed()) {
      const LineEditor::Outcome outcome =
          editor_.read(text.empty() ? "chancel> " : "      .. ", &line);
      if (outcome == LineEditor::Outcome::Interrupted) {
        clear_interrupt();
        text.clear();
        if (!interactive_) return kInterruptedExit;
        continue;
      }
      if (outcome == LineEditor::Outcome::End) break;
      if (text.empty() && is_command(line)) continue;
      text += line + "\n";
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        text.clear();
        continue;
      }
      if (!Script::is_complete(text)) continue;
      submit(text);
      text.clear();
    }
    if (!text.empty()) submit(text);  // the reader says what is not closed
    if (interactive_ && !quit_) write_output("\n");
    // A pipe is a script: its last failure is its exit code.
    return interactive_ ? 0 : exit_code_;
  }

 private:
  void submit(const std::string& text) {
    editor_.remember(text.substr(0, text.find_last_not_of('\n') + 1));
    evaluate(text, fmt::format("<input {}>", ++inputs_), true);
  }

  // On a terminal long values are cut; a pipe gets all of them.
  std::string value_text(const Form& form) const {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    if (interactive_ || is_rich(form.value) || form.has_more) return show_text(form.value, style_);
    return form.value.print(true, kMost);
  }

  bool is_command(const std::string& line) {
    const std::optional<PromptCommand> command = prompt_command(script_, line);
    if (!command) return false;
    editor_.remember(line);
    clear_interrupt();
    try {
      obey(*command);
    } catch (const UsageError& error) {
      show_error(error);
      // A question without an answer does not make the piped input fail.
      if (command->name == ":infer" || command->name == ":load")
        exit_code_ = static_cast<int>(error.exit_code());
    } catch (const Error& error) {
      for (const Message& message : error.messages()) show_message(message);
      exit_code_ = static_cast<int>(error.exit_code());
    }
    clear_interrupt();
    flush_output();
    return true;
  }

  void obey(const PromptCommand& command) {
    const std::string& name = command.name;
    if (name == ":quit" || name == ":exit" || name == ":q") {
      quit_ = true;
    } else if (name == ":help") {
      write_output(kPromptHelp);
    } else if (name == ":infer") {
      infer(command.argument);
    } else if (command.argument.empty()) {
      throw UsageError(fmt::format("{} needs an argument", name), ":help says what");
    } else if (name == ":doc") {
      write_output(doc_text(script_, command.argument) + "\n");
    } else if (name == ":source") {
      write_output(source_text(script_, command.argument) + "\n");
    } else if (name == ":apropos") {
      write_output(apropos_text(script_, command.argument) + "\n");
    } else if (name == ":load") {
      evaluate(read_program(command.argument), command.argument, false);
    } else if (name == ":dialect") {
      dialect_ = command.argument == "auto" ? "" : command.argument;
    }
  }

  void infer(const std::string& words) {
    std::optional<Progress> progress;
    PromptRunEvents events;
    events.begins = [&](const RunInfo& info, const RunStatistics& statistics) {
      if (interactive_ && !statistics.choice.empty())
        write_error(fmt::format("chancel: {}\n", statistics.choice));
      progress.emplace(interactive_ ? Progress::Style::Bar : Progress::Style::None,
                       draws_goal(info, statistics), warms_up(info, statistics));
    };
    events.draw = [&](std::uint64_t draws) { progress->count(draws); };
    events.barrier = [&](const Barrier& barrier) {
      if (progress) progress->at_barrier(barrier);
    };
    std::string help;
    const std::optional<PromptRun> run =
        run_query(script_, words, limits_, user_interrupt(), events, &help);
    progress.reset();
    if (!run) {
      write_output(help);
      return;
    }
    if (run->failure) {
      for (const Message& message : run->failure->messages()) show_message(message);
      exit_code_ = static_cast<int>(run->failure->exit_code());
    }
    if (run->draws > 0) {
      write_output(table(run->summary, run->statistics, run->info, table_options_of(run->labels)));
    } else if (!run->failure) {
      for (const Message& message : run->statistics.warnings) show_message(message);
    }
  }

  bool interactive_;
  Limits limits_;
  TextStyle style_;
  std::string dialect_;
  Script script_;
  LineEditor editor_;
  std::size_t inputs_ = 0;
  int exit_code_ = 0;
  bool quit_ = false;
};

}  // namespace

int repl_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string seed;
  std::string file;
  OptionParser parser("chancel repl [FILE] [options]", kAbout, kExamples);
  parser.positional("FILE", &file, false);
  parser.group("Options");
  parser.option("--seed", &seed, "N", "the same seed gives the same random numbers");
  program.declare_dialect(parser);
  program.declare_tier(parser);
  program.declare_limits(parser);
  if (!parser.parse(arguments)) return 0;

  CompileOptions options = program.compile_options("<input>");
  options.output = write_output;
  options.interactive = true;
  const bool interactive = input_is_terminal() && output_is_terminal();
  std::string text = file.empty() ? "" : read_program(file, options.limits);
  Repl repl(options, seed_of(seed), interactive);
  if (interactive) write_output(fmt::format(kGreeting, version()));
  if (!file.empty()) repl.evaluate(std::move(text), input_name(file), false);
  return repl.loop();
}

}  // namespace chancel::tool
