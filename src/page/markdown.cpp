// SPDX-License-Identifier: Apache-2.0
#include "page/markdown.hpp"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <cctype>

#include "page/html_text.hpp"
#include "page/mathml.hpp"
#include "page/safe_html.hpp"
#include "page/source_view.hpp"

namespace chancel::page {
namespace {

std::string attribute_text(const MD_ATTRIBUTE& a) {
  return a.text == nullptr ? std::string() : std::string(a.text, a.size);
}

// Where a piece of finished HTML (a formula, a program) stands in the text that safe_page_html cleans: a number between
// two characters for private use, which are taken out of the text before.
constexpr std::string_view kPieceBegins = "\uF8F0", kPieceEnds = "\uF8F1";

std::string without_marks(std::string_view text) {
  std::string out(text);
  for (const std::string_view mark : {kPieceBegins, kPieceEnds})
    for (std::size_t at = 0; (at = out.find(mark, at)) != out.npos;) out.erase(at, mark.size());
  return out;
}

class Writer {
 public:
  explicit Writer(std::vector<Heading>& headings) : headings_(headings) {}

  void enter_block(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        out_ += "<blockquote>\n";
        break;
      case MD_BLOCK_UL:
        out_ += "<ul>\n";
        break;
      case MD_BLOCK_OL:
        out_ += fmt::format("<ol start=\"{}\">\n", static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start);
        break;
      case MD_BLOCK_LI:
        out_ += "<li>";
        break;
      case MD_BLOCK_HR:
        out_ += "<hr>\n";
        break;
      case MD_BLOCK_H: {
        Heading heading;
        heading.level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        heading.id = fmt::format("section-{}", headings_.size() + 1);
        out_ += fmt::format("<h{} id=\"{}\">", heading.level, heading.id);
        heading_at_ = out_.size();
        headings_.push_back(std::move(heading));
        break;
      }
      case MD_BLOCK_CODE: {
        const std::string language =
            attribute_text(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
        coloured_ = language == "clojure" || language == "clj";
        in_code_ = true;
        code_.clear();
        break;
      }
      case MD_BLOCK_P:
        out_ += "<p>";
        break;
      case MD_BLOCK_TABLE:
        out_ += "<table class=\"view\">\n";
        break;
      case MD_BLOCK_THEAD:
        out_ += "<thead>";
        break;
      case MD_BLOCK_TBODY:
        out_ += "<tbody>";
        break;
      case MD_BLOCK_TR:
        out_ += "<tr>";
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: {
        const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
        out_ += fmt::format("<t{}{}>", type == MD_BLOCK_TH ? 'h' : 'd',
                            align == MD_ALIGN_RIGHT    ? " style=\"text-align:right\""
                            : align == MD_ALIGN_CENTER ? " style=\"text-align:center\""
                                                       : "");
        break;
      }
      default:
        break;
    }
  }

  void leave_block(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        out_ += "</blockquote>\n";
        break;
      case MD_BLOCK_UL:
        out_ += "</ul>\n";
        break;
      case MD_BLOCK_OL:
        out_ += "</ol>\n";
        break;
      case MD_BLOCK_LI:
        out_ += "</li>\n";
        break;
      case MD_BLOCK_H:
        headings_.back().html = finished(out_.substr(heading_at_));
        out_ += fmt::format("</h{}>\n", headings_.back().level);
        break;
      case MD_BLOCK_CODE:
        in_code_ = false;
        piece("<pre class=\"program\">" + code_html() + "</pre>\n");
        break;
      case MD_BLOCK_P:
        out_ += "</p>\n";
        break;
      case MD_BLOCK_TABLE:
        out_ += "</table>\n";
        break;
      case MD_BLOCK_THEAD:
        out_ += "</thead>\n";
        break;
      case MD_BLOCK_TBODY:
        out_ += "</tbody>\n";
        break;
      case MD_BLOCK_TR:
        out_ += "</tr>\n";
        break;
      case MD_BLOCK_TH:
        out_ += "</th>";
        break;
      case MD_BLOCK_TD:
        out_ += "</td>";
        break;
      default:
        break;
    }
  }

  void enter_span(MD_SPANTYPE type, void* detail) {
    switch (type) {
      case MD_SPAN_EM:
        out_ += "<em>";
        break;
      case MD_SPAN_STRONG:
        out_ += "<strong>";
        break;
      case MD_SPAN_CODE:
        out_ += "<code>";
        break;
      case MD_SPAN_DEL:
        out_ += "<s>";
        break;
      case MD_SPAN_A: {
        const std::string address = attribute_text(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
        links_.push_back(is_safe_address(address));
        if (links_.back()) out_ += "<a href=\"" + html(address) + "\">";
        break;
      }
      case MD_SPAN_IMG:  // what is not in the page cannot be shown
        out_ += "<span class=\"note\">[picture: ";
        break;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        in_formula_ = true;
        code_.clear();
        break;
      default:
        break;
    }
  }

  void leave_span(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_EM:
        out_ += "</em>";
        break;
      case MD_SPAN_STRONG:
        out_ += "</strong>";
        break;
      case MD_SPAN_CODE:
        out_ += "</code>";
        break;
      case MD_SPAN_DEL:
        out_ += "</s>";
        break;
      case MD_SPAN_A:
        if (links_.back()) out_ += "</a>";
        links_.pop_back();
        break;
      case MD_SPAN_IMG:
        out_ += "]</span>";
        break;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        in_formula_ = false;
        piece(formula_html(code_, type == MD_SPAN_LATEXMATH_DISPLAY));
        break;
      default:
        break;
    }
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_ || in_formula_) {
      code_ += text;
    } else if (type == MD_TEXT_BR) {
      out_ += "<br>\n";
    } else if (type == MD_TEXT_SOFTBR) {
      out_ += "\n";
    } else if (type == MD_TEXT_ENTITY || type == MD_TEXT_HTML) {
      out_ += text;  // &amp; and tags, as md4c has recognised them
    } else {
      out_ += html(text);
    }
  }

