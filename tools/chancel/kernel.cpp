// SPDX-License-Identifier: Apache-2.0
// chancel kernel: starts the Jupyter kernel, which is a program of its own (tools/chancel-kernel), or
// registers it with Jupyter. The second needs nothing of Jupyter: a kernel is a folder with
// kernel.json in a place where Jupyter looks.
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "chancel/chancel.hpp"
#include "command.hpp"
#include "companion.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "program_options.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout =
    "Makes Chancel a kernel of Jupyter, so that notebooks can be written in it: cells in any "
    "dialect, "
    "tables and\n"
    "pictures as results. Jupyter itself starts `chancel kernel -f CONNECTION`. docs/notebooks.md "
    "has "
    "the rest.";

constexpr const char* kExamples =
    "  chancel kernel --install\n"
    "  chancel kernel --install --prefix /usr/local     for all users\n"
    "  chancel kernel --install --name chancel-1 --seed 1 --max-memory 4G\n"
    "      another kernel, with options of its own\n";

// A die of which one face is seen.
constexpr const char* kLogo =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect x="6" y="6" width="52" height="52" rx="12" fill="#0072b2"/><g fill="#ffffff"><circle cx="20" cy="20" r="5.5"/><circle cx="44" cy="20" r="5.5"/><circle cx="32" cy="32" r="5.5"/><circle cx="20" cy="44" r="5.5"/><circle cx="44" cy="44" r="5.5"/></g></svg>
)";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Where Jupyter looks for what belongs to the user.
fs::path user_folder() {
  if (const std::string folder = variable("JUPYTER_DATA_DIR"); !folder.empty()) return folder;
  if (const std::string folder = variable("XDG_DATA_HOME"); !folder.empty())
    return fs::path(folder) / "jupyter";
  const std::string home = variable("HOME");
  if (home.empty()) throw UsageError("there is no HOME", "say where with --prefix", "U004");
  return fs::path(home) / ".local" / "share" / "jupyter";
}

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush())
    throw UsageError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)), "",
                     "U004", ExitCode::Failed);
}

bool is_kernel_name(const std::string& name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos;
}

}  // namespace

int kernel_command(const Arguments& arguments) {
  ProgramOptions program;
  bool install = false;
  std::string prefix, name = "chancel", display_name = "Chancel", seed, connection, started;
  OptionParser parser("chancel kernel --install [options]", kAbout, kExamples);
  parser.group("Options");
  parser.flag("--install", &install, "register this kernel with Jupyter");
  parser.option("--prefix", &prefix, "DIR", "for all who use DIR/share/jupyter, not only for you");
  parser.option("--name", &name, "NAME", "of the kernel (chancel)");
  parser.option("--display-name", &display_name, "TEXT", "as notebooks show it (Chancel)");
  parser.option("--program", &started, "PATH",
                "what Jupyter starts, when it is not this program where it lies now");
  parser.option("--seed", &seed, "N", "the same seed gives the same random numbers");
  parser.option("-f", &connection, "FILE", "what Jupyter starts it with");
  program.declare_tier(parser);
  program.declare_limits(parser);
  if (!parser.parse(arguments)) return 0;
  const auto missing = [] {
    return UsageError("the kernel, chancel-kernel, is not here",
                      "it is built where xeus is installed (Debian: xeus-dev); build again", "U002",
                      ExitCode::NoInput);
  };
  if (!install) {
    if (connection.empty())
      throw UsageError("nothing to do",
                       "chancel kernel --install registers the kernel with Jupyter");
    become("chancel-kernel", arguments);
    throw missing();
  }
  if (!is_kernel_name(name))
    throw UsageError(fmt::format("--name: '{}' is not a name for a kernel", name),
                     "small letters, digits, '.', '_' and '-'");
  program.compile_options("");  // mistakes are better found now
  if (!seed.empty()) seed_of(seed);
  const fs::path self = own_path();
  if (!fs::exists(self.parent_path() / "chancel-kernel") &&
      !fs::exists(self.parent_path().parent_path() / "libexec" / "chancel" / "chancel-kernel"))
    throw missing();

  nlohmann::ordered_json words = {started.empty() ? self.string() : started, "kernel", "-f",
                                  "{connection_file}"};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    words.push_back(option);
    words.push_back(value);
  };
  add("--seed", seed);
  add("--max-memory", program.max_memory);
  add("--timeout", program.timeout);
  add("--max-depth", program.max_depth);
  add("--max-output", program.max_output);
  add("--tier", program.tier == "auto" ? "" : program.tier);
  if (program.no_files) words.push_back("--no-files");
  const nlohmann::ordered_json spec = {{"argv", words},
                                       {"display_name", display_name},
                                       {"language", "clojure"},
                                       {"interrupt_mode", "signal"},
                                       {"metadata", {{"debugger", false}}}};
  const fs::path folder =
      (prefix.empty() ? user_folder() : fs::path(prefix) / "share" / "jupyter") / "kernels" / name;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("cannot make {}: {}", folder.string(), error.message()), "",
                     "U004", ExitCode::Failed);
  write_file(folder / "kernel.json", spec.dump(1) + "\n");
  write_file(folder / "logo-svg.svg", kLogo);
  write_output(folder.string() + "\n");
  return 0;
}

}  // namespace chancel::tool
