// SPDX-License-Identifier: Apache-2.0
// A main for fuzz targets where libFuzzer is not linked: calls LLVMFuzzerTestOneInput on seeds, and on mutations of
// them, from a fixed random number. The same arguments give the same inputs; without coverage none is learned from.
//
//   NAME_mutate [--seconds CPU] [--runs N] [--seed S] [--stride K] [--findings DIR] [--write-seeds DIR] FILES AND FOLDERS
//
// --stride: first, at every K-th byte of every seed, it is changed, set to 255, made the last, left out and doubled. An
// input that ends the process is in DIR/NAME-crash before it runs out. --write-seeds writes the seeds that the
// target makes (fresh_seeds) and ends.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
#if defined(CHANCEL_FRESH_SEEDS)  // of targets whose inputs depend on the version of the program
std::vector<std::string> fresh_seeds();
#else
static std::vector<std::string> fresh_seeds() { return {}; }
#endif

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestInput = 1 << 16;

std::string crash_file;        // where an input goes that ends the process
std::string_view running_now;  // the input

extern "C" void keep_input(int signal_number) {
  if (const int file = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666); file >= 0) {
    if (::write(file, running_now.data(), running_now.size()) < 0) ::_exit(2);
    ::close(file);
  }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, const std::vector<std::string>& seeds)
      : random_(seed), seeds_(seeds) {}

  std::string next() {
    std::string text = one_of(seeds_);
    for (std::size_t left = 1 + below(4); left > 0; --left) change(text);
    if (text.size() > kLongestInput) text.resize(kLongestInput);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& one_of(const std::vector<std::string>& list) {
    return list[below(list.size())];
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, std::size_t{1} << below(8));
    switch (below(9)) {
      case 0:  // a bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // a byte
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, text.substr(at, length));
        break;
      case 5: {  // again and again
        const std::string part = text.substr(at, 1 + below(4));
        for (std::size_t n = below(300); n > 0; --n) text.insert(at, part);
        break;
      }
      case 6: {  // a part of another
        const std::string& other = one_of(seeds_);
        text.replace(at, length, other.substr(below(other.size() + 1), std::size_t{1} << below(9)));
        break;
      }
      case 7: {  // a number of variable length, or a word
        static const std::string kLarge[] = {
            std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10),
            std::string("\x80\x80\x80\x80\x10", 5),
            std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8),
            std::string("\0\0\0\0\0\0\xf8\x7f", 8),
            std::string("\0\0\0\0\0\0\xf0\xff", 8),
            std::string("\x80\x80\x04", 3),
            std::string(8, '\0')};
        const std::string& word = kLarge[below(std::size(kLarge))];
        text.replace(at, below(2) ? word.size() : 0, word);
        break;
      }
      default: {  // what texts of numbers have
        static const char* const kTexts[] = {"-1",   "1e999", "18446744073709551616",
                                             "null", "NaN",   "\"",
                                             "[[[[", "{\"",   "\\u0000",
                                             ":",    ",",     "#{"};
        const std::string word = kTexts[below(std::size(kTexts))];
        text.replace(at, below(2) * length, word);
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& seeds_;
};

void add_file(const fs::path& path, std::vector<std::string>& to) {
  std::ifstream in(path, std::ios::binary);
  to.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// Where an input could be cut by a crash of its writer, or changed by a disk.
template <class Run>
std::uint64_t damage(const std::string& text, std::size_t stride, const Run& run) {
  std::uint64_t done = 0;
  for (std::size_t at = 0; at < text.size(); at += stride, done += 5) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    run(damaged);
    damaged[at] = '\xff';
    run(damaged);
    run(text.substr(0, at));
    run(text.substr(0, at) + text.substr(at + 1));
    run(text.substr(0, at + 1) + text.substr(at));
  }
  return done;
}

void run_one(const std::string& text) {
  // Of the exact size, so that AddressSanitizer sees a read past the end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  running_now = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 2;
  std::uint64_t runs = ~std::uint64_t{0}, seed = 1, stride = 0;
  std::string findings = ".", write_to;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--seconds")
      seconds = std::atof(value), ++i;
    else if (word == "--runs")
      runs = std::strtoull(value, nullptr, 10), ++i;
    else if (word == "--seed")
      seed = std::strtoull(value, nullptr, 10), ++i;
    else if (word == "--stride")
      stride = std::strtoull(value, nullptr, 10), ++i;
    else if (word == "--findings")
      findings = value, ++i;
    else if (word == "--write-seeds")
      write_to = value, ++i;
    else if (fs::is_directory(word)) {
      std::vector<fs::path> files;
      for (const auto& entry : fs::recursive_directory_iterator(word))
        if (entry.is_regular_file()) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) add_file(file, seeds);
    } else {
      add_file(word, seeds);
    }
  }
  const std::string name = fs::path(argv[0]).filename();
  const std::vector<std::string> fresh = fresh_seeds();
  if (!write_to.empty()) {
    fs::create_directories(write_to);
    for (std::size_t i = 0; i < fresh.size(); ++i)
      std::ofstream(fs::path(write_to) / std::to_string(i), std::ios::binary) << fresh[i];
    return 0;
  }
  seeds.insert(seeds.end(), fresh.begin(), fresh.end());
  if (seeds.empty()) {
    std::fprintf(stderr, "%s: there are no seeds\n", name.c_str());
    return 64;
  }
  fs::create_directories(findings);
  crash_file = fs::path(findings) / (name + "-crash");
  for (const int signal_number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGXCPU})
    std::signal(signal_number, keep_input);

  std::uint64_t damaged = 0;
  for (const std::string& text : seeds) {
    run_one(text);
    if (stride > 0) damaged += damage(text, stride, run_one);
  }
  Mutator mutator(seed, seeds);
  std::uint64_t done = 0;
  const std::clock_t begun = std::clock();
  const auto used = [&] { return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC; };
  for (; done < runs && used() < seconds; ++done) run_one(mutator.next());
  std::printf(
      "%s: %zu seeds, damaged %llu times; %llu mutations in %.1f s of CPU time, %.0f per second\n",
      name.c_str(), seeds.size(), static_cast<unsigned long long>(damaged),
      static_cast<unsigned long long>(done), used(),
      static_cast<double>(done) / std::max(used(), 1e-3));
  return 0;
}
