// SPDX-License-Identifier: Apache-2.0
#include "line_editor.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cwchar>

#include "chancel/chancel.hpp"
#include "console.hpp"
#include "signals.hpp"

#ifdef CHANCEL_HAS_LIBEDIT
#include <histedit.h>
#endif

namespace chancel::tool {
namespace {

constexpr int kHistoryLength = 10'000;

// Bytes of standard input; the terminal is read through here too, so that a signal ends a read.
class ByteSource {
 public:
  enum class Outcome { Byte, End, Interrupted };
  Outcome next(char* byte) {
    if (at_ == end_) {
      if (!wait()) return Outcome::Interrupted;
      const ssize_t got = ::read(STDIN_FILENO, buffer_, sizeof buffer_);
      if (got < 0 && errno == EINTR)
        return user_interrupt().requested() ? Outcome::Interrupted : next(byte);
      if (got <= 0) return Outcome::End;
      at_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    *byte = buffer_[at_++];
    return Outcome::Byte;
  }

 private:
  // Until there is something to read; false on Ctrl-C. Signals are let through only while ppoll
  // sleeps, so that none is lost between the question and the sleep.
  static bool wait() {
    sigset_t interrupts;
    sigset_t before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    bool ready = false;
    while (!ready && !user_interrupt().requested()) {
      const int count = ppoll(&input, 1, nullptr, &before);
      ready = count > 0 || (count < 0 && errno != EINTR);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return ready;
  }

  char buffer_[4096];
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

bool is_word_end(char c) {
  return std::string_view(" \t\n()[]{}'`~@^#\",;").find(c) != std::string_view::npos;
}

std::string common_start(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    std::size_t same = 0;
    while (same < common.size() && same < word.size() && common[same] == word[same]) ++same;
    common.resize(same);
  }
  return common;
}

}  // namespace

struct LineEditor::Impl {
  bool interactive = false;
  std::string history_file;
  Complete complete;
  std::string prompt;
  ByteSource bytes;

  Outcome read_plain(std::string* line) {
    line->clear();
    char byte = 0;
    while (true) {
      switch (bytes.next(&byte)) {
        case ByteSource::Outcome::Interrupted:
          return Outcome::Interrupted;
        case ByteSource::Outcome::End:
          return line->empty() ? Outcome::End : Outcome::Line;
        case ByteSource::Outcome::Byte:
          if (byte == '\n') return Outcome::Line;
          *line += byte;
      }
    }
  }

#ifdef CHANCEL_HAS_LIBEDIT
  EditLine* editor = nullptr;
  History* history_list = nullptr;
  bool interrupted = false;

  static Impl& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Impl*>(data);
  }

  static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }

  // A whole character from the terminal, UTF-8 put together.
  static int read_character(EditLine* editor, wchar_t* out) {
    Impl& impl = of(editor);
    std::mbstate_t state = {};
    while (true) {
      char byte = 0;
      const ByteSource::Outcome outcome = impl.bytes.next(&byte);
      if (outcome != ByteSource::Outcome::Byte) {
        impl.interrupted = outcome == ByteSource::Outcome::Interrupted;
        return impl.interrupted ? -1 : 0;
      }
      const std::size_t used = std::mbrtowc(out, &byte, 1, &state);
      if (used == static_cast<std::size_t>(-2)) continue;  // more bytes to come
      if (used == static_cast<std::size_t>(-1)) {
        *out = L'?';
        return 1;
      }
      if (used == 0) *out = L'\0';
      return 1;
    }
  }

