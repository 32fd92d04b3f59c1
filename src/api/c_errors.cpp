// SPDX-License-Identifier: Apache-2.0
// Errors, and the version.
#include "api/c_interface.hpp"

namespace chancel::c {

static_assert(static_cast<int>(ExitCode::Usage) == CHANCEL_USAGE &&
              static_cast<int>(ExitCode::BadInput) == CHANCEL_BAD_INPUT &&
              static_cast<int>(ExitCode::NoInput) == CHANCEL_NO_INPUT &&
              static_cast<int>(ExitCode::Failed) == CHANCEL_FAILED);

Message plain_message(const char* code, std::string sentence, std::string hint) {
  Message m;
  m.code = code;
  m.message = std::move(sentence);
  m.hint = std::move(hint);
  m.text = "error[" + m.code + "]: " + m.message + (m.hint.empty() ? "" : "\nhint: " + m.hint);
  return m;
}

[[noreturn]] void usage(std::string sentence, std::string hint) {
  throw Error({plain_message("U001", std::move(sentence), std::move(hint))}, ExitCode::Usage);
}

// For when there is no memory to make an error of: no text longer than a std::string holds itself.
chancel_error* no_memory_error() noexcept {
  static chancel_error error = {CHANCEL_FAILED, {}, "error[L001]: the machine has no memory left"};
  return &error;
}

chancel_status give(chancel_error** place, chancel_status status,
                    const std::vector<Message>& messages) noexcept {
  if (place == nullptr) return status;
  try {
    auto error = std::make_unique<chancel_error>();
    error->status = status;
    error->messages = messages;
    for (const Message& m : messages) error->text += (error->text.empty() ? "" : "\n") + m.text;
    *place = error.release();
  } catch (...) {
    *place = no_memory_error();
  }
  return status;
}

chancel_message to_c(const Message& m) {
  return {m.code.c_str(), m.message.c_str(), m.hint.c_str(), m.file.c_str(), m.line,
          m.column,       m.end_line,        m.end_column,   m.text.c_str()};
}
chancel_message message_at(const std::vector<Message>* messages, std::size_t index) {
  static const Message none;
  return to_c(messages != nullptr && index < messages->size() ? (*messages)[index] : none);
}

}  // namespace chancel::c

using chancel::c::message_at;
using chancel::c::no_memory_error;

extern "C" {

const char* chancel_version(void) { return chancel::version(); }

chancel_status chancel_error_status(const chancel_error* error) {
  return error == nullptr ? CHANCEL_OK : error->status;
}
const char* chancel_error_text(const chancel_error* error) {
  return error == nullptr ? "" : error->text.c_str();
}
size_t chancel_error_count(const chancel_error* error) {
  return error == nullptr ? 0 : error->messages.size();
}
chancel_message chancel_error_message(const chancel_error* error, size_t index) {
  return message_at(error == nullptr ? nullptr : &error->messages, index);
}
void chancel_error_free(chancel_error* error) {
  if (error != no_memory_error()) delete error;
}

}  // extern "C"
