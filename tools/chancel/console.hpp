// SPDX-License-Identifier: Apache-2.0
// Standard output and error. Output is buffered here and written with write(2), so that a full disk
// and a closed pipe are seen: the first ends the run with a message, the second is an ordinary end
// (`chancel infer ... | head`). What goes to stderr is written at once, after the output that came
// before it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace chancel::tool {

void write_output(std::string_view text);
void flush_output();
// The reader has gone: nothing more needs to be written.
bool output_is_closed();

void write_error(std::string_view text);

// Output and stderr go through a launcher, which may show them as a terminal when they are none.
void go_through_launcher();
// From now on nothing is written: output is dropped, and what goes to stderr is kept.
void keep_errors();
std::string kept_errors();

bool input_is_terminal();
bool output_is_terminal();
bool error_is_terminal();
std::size_t output_columns();  // of the terminal; 80 when there is none
std::size_t error_columns();
bool output_colour();  // terminals, unless NO_COLOR is set
bool error_colour();

}  // namespace chancel::tool
