// SPDX-License-Identifier: Apache-2.0
// What natives may ask of the outside world: where printed text goes, how files and program text
// are read. The public API fills this in before a program runs; the library itself never touches
// stdout. Every session has its own, found by the limits that its machines share, so that sessions
// on different threads do not meet. `write` may be called from several threads at once (println
// inside a query) and must be safe for that.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "value/native.hpp"

namespace chancel {

struct Host {
  std::function<void(std::string_view text)> write;
  // False when the file cannot be read; `error` then says why.
  std::function<bool(std::string_view path, std::string* text, std::string* error)> read_file;
  // First form of the text as a value; fails in cx. (The reader is no part of vm.)
  std::function<Value(NativeContext& cx, std::string_view text)> read_form;
};

struct RunLimits;

// For machines whose session has set none: drops what is written, reads files of the file system,
// cannot read forms.
Host& host();
void set_host(const RunLimits* session, Host host);
void drop_host(const RunLimits* session);
// That of the machine which runs on this thread.
std::shared_ptr<const Host> current_host();

// Captured output of this thread (with-out-str). Captures nest.
void begin_capture();
std::string end_capture();
void write_output(std::string_view text);  // to the innermost capture, else to the host

}  // namespace chancel
