// SPDX-License-Identifier: Apache-2.0
// A directory of its own under $TMPDIR (or /tmp), removed with all that is in it when the object
// goes.
#pragma once
#include <string>

namespace chancel::tool {

class ScratchDirectory {
 public:
  ScratchDirectory();  // throws UsageError when there is no place
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  // A directory inside that does not exist yet.
  std::string path() const { return base_ + "/run"; }

 private:
  std::string base_;
};

}  // namespace chancel::tool
