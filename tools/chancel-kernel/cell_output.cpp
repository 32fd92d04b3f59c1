// SPDX-License-Identifier: Apache-2.0
#include "cell_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace chancel::kernel {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostText = std::size_t{4} << 20;  // that a cell prints

}  // namespace

void CellOutput::begin(std::function<std::string()> progress) {
  end();
  progress_ = std::move(progress);
  begun_ = shown_ = Clock::now();
  sent_ = 0;
  what_.clear();
  ++cells_;
  displayed_ = done_ = false;
  open_ = true;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    // No thread to be had: what is printed comes at the end.
  }
}

void CellOutput::end() {
  {
    const std::lock_guard lock(mutex_);
    if (!open_) return;
    done_ = true;
    open_ = false;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  flush();
  if (displayed_) show_progress(true);
}

void CellOutput::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const std::size_t so_far = sent_ + text_.size();
  if (so_far >= kMostText) return;
  text_ += text.substr(0, std::min(text.size(), kMostText - so_far));
  if (so_far + text.size() >= kMostText) text_ += "\n… the rest is not shown\n";
}

void CellOutput::after_prints(const std::function<void()>& send) {
  const std::lock_guard lock(mutex_);
  flush();
  send();
}

void CellOutput::flush() {
  if (text_.empty()) return;
  publisher_.stream("stdout", text_);
  sent_ += text_.size();
  text_.clear();
}

void CellOutput::loop() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, 100ms, [this] { return done_; })) {
    flush();
    const Clock::time_point now = Clock::now();
    if (now - begun_ < 1s || now - shown_ < 400ms) continue;
    shown_ = now;
    show_progress(false);
  }
}

void CellOutput::show_progress(bool last) {
  // At the end, and between the forms of a cell, the newest news there was.
  if (std::string news = progress_ ? progress_() : ""; !news.empty()) what_ = std::move(news);
  const std::string& what = what_;
  if (what.empty()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  const std::string text = fmt::format("{}, {:.1f} s", what, seconds);
  const nlohmann::json data = {{"text/plain", text + (last ? "" : " …")}};
  const nlohmann::json transient = {{"display_id", fmt::format("chancel-progress-{}", cells_)}};
  publisher_.display(data, transient, displayed_);
  displayed_ = true;
}

}  // namespace chancel::kernel
