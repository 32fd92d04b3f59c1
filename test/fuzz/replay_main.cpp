// SPDX-License-Identifier: Apache-2.0
// A main for fuzz targets where libFuzzer is not linked: calls LLVMFuzzerTestOneInput once for each
// file named, and for each file in the folders named (whole trees). Also cuts every file short at
// 16 places, since unfinished programs are what a reader sees most. Folders that do not exist are
// passed over: a target may have no findings yet.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  constexpr std::size_t kCuts = 16;
  for (std::size_t cut = 0; cut <= kCuts; ++cut) {
    // A fresh buffer of the exact size lets AddressSanitizer see a read past the end.
    const std::vector<std::uint8_t> part(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.size() * cut / kCuts));
    LLVMFuzzerTestOneInput(part.data(), part.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (std::filesystem::is_directory(path)) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.file_size() <= (std::uintmax_t{1} << 16)) {
          replay(entry.path());
          ++files;
        }
      }
    } else if (std::filesystem::exists(path)) {
      replay(path);
      ++files;
    }
  }
  std::printf("replayed %d files\n", files);
  return files > 0 ? 0 : 1;
}