  std::string take() { return finished(out_); }

 private:
  void piece(std::string made) {
    out_ += fmt::format("{}{}{}", kPieceBegins, pieces_.size(), kPieceEnds);
    pieces_.push_back(std::move(made));
  }
  std::string finished(const std::string& raw) const {
    const std::string safe = safe_page_html(raw);
    std::string out;
    std::size_t from = 0;
    for (std::size_t at; (at = safe.find(kPieceBegins, from)) != safe.npos;) {
      const std::size_t end = safe.find(kPieceEnds, at);
      out += safe.substr(from, at - from);
      out += pieces_[std::stoul(safe.substr(at + kPieceBegins.size(), end - at))];
      from = end + kPieceEnds.size();
    }
    return out + safe.substr(from);
  }

  std::string code_html() const {
    if (!coloured_) return html(code_);
    std::string all;
    for (const std::string& line : coloured_lines(code_)) all += line + "\n";
    return all;
  }

  std::vector<Heading>& headings_;
  std::string out_, code_;
  std::vector<std::string> pieces_;
  std::size_t heading_at_ = 0;
  bool in_code_ = false, in_formula_ = false, coloured_ = false;
  std::vector<bool> links_;
};

// Formulas as md4c takes them: Gorilla's @@x@@ as $x$, and a $ that begins no formula (the price of
// something) escaped. A $ begins one when text follows at once, and ends it after text and before
// anything but a digit. Code is left alone.
class Formulas {
 public:
  explicit Formulas(std::string_view text) : text_(text) {}

  std::string marked() {
    while (at_ < text_.size()) {
      if (text_[at_] == '`') {
        code();
      } else if (starts("@@")) {
        between("@@", "$");
      } else if (starts("$$")) {
        between("$$", "$$");
      } else if (text_[at_] == '\\') {
        copy(std::min<std::size_t>(2, text_.size() - at_));
      } else if (text_[at_] == '$') {
        dollar();
      } else {
        copy(1);
      }
    }
    return std::move(out_);
  }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  void copy(std::size_t count) {
    out_ += text_.substr(at_, count);
    at_ += count;
  }
  // Where `what` comes next in this paragraph; npos: nowhere.
  std::size_t find(std::string_view what, std::size_t from) const {
    const std::size_t found = text_.find(what, from);
    return found < text_.find("\n\n", from) ? found : text_.npos;
  }
  void code() {  // from backticks to as many of them
    std::size_t ticks = 0;
    while (at_ + ticks < text_.size() && text_[at_ + ticks] == '`') ++ticks;
    const std::size_t end = text_.find(text_.substr(at_, ticks), at_ + ticks);
    copy(end == text_.npos ? ticks : end + ticks - at_);
  }
  void between(std::string_view mark, std::string_view usual) {
    const std::size_t end = find(mark, at_ + mark.size());
    if (end == text_.npos) return copy(mark.size());
    out_ += usual;
    out_ += unescaped(text_.substr(at_ + mark.size(), end - at_ - mark.size()));
    out_ += usual;
    at_ = end + mark.size();
  }
  // Markdown needs \_ and \* where formulas mean _ and *.
  static std::string unescaped(std::string_view formula) {
    std::string out;
    for (std::size_t i = 0; i < formula.size(); ++i) {
      const char next = i + 1 < formula.size() ? formula[i + 1] : ' ';
      const bool escape = formula[i] == '\\';
      if (!escape || (next != '_' && next != '*')) out += formula[i];
      if (escape && i + 1 < formula.size()) out += formula[++i];
    }
    return out;
  }
  void dollar() {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t end = at_; (end = find("$", end + 1)) != text_.npos;) {
      if (end == at_ + 1 || is_space(text_[at_ + 1])) break;
      const bool digit =
          end + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end + 1])) != 0;
      if (!digit && !is_space(text_[end - 1])) {
        out_ += unescaped(text_.substr(at_, end + 1 - at_));
        at_ = end + 1;
        return;
      }
    }
    out_ += '\\';
    copy(1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string markdown_html(std::string_view text, std::vector<Heading>& headings) {
  Writer writer(headings);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_LATEXMATHSPANS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) {
    static_cast<Writer*>(to)->enter_block(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* to) {
    static_cast<Writer*>(to)->leave_block(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) {
    static_cast<Writer*>(to)->enter_span(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* to) {
    static_cast<Writer*>(to)->leave_span(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* to) {
    static_cast<Writer*>(to)->text(type, {text, size});
    return 0;
  };
  const std::string clean = without_marks(text);
  const std::string source = Formulas(clean).marked();
  if (md_parse(source.data(), static_cast<MD_SIZE>(source.size()), &parser, &writer) != 0)
    return "<pre>" + html(text) + "</pre>\n";
  return writer.take();
}

}  // namespace chancel::page
