// SPDX-License-Identifier: Apache-2.0
// The program `chancel`: picks the command, and turns whatever goes wrong into a message and an
// exit code. Nothing is set up before the command asks for it, so that a small run takes
// milliseconds.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "chancel/chancel.hpp"
#include "command_list.hpp"
#include "console.hpp"
#include "guarded.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr const char* kHelp = R"(usage: chancel COMMAND ...

Chancel runs Anglican probabilistic programs. Describe how the data were generated, observe them, and predict
what you want to know:

  ;; coin.clj: how fair is a coin that fell heads, heads, tails, heads?
  (defquery coin
    (let [bias (sample (beta 1 1))]
      (observe (flip bias) true)
      (observe (flip bias) true)
      (observe (flip bias) false)
      (observe (flip bias) true)
      (predict :bias bias)))

  chancel infer coin.clj -a smc --particles 1000 -n 10000

Commands
)";

constexpr const char* kHelpEnd = R"(
`chancel COMMAND --help` has the options and examples of each.
  -h, --help            this text
  --version             the version
)";

std::string help() {
  std::string out = kHelp;
  for (const Command& command : commands())
    out += fmt::format("  {:<22}{}\n", fmt::format("{} {}", command.name, command.arguments),
                       command.summary);
  return out + kHelpEnd;
}

int dispatch(const Arguments& words) {
  if (words.empty()) {
    write_error(help());
    return static_cast<int>(ExitCode::Usage);
  }
  std::string name = words.front();
  Arguments rest(words.begin() + 1, words.end());
  if (name == "--version" || name == "-V" || name == "version") {
    const std::string compiler = native_compiler();
    write_output(fmt::format(
        "chancel {}\n{}\n", version(),
        compiler.empty() ? "no C compiler: everything is interpreted (the draws are the same)"
                         : "native code by " + compiler));
    return 0;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    if (name != "help" || rest.empty()) {
      write_output(help());
      return 0;
    }
    name = rest.front();
    rest = {"--help"};
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (name == command.name) {
      if (command.runs_programs) stop_gently();
      if (!command.is_companion && !join_ranks(name, command.spreads, rest)) return 0;
      return command.run(rest);
    }
    names.push_back(command.name);
  }
  if (name[0] == '-') {
    throw UsageError(fmt::format("unknown option {}", name),
                     "chancel --help lists the commands; options come after them");
  }
  const bool looks_like_file = name.find_first_of("./") != std::string::npos;
  throw UsageError(fmt::format("there is no command '{}'", name),
                   looks_like_file
                       ? fmt::format("chancel infer {} infers a query of that file", name)
                       : suggest(name, names, "the commands are " + join(names)));
}

// Readers and compilers recurse to depths that they limit themselves, of which all fit into kLeastStack. A soft limit
// below it is raised, also for the threads of runs. Below a hard one the command runs on a thread, whose stack
// no limit covers; false then.
constexpr rlim_t kLeastStack = rlim_t{1} << 20, kUsualStack = rlim_t{8} << 20;
bool stack_suffices() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack) return true;
  const bool enough = limit.rlim_max >= kLeastStack;
  limit.rlim_cur = std::min(limit.rlim_max, kUsualStack);
  setrlimit(RLIMIT_STACK, &limit);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return enough;
  if (pthread_attr_setstacksize(&attributes, kUsualStack) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  return enough;
}

int guarded_dispatch(const Arguments& arguments) {
  return guarded([&] { return dispatch(arguments); });
}

int run_on_thread(const Arguments& arguments) {
  int code = 0;
  try {
    std::thread([&] { code = guarded_dispatch(arguments); }).join();
  } catch (const std::system_error&) {
    show_error(
        {fmt::format("the stack is limited to less than {} kB, and there is no memory for another",
                     kLeastStack / 1024),
         "ulimit -s 8192", "L001", ExitCode::Failed});
    return static_cast<int>(ExitCode::Failed);
  }
  return code;
}

// An exception for want of memory where none may pass: still a message and an exit code.
[[noreturn]] void end_out_of_memory() {
  constexpr std::string_view kMessage = "chancel: error[L001]: the machine has no memory left\n";
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    static_cast<void>(!::write(STDERR_FILENO, kMessage.data(), kMessage.size()));
    _exit(static_cast<int>(ExitCode::Failed));
  } catch (...) {
  }
  std::abort();
}

}  // namespace
}  // namespace chancel::tool

int main(int count, char** words) {
  std::set_terminate(chancel::tool::end_out_of_memory);
  chancel::tool::install_signal_handlers();
  const chancel::tool::Arguments arguments(words + (count > 0 ? 1 : 0), words + count);
  return chancel::tool::leave_ranks(chancel::tool::stack_suffices()
                                        ? chancel::tool::guarded_dispatch(arguments)
                                        : chancel::tool::run_on_thread(arguments));
}
