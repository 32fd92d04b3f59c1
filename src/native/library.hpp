// SPDX-License-Identifier: Apache-2.0
// Generated C made into code: the system's compiler writes a shared object, which is loaded, and kept
// in a directory of the user's own under the hash of what it was made from.
#pragma once
#include <memory>
#include <string>

namespace chancel::native {

class Library {
 public:
  // Null: there is no compiler, or it does not take the text; *why says which.
  static std::shared_ptr<Library> make(const std::string& text, std::string* why);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* find(const std::string& name) const;

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// The compiler that is used; empty: there is none.
std::string system_compiler();

}  // namespace chancel::native
