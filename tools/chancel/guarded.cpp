// SPDX-License-Identifier: Apache-2.0
#include "guarded.hpp"

#include <fmt/format.h>

#include <new>

#include "chancel/process_memory.hpp"
#include "console.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {

namespace {
void show_no_memory() {
  show_error({whole_process_message(), "give the program less to do, or a smaller --max-memory",
              "L001", ExitCode::Failed});
}
}  // namespace

int guarded(const std::function<int()>& command) {
  try {
    const int code = command();
    flush_output();
    return code;
  } catch (const RunOver&) {
    return 0;  // rank 0 says what there is to say
  } catch (const UsageError& error) {
    show_error(error);
    return static_cast<int>(error.exit_code());
  } catch (const Error& error) {
    show_messages_unless_told(error);
    return user_interrupt().requested() ? kInterruptedExit : static_cast<int>(error.exit_code());
  } catch (const std::bad_alloc&) {
    show_no_memory();
  } catch (const std::exception& error) {
    show_error({fmt::format("Chancel broke one of its own rules ({})", error.what()),
                "please report this with the program and the command", "X001", ExitCode::Failed});
  } catch (...) {  // the limit of a heap
    show_no_memory();
  }
  return static_cast<int>(ExitCode::Failed);
}

}  // namespace chancel::tool