  static unsigned char on_tab(EditLine* editor, int) {
    Impl& impl = of(editor);
    const LineInfo* info = el_line(editor);
    const char* from = info->cursor;
    while (from > info->buffer && !is_word_end(from[-1])) --from;
    const std::string prefix(from, info->cursor);
    if (prefix.empty()) {
      el_insertstr(editor, "  ");
      return CC_REFRESH;
    }
    const std::vector<std::string> words = impl.complete(prefix);
    if (words.empty()) return CC_REFRESH_BEEP;
    const std::string common = common_start(words);
    if (common.size() > prefix.size()) {
      el_insertstr(editor, (common.substr(prefix.size()) + (words.size() == 1 ? " " : "")).c_str());
      return CC_REFRESH;
    }
    if (words.size() == 1) {
      el_insertstr(editor, " ");
      return CC_REFRESH;
    }
    impl.list(words);
    return CC_REDISPLAY;
  }

  void list(const std::vector<std::string>& words) {
    constexpr std::size_t kMost = 100;
    std::size_t width = 0;
    for (const std::string& word : words) width = std::max(width, word.size() + 2);
    const std::size_t columns = std::max<std::size_t>(1, 80 / width);
    std::string out = "\n";
    for (std::size_t i = 0; i < words.size() && i < kMost; ++i) {
      out += words[i] + std::string(width - words[i].size(), ' ');
      if ((i + 1) % columns == 0) out += "\n";
    }
    if (words.size() > kMost) out += "... " + std::to_string(words.size() - kMost) + " more";
    write_output(out + "\n");
    flush_output();
  }

  void open() {
    std::setlocale(LC_CTYPE, "");
    editor = el_init("chancel", stdin, stdout, stderr);
    if (editor == nullptr) {
      interactive = false;
      return;
    }
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, show_prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_GETCFN, read_character);
    el_set(editor, EL_ADDFN, "chancel-complete", "Complete a name", on_tab);
    el_set(editor, EL_BIND, "^I", "chancel-complete", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(editor, nullptr);  // the user's ~/.editrc
    history_list = history_init();
    HistEvent event;
    history(history_list, &event, H_SETSIZE, kHistoryLength);
    history(history_list, &event, H_SETUNIQUE, 1);
    el_set(editor, EL_HIST, history, history_list);
    if (!history_file.empty()) history(history_list, &event, H_LOAD, history_file.c_str());
  }

  void close() {
    if (editor == nullptr) return;
    HistEvent event;
    if (!history_file.empty()) history(history_list, &event, H_SAVE, history_file.c_str());
    history_end(history_list);
    el_end(editor);
  }

  Outcome read_edited(std::string* line) {
    interrupted = false;
    int length = 0;
    el_set(editor, EL_PREP_TERM,
           1);  // before the prompt shows, so that a quick Ctrl-D is seen as one
    const char* text = el_gets(editor, &length);
    if (interrupted || user_interrupt().requested()) {
      write_output("^C\n");
      flush_output();
      el_reset(editor);
      return Outcome::Interrupted;
    }
    if (text == nullptr || length <= 0) return Outcome::End;
    line->assign(text, static_cast<std::size_t>(length));
    while (!line->empty() && (line->back() == '\n' || line->back() == '\r')) line->pop_back();
    return Outcome::Line;
  }

  void remember(const std::string& entry) {
    if (editor == nullptr) return;
    HistEvent event;
    history(history_list, &event, H_ENTER, entry.c_str());
  }
#else
  void open() {}
  void close() {}
  Outcome read_edited(std::string* line) {
    write_output(prompt);
    flush_output();
    return read_plain(line);
  }
  void remember(const std::string&) {}
#endif
};

LineEditor::LineEditor(bool interactive, std::string history_file, Complete complete)
    : impl_(std::make_unique<Impl>()) {
  impl_->interactive = interactive;
  impl_->history_file = std::move(history_file);
  impl_->complete = std::move(complete);
  if (interactive) impl_->open();
}

LineEditor::~LineEditor() { impl_->close(); }

LineEditor::Outcome LineEditor::read(const std::string& prompt, std::string* line) {
  flush_output();
  impl_->prompt = prompt;
  return impl_->interactive ? impl_->read_edited(line) : impl_->read_plain(line);
}

void LineEditor::remember(const std::string& entry) { impl_->remember(entry); }

}  // namespace chancel::tool
