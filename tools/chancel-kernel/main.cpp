// SPDX-License-Identifier: Apache-2.0
// chancel-kernel -f CONNECTION: the Jupyter kernel, started by `chancel kernel`. Jupyter interrupts a
// cell with SIGINT. All threads block that signal and one waits for it, so that no system call of
// ZeroMQ is ever cut short.
#include <fmt/format.h>
#include <signal.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <xeus/xeus_context.hpp>
#include <xeus/xkernel.hpp>
#include <xeus/xkernel_configuration.hpp>
#include <xeus/xserver_shell_main.hpp>
#include <zmq.hpp>

#include "gate.hpp"
#include "guarded.hpp"
#include "interpreter.hpp"
#include "option_parser.hpp"
#include "parent_watch.hpp"
#include "program_options.hpp"
#include "usage.hpp"

namespace {

using namespace chancel;

// Blocks SIGINT in this thread and all that it starts, and presses the button when it comes.
void wait_for_interrupts(const Interrupt& interrupt) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([set, interrupt] {
    for (int signal = 0;;)
      if (sigwait(&set, &signal) == 0) interrupt.request();
  }).detach();
  signal(SIGPIPE, SIG_IGN);
}

int serve(const tool::Arguments& arguments) {
  tool::ProgramOptions program;
  std::string connection, seed;
  tool::OptionParser parser("chancel kernel -f CONNECTION [options]",
                            "Serves a notebook of Jupyter, which starts it and writes the file "
                            "CONNECTION.",
                            "");
  parser.option("-f,--connection", &connection, "FILE", "ports and key, as Jupyter writes them");
  parser.option("--seed", &seed, "N", "the same seed gives the same random numbers");
  program.declare_tier(parser);
  program.declare_limits(parser);
  if (!parser.parse(arguments)) return 0;
  if (connection.empty())
    throw tool::UsageError("-f is missing", "chancel kernel --install makes Jupyter start it");
  if (!std::filesystem::exists(connection))
    throw tool::UsageError(fmt::format("cannot read {}", connection), "", "U002",
                           ExitCode::NoInput);
  xeus::xconfiguration configuration;
  try {
    configuration = xeus::load_configuration(connection);
  } catch (const std::exception&) {
    throw tool::UsageError(fmt::format("{} is not a connection file of Jupyter", connection), "",
                           "U003", ExitCode::BadInput);
  }
  CompileOptions options = program.compile_options("<cell>");
  options.interrupt = Interrupt();
  wait_for_interrupts(options.interrupt);
  auto interpreter = std::make_unique<kernel::Interpreter>(options, tool::seed_of(seed));
  kernel::watch_parent();
  std::unique_ptr<xeus::xcontext> context = xeus::make_context<zmq::context_t>();
  zmq::context_t& sockets = context->get_wrapped_context<zmq::context_t>();
  xeus::xkernel server(kernel::Gate::inner(configuration), xeus::get_user_name(),
                       std::move(context), std::move(interpreter), xeus::make_xserver_shell_main,
                       xeus::make_in_memory_history_manager(), nullptr, xeus::make_null_debugger,
                       nlohmann::json::object(), nlohmann::json::error_handler_t::replace);
  std::optional<kernel::Gate> gate;
  try {
    gate.emplace(sockets, configuration);
  } catch (const zmq::error_t& error) {
    throw tool::UsageError(fmt::format("cannot use the ports of {}: {}", connection, error.what()),
                           "", "U003", ExitCode::Failed);
  }
  server.start();
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const chancel::tool::Arguments arguments(words + (count > 0 ? 1 : 0), words + count);
  return chancel::tool::guarded([&] { return serve(arguments); });
}
