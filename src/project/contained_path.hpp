// SPDX-License-Identifier: Apache-2.0
// Paths that a program names, within a folder that it may use. A path that is absolute, has .. in it, or leads out
// through a link is refused, so that a program from elsewhere cannot reach more than what came with it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace chancel {

// "" is the current folder.
std::string path_in(const std::string& folder, std::string_view relative);
// Not absolute, and without "..".
bool stays_below(std::string_view relative);
// The real place of the existing path is below the real place of the folder.
bool is_really_below(const std::string& folder, const std::string& path);
// The file or folder; nothing: it is not there, or may not be used, and `why` says which.
std::optional<std::string> contained_path(const std::string& folder, std::string_view relative,
                                          std::string* why);

}  // namespace chancel
