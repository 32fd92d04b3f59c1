// SPDX-License-Identifier: Apache-2.0
// chancel run FILE [ARGUMENTS]: evaluates a script or worksheet from top to bottom. On a terminal it
// shows the value of each form, in a pipe only what is printed; --page makes a page of it all.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "chancel/worksheet.hpp"
#include "command.hpp"
#include "console.hpp"
#include "input.hpp"
#include "option_parser.hpp"
#include "program_file.hpp"
#include "program_options.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kAbout =
    "Evaluates the forms of a script or worksheet in order. On a terminal the value of each form "
    "is "
    "shown, plots\n"
    "as small charts; into a pipe or file goes only what the script prints (--show and --no-show "
    "decide otherwise).\n"
    "Words after FILE are the script's: it finds them in *command-line-args*. Inference inside a "
    "script:\n"
    "(doquery :smc query value).";

constexpr const char* kExamples =
    "  chancel run worksheet.clj\n"
    "  chancel run -m bayes.model 1000                   a namespace of the project: (-main "
    "\"1000\")\n"
    "  chancel run worksheet.clj --page worksheet.html   source, values and pictures, for a "
    "browser\n"
    "  chancel run --show worksheet.clj | less           also the value of each form\n"
    "  chancel run --seed 1 simulate.clj 100             with an argument, and the same random "
    "numbers each time\n"
    "  echo '(println (+ 1 2))' | chancel run -\n";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// What the run says about one form, and what became of all of them.
class Reader {
 public:
  // `name` is what messages call the file; at most `most` bytes are shown, beside what forms print (0: no limit).
  Reader(bool show, bool keep_going, WorksheetPage* page, std::string name, std::uint64_t most)
      : show_(show), keep_going_(keep_going), page_(page), name_(std::move(name)), most_(most) {
    style_.columns = output_columns();
    style_.most = 5 * style_.columns;
    style_.colour = output_colour();
  }

  bool operator()(const Form& form) {
    ++forms_;
    if (page_ != nullptr) page_->add(form);
    if (!output_is_closed())
      for (const Message& message : form.warnings) show_message(message);
    if (form.failed()) {
      ++failures_;
      const bool limit = form.errors.front().code.starts_with('L');
      exit_code_ = keep_going_ && !limit ? ExitCode::BadInput : form.exit_code;
      if (output_is_closed()) return false;
      for (const Message& message : form.errors) show_message(message);
      return keep_going_;
    }
    const bool nothing = form.is_definition || form.value.kind() == ValueView::Kind::Nil;
    if (show_ && !nothing) {
      const std::string shown = show_text(form.value, style_) + "\n";
      written_ += shown.size() + form.output.size();
      if (most_ && written_ > most_) return too_much(form);
      write_output(shown);
    } else if (form.has_more) {
      write_error(
          fmt::format("chancel: note: line {}: the value is a longer sequence; its rest has "
                      "not been evaluated\n",
                      form.line));
    }
    return true;
  }

  std::size_t forms() const { return forms_; }
  std::size_t failures() const { return failures_; }
  int exit_code() const {
    if (failures_ == 0 || output_is_closed()) return 0;
    return user_interrupt().requested() ? kInterruptedExit : static_cast<int>(exit_code_);
  }

 private:
  bool too_much(const Form& form) {
    ++failures_;
    exit_code_ = ExitCode::Failed;
    Message message;
    message.text = fmt::format(
        "{}:{}:{}: error[L004]: the values shown are more than the output limit allows\n"
        "hint: raise --max-output\n",
        name_, form.line, form.column);
    show_message(message);
    return false;
  }

  bool show_, keep_going_;
  WorksheetPage* page_;
  std::string name_;
  std::uint64_t most_, written_ = 0;
  TextStyle style_;
  std::size_t forms_ = 0, failures_ = 0;
  ExitCode exit_code_ = ExitCode::Ok;
};

