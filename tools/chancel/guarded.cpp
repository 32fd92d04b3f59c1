// SPDX-License-Identifier: Apache-2.0
#include "guarded.hpp"

#include <fmt/format.h>

#include <new>

#include "console.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {

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
    show_error({"there is not enough memory",
                "give the program less to do, or a smaller --max-memory", "L001",
                ExitCode::Failed});
  } catch (const std::exception& error) {
    show_error({fmt::format("Chancel broke one of its own rules ({})", error.what()),
                "please report this with the program and the command", "X001", ExitCode::Failed});
  }
  return static_cast<int>(ExitCode::Failed);
}

}  // namespace chancel::tool