// `chancel run FILE --page PAGE`: this one option may come after FILE, where users expect it.
// Arguments after -- are the script's in any case; the parser has taken that.
void take_page(std::vector<std::string>& words, std::string& page) {
  constexpr std::string_view kOption = "--page";
  if (words.empty()) return;
  std::size_t taken = 0;
  if (words[0].starts_with(std::string(kOption) + "=")) {
    page = words[0].substr(kOption.size() + 1);
    taken = 1;
  } else if (words[0] == kOption) {
    if (words.size() < 2) throw UsageError("--page needs a value", "chancel run FILE --page PAGE");
    page = words[1];
    taken = 2;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(taken));
}

// The namespace that project.clj names with :main.
std::string main_of_project() {
  const std::optional<Project> project = find_project("");
  if (project && !project->main.empty()) return project->main;
  throw UsageError("FILE is missing", project ? "chancel run -m NAMESPACE calls its -main"
                                              : "usage: chancel run [options] FILE [ARGUMENTS]");
}

void call_main(Script& script, const std::string& ns, Reader& reader) {
  if (script.definition("-main").empty())
    throw UsageError(fmt::format("{} defines no -main", ns), "write (defn -main [& args] ...)",
                     "F011", ExitCode::BadInput);
  script.evaluate_forms("(do (apply -main *command-line-args*) nil)", "<main>", std::ref(reader));
}

}  // namespace

int run_command(const Arguments& arguments) {
  ProgramOptions program;
  std::string file, seed, page_file, main;
  bool show = false, no_show = false, keep_going = false;
  std::vector<std::string> words;
  OptionParser parser("chancel run [options] FILE [ARGUMENTS]", kAbout, kExamples);
  parser.group("Options");
  parser.option("-m,--main", &main, "NAMESPACE",
                "evaluate this namespace of the project, and call its -main with ARGUMENTS");
  parser.option("--page", &page_file, "FILE",
                "make a page of the worksheet: each form with its value, output, error and "
                "pictures; a form that fails does not stop it");
  parser.flag("--show", &show, "show the value of each form, as on a terminal");
  parser.flag("--no-show", &no_show, "only what the script prints, as into a pipe");
  parser.flag("--keep-going", &keep_going,
              "continue after a form that fails; exit code 65 at the end");
  parser.option("--seed", &seed, "N",
                "the same seed gives the same random numbers; another each time otherwise");
  program.declare_dialect(parser);
  program.declare_tier(parser);
  program.declare_limits(parser);
  parser.positional("FILE", &file, false);
  parser.rest("ARGUMENTS", &words, false, true);
  if (!parser.parse(arguments)) return 0;
  if (std::find(arguments.begin(), arguments.end(), "--") == arguments.end())
    take_page(words, page_file);
  if (!main.empty() && !file.empty()) words.insert(words.begin(), file);
  if (main.empty() && file.empty()) main = main_of_project();
  file = find_program(main.empty() ? file : main).path;
  note_project(file);
  if (show && no_show)
    throw UsageError("--show and --no-show exclude each other", "leave one of them out");

  CompileOptions options = program.compile_options(input_name(file));
  options.output = write_output;
  std::string text = read_program(file, options.limits);
  const std::uint64_t used_seed = seed_of(seed);
  Script script(options, used_seed);
  std::string list;
  for (const std::string& word : words) list += " " + quoted(word);
  script.evaluate("(def *command-line-args* (list" + list + "))", "<arguments>");
  std::optional<WorksheetPage> page;
  if (!page_file.empty()) page.emplace(input_name(file), text, used_seed);
  Reader reader(show || (output_is_terminal() && !no_show && main.empty()), keep_going || page,
                page ? &*page : nullptr, input_name(file), options.limits.max_output);
  script.evaluate_forms(std::move(text), input_name(file), std::ref(reader));
  if (!main.empty() && reader.failures() == 0) call_main(script, main, reader);
  flush_output();
  if (page) {
    page->write(page_file);
    write_error(
        fmt::format("chancel: {}: {} {}, {} {}{}\n", page_file, reader.forms(),
                    reader.forms() == 1 ? "form" : "forms", page->pictures(),
                    page->pictures() == 1 ? "picture" : "pictures",
                    reader.failures() == 0 ? "" : fmt::format(", {} failed", reader.failures())));
  }
  return reader.exit_code();
}

}  // namespace chancel::tool
