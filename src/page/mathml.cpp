// SPDX-License-Identifier: Apache-2.0
// A parser of one pass. Each piece of the formula is one element of MathML; scripts wrap the piece
// before them. Words, signs and accents are tables.
#include "page/mathml.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/utf8.hpp"
#include "page/html_text.hpp"

namespace chancel::page {
namespace {

struct Word {
  std::string_view tex, text;
};

constexpr Word kLetters[] = {
    {"alpha", "α"},      {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"},   {"epsilon", "ϵ"},
    {"varepsilon", "ε"}, {"zeta", "ζ"},  {"eta", "η"},    {"theta", "θ"},   {"vartheta", "ϑ"},
    {"iota", "ι"},       {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},
    {"xi", "ξ"},         {"pi", "π"},    {"rho", "ρ"},    {"sigma", "σ"},   {"tau", "τ"},
    {"upsilon", "υ"},    {"phi", "ϕ"},   {"varphi", "φ"}, {"chi", "χ"},     {"psi", "ψ"},
    {"omega", "ω"},      {"Gamma", "Γ"}, {"Delta", "Δ"},  {"Theta", "Θ"},   {"Lambda", "Λ"},
    {"Xi", "Ξ"},         {"Pi", "Π"},    {"Sigma", "Σ"},  {"Phi", "Φ"},     {"Psi", "Ψ"},
    {"Omega", "Ω"},      {"ell", "ℓ"},   {"infty", "∞"},  {"partial", "∂"}, {"nabla", "∇"},
    {"emptyset", "∅"},   {"ldots", "…"}, {"dots", "…"},   {"cdots", "⋯"},   {"vdots", "⋮"},
    {"hbar", "ℏ"},       {"Re", "ℜ"},    {"Im", "ℑ"},     {"prime", "′"}};

constexpr Word kSigns[] = {{"cdot", "·"},
                           {"times", "×"},
                           {"div", "÷"},
                           {"pm", "±"},
                           {"mp", "∓"},
                           {"ast", "∗"},
                           {"leq", "≤"},
                           {"le", "≤"},
                           {"geq", "≥"},
                           {"ge", "≥"},
                           {"neq", "≠"},
                           {"ne", "≠"},
                           {"approx", "≈"},
                           {"equiv", "≡"},
                           {"sim", "∼"},
                           {"propto", "∝"},
                           {"ll", "≪"},
                           {"gg", "≫"},
                           {"in", "∈"},
                           {"notin", "∉"},
                           {"subset", "⊂"},
                           {"subseteq", "⊆"},
                           {"cup", "∪"},
                           {"cap", "∩"},
                           {"setminus", "∖"},
                           {"to", "→"},
                           {"rightarrow", "→"},
                           {"leftarrow", "←"},
                           {"Rightarrow", "⇒"},
                           {"mapsto", "↦"},
                           {"Leftrightarrow", "⇔"},
                           {"iff", "⇔"},
                           {"forall", "∀"},
                           {"exists", "∃"},
                           {"neg", "¬"},
                           {"land", "∧"},
                           {"wedge", "∧"},
                           {"lor", "∨"},
                           {"vee", "∨"},
                           {"mid", "∣"},
                           {"colon", ":"},
                           {"perp", "⊥"},
                           {"otimes", "⊗"},
                           {"oplus", "⊕"},
                           {"circ", "∘"},
                           {"langle", "⟨"},
                           {"rangle", "⟩"},
                           {"lvert", "|"},
                           {"rvert", "|"},
                           {"lfloor", "⌊"},
                           {"rfloor", "⌋"},
                           {"lceil", "⌈"},
                           {"rceil", "⌉"},
                           {"Vert", "‖"},
                           {"vert", "|"},
                           {"backslash", "\\"},
                           {"coloneqq", "≔"}};

constexpr Word kBig[] = {{"sum", "∑"},    {"prod", "∏"},   {"int", "∫"},
                         {"bigcup", "⋃"}, {"bigcap", "⋂"}, {"iint", "∬"}};

// Upright names; those with limits below them in a formula of its own.
constexpr std::string_view kFunctions[] = {"log", "ln",   "exp",  "sin",  "cos",
                                           "tan", "sinh", "cosh", "tanh", "arg",
                                           "det", "dim",  "Pr",   "deg",  "ker"};
constexpr std::string_view kLimits[] = {"max", "min", "sup", "inf", "lim", "argmax", "argmin"};

constexpr Word kAccents[] = {{"hat", "^"},   {"widehat", "^"},   {"bar", "¯"},
                             {"tilde", "~"}, {"widetilde", "~"}, {"vec", "→"},
                             {"dot", "˙"},   {"ddot", "¨"},      {"overline", "¯"}};
constexpr Word kSpaces[] = {{",", "0.17em"},  {":", "0.22em"},        {";", "0.28em"},
                            {" ", "0.25em"},  {"!", "0em"},           {"quad", "1em"},
                            {"qquad", "2em"}, {"thinspace", "0.17em"}};
constexpr Word kFonts[] = {{"mathbf", "bold"},    {"boldsymbol", "bold-italic"},
                           {"mathcal", "script"}, {"mathbb", "double-struck"},
                           {"mathrm", "normal"},  {"mathsf", "sans-serif"},
                           {"mathit", "italic"},  {"operatorname", "normal"},
                           {"text", "normal"},    {"textrm", "normal"},
                           {"textbf", "bold"},    {"textit", "italic"},
                           {"mbox", "normal"}};

template <std::size_t n>
const Word* find(const Word (&list)[n], std::string_view tex) {
  for (const Word& w : list)
    if (w.tex == tex) return &w;
  return nullptr;
}

// Letters of other alphabets have characters of their own in Unicode; a few were there before.
std::string styled(char c, std::string_view font) {
  std::uint32_t base_upper = 0, base_lower = 0, base_digit = 0;
  if (font == "bold") base_upper = 0x1D400, base_lower = 0x1D41A, base_digit = 0x1D7CE;
  if (font == "bold-italic") base_upper = 0x1D468, base_lower = 0x1D482;
  if (font == "script") {
    constexpr Word kOld[] = {{"B", "ℬ"}, {"E", "ℰ"}, {"F", "ℱ"}, {"H", "ℋ"},
                             {"I", "ℐ"}, {"L", "ℒ"}, {"M", "ℳ"}, {"R", "ℛ"}};
    if (const Word* old = find(kOld, std::string_view(&c, 1))) return std::string(old->text);
    base_upper = 0x1D49C;
  }
  if (font == "double-struck") {
    constexpr Word kOld[] = {{"C", "ℂ"}, {"H", "ℍ"}, {"N", "ℕ"}, {"P", "ℙ"},
                             {"Q", "ℚ"}, {"R", "ℝ"}, {"Z", "ℤ"}};
    if (const Word* old = find(kOld, std::string_view(&c, 1))) return std::string(old->text);
    base_upper = 0x1D538, base_lower = 0x1D552, base_digit = 0x1D7D8;
  }
  std::string out;
  const auto u = static_cast<unsigned char>(c);
  if (std::isupper(u) && base_upper) {
    append_utf8(out, base_upper + (u - 'A'));
  } else if (std::islower(u) && base_lower) {
    append_utf8(out, base_lower + (u - 'a'));
  } else if (std::isdigit(u) && base_digit) {
    append_utf8(out, base_digit + (u - '0'));
  } else {
    out = html(std::string_view(&c, 1));
  }
  return out;
}

class Parser {
 public:
  Parser(std::string_view tex, bool block) : tex_(tex), block_(block) {}

  std::optional<std::string> parse() {
    std::string body = row({});
    if (!ok_ || at_ < tex_.size()) return std::nullopt;
    return body;
  }

 private:
  void skip_space() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
  }
  bool ends_at(std::string_view end) const {
    return !end.empty() && tex_.substr(at_).starts_with(end);
  }
  std::string fail() {
    ok_ = false;
    return {};
  }
  static std::string tag(std::string_view name, std::string_view inside) {
    std::string out = "<";
    out += name;
    out += ">";
    out += inside;
    out += "</";
    out += name.substr(0, name.find(' '));
    return out + ">";
  }
  // Brackets keep their size; those after \\left and \\right grow (bracket()).
  static std::string sign(std::string_view text) {
    for (const std::string_view bracket : {"(", ")", "[", "]", "{", "}", "|", "‖", "∣", "⟨", "⟩"})
      if (text == bracket) return "<mo stretchy=\"false\">" + html(text) + "</mo>";
    return tag("mo", html(text));
  }

  // Pieces up to `end`, which is not taken; or to & and \\ inside an environment.
  std::string row(std::string_view end) {
    if (++depth_ > 60) return fail();
    std::vector<std::string> pieces;
    while (ok_) {
      skip_space();
      if (at_ >= tex_.size() || ends_at(end)) break;
      if (tex_[at_] == '}' || tex_[at_] == '&' || ends_at("\\\\") || ends_at("\\end") ||
          ends_at("\\right"))
        break;
      pieces.push_back(scripted());
    }
    --depth_;
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return pieces.size() == 1 ? all : tag("mrow", all);
  }

  // A piece with what stands below and above it.
  std::string scripted() {
    bool limits = false;
    std::string base = atom(&limits);
    std::string below, above;
    while (ok_) {
      skip_space();
      if (at_ >= tex_.size()) break;
      const char c = tex_[at_];
      if (c == '\'') {
        ++at_;
        above += sign("′");
        continue;
      }
      if (c != '_' && c != '^') break;
      ++at_;
      skip_space();
      std::string& place = c == '_' ? below : above;
      bool unused = false;
      place += atom(&unused);
    }
    const bool under = limits && block_;
    if (!below.empty() && !above.empty())
      return tag(under ? "munderover" : "msubsup", base + below + tag("mrow", above));
    if (!below.empty()) return tag(under ? "munder" : "msub", base + below);
    if (!above.empty()) return tag(under ? "mover" : "msup", base + tag("mrow", above));
    return base;
  }

  // {...}, or one character or command.
  std::string argument() {
    skip_space();
    bool unused = false;
    return atom(&unused);
  }
  // The characters of {...} as they stand.
  std::string raw_argument() {
    skip_space();
    if (at_ >= tex_.size() || tex_[at_] != '{') return fail();
    const std::size_t end = tex_.find('}', at_);
    if (end == tex_.npos) return fail();
    std::string text(tex_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }

  std::string atom(bool* limits) {
    if (at_ >= tex_.size()) return fail();
    const char c = tex_[at_];
    if (c == '\\') return command(limits);
    if (c == '{') {
      ++at_;
      std::string inside = row("}");
      if (at_ >= tex_.size() || tex_[at_] != '}') return fail();
      ++at_;
      return inside;
    }
    const auto u = static_cast<unsigned char>(c);
    if (std::isdigit(u)) {
      const std::size_t from = at_;
      while (at_ < tex_.size() && (std::isdigit(static_cast<unsigned char>(tex_[at_])) ||
                                   (tex_[at_] == '.' && at_ + 1 < tex_.size() &&
                                    std::isdigit(static_cast<unsigned char>(tex_[at_ + 1])))))
        ++at_;
      return tag("mn", tex_.substr(from, at_ - from));
    }
    if (std::isalpha(u)) {
      ++at_;
      return tag("mi", std::string_view(&c, 1));
    }
    if (c == '}' || c == '^' || c == '_' || c == '$' || c == '#') return fail();
    if (c == '~') {
      ++at_;
      return "<mspace width=\"0.25em\"/>";
    }
    if (u < 0x80) {
      ++at_;
      return sign(c == '-' ? "−" : c == '*' ? "∗" : std::string_view(&c, 1));
    }
    const DecodedChar other = decode_utf8(tex_, at_);
    const std::string_view text = tex_.substr(at_, other.length);
    at_ += other.length;
    return tag("mi", html(text));
  }

  std::string command_name() {
    const std::size_t from = ++at_;
    while (at_ < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[at_]))) ++at_;
    if (at_ == from && at_ < tex_.size()) ++at_;
    return std::string(tex_.substr(from, at_ - from));
  }

  std::string command(bool* limits) {
    const std::string name = command_name();
    if (const Word* w = find(kLetters, name)) return tag("mi", w->text);
    if (const Word* w = find(kSigns, name)) return sign(w->text);
    if (const Word* w = find(kBig, name)) {
      *limits = name != "int" && name != "iint";
      return sign(w->text);
    }
    if (std::find(std::begin(kFunctions), std::end(kFunctions), name) != std::end(kFunctions))
      return tag("mi", name) + "<mo>&#8289;</mo>";
    if (std::find(std::begin(kLimits), std::end(kLimits), name) != std::end(kLimits)) {
      *limits = true;
      return tag("mo", name);
    }
    if (const Word* w = find(kSpaces, name))
      return "<mspace width=\"" + std::string(w->text) + "\"/>";
    if (const Word* w = find(kAccents, name))
      return tag("mover accent=\"true\"", argument() + tag("mo", w->text));
    if (const Word* w = find(kFonts, name)) return font(name, w->text);
    if (name == "{" || name == "}" || name == "%" || name == "&" || name == "_" || name == "$" ||
        name == "#")
      return sign(name);
    if (name == "|") return sign("‖");
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      const std::string above = argument();
      return tag("mfrac", above + argument());
    }
    if (name == "binom") {
      const std::string above = argument();
      return sign("(") + tag("mfrac linethickness=\"0\"", above + argument()) + sign(")");
    }
    if (name == "sqrt") return root();
    if (name == "underline") return tag("munder", argument() + sign("_"));
    if (name == "left") return fenced();
    if (name == "begin") return environment();
    if (name == "displaystyle" || name == "textstyle" || name == "limits" || name == "nonumber" ||
        name == "big" || name == "Big" || name == "bigl" || name == "bigr" || name == "Bigl" ||
        name == "Bigr" || name == "nolimits")
      return "<mrow></mrow>";
    return fail();
  }

  std::string font(const std::string& name, std::string_view style) {
    skip_space();
    if (name == "text" || name == "textrm" || name == "textbf" || name == "textit" ||
        name == "mbox")
      return tag("mtext", html(raw_argument()));
    if (at_ >= tex_.size()) return fail();
    std::string letters;
    if (tex_[at_] == '{') {
      // Only plain letters have other forms; anything else is set as it would be.
      const std::size_t end = tex_.find('}', at_);
      if (end == tex_.npos) return fail();
      const std::string_view inside = tex_.substr(at_ + 1, end - at_ - 1);
      if (!std::all_of(inside.begin(), inside.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == ' ' || c == '-'; }))
        return argument();
      letters = inside;
      at_ = end + 1;
    } else if (std::isalnum(static_cast<unsigned char>(tex_[at_]))) {
      letters = tex_[at_++];
    } else {
      return argument();
    }
    std::string out;
    for (const char c : letters) out += styled(c, style);
    return "<mi mathvariant=\"normal\">" + out + "</mi>";
  }

  std::string root() {
    skip_space();
    if (at_ < tex_.size() && tex_[at_] == '[') {
      ++at_;
      const std::string degree = row("]");
      if (at_ >= tex_.size()) return fail();
      ++at_;
      return tag("mroot", argument() + degree);
    }
    return tag("msqrt", argument());
  }

  // The bracket after \left or \right; "." is none.
  std::string bracket() {
    skip_space();
    if (at_ >= tex_.size()) return fail();
    std::string text(1, tex_[at_]);
    if (text == "\\") {
      const std::string name = command_name();
      const Word* w = find(kSigns, name);
      if (name == "{" || name == "}") {
        text = name;
      } else if (name == "|") {
        text = "‖";
      } else if (w) {
        text = w->text;
      } else {
        return fail();
      }
    } else {
      ++at_;
    }
    return growing(text == "." ? "" : text);
  }
  static std::string growing(const std::string& text) {
    return text.empty() ? "" : "<mo stretchy=\"true\">" + html(text) + "</mo>";
  }
  std::string fenced() {
    const std::string open = bracket();
    const std::string inside = row("\\right");
    if (!ends_at("\\right")) return fail();
    at_ += 6;
    return tag("mrow", open + inside + bracket());
  }

  std::string environment() {
    const std::string name = raw_argument();
    std::string open, close, more;
    if (name == "pmatrix") open = "(", close = ")";
    if (name == "bmatrix") open = "[", close = "]";
    if (name == "vmatrix") open = "|", close = "|";
    if (name == "cases") open = "{", more = " columnalign=\"left\"";
    if (name.starts_with("align") || name == "split" || name == "gathered")
      more = " columnalign=\"right left\" columnspacing=\"0.2em\" displaystyle=\"true\"";
    const bool known = !open.empty() || !more.empty() || name == "matrix" || name == "array";
    if (!known) return fail();
    if (name == "array") raw_argument();
    std::string rows, cells;
    while (ok_) {
      cells += tag("mtd", row("\\end"));
      skip_space();
      if (at_ < tex_.size() && tex_[at_] == '&') {
        ++at_;
        continue;
      }
      if (ends_at("\\\\")) {
        at_ += 2;
        rows += tag("mtr", cells);
        cells.clear();
        continue;
      }
      if (!ends_at("\\end")) return fail();
      at_ += 4;
      if (raw_argument() != name) return fail();
      rows += tag("mtr", cells);
      break;
    }
    return tag("mrow", growing(open) + tag("mtable" + more, rows) + growing(close));
  }

  std::string_view tex_;
  bool block_;
  std::size_t at_ = 0;
  bool ok_ = true;
  int depth_ = 0;
};

}  // namespace

std::optional<std::string> mathml(std::string_view tex, bool block) {
  const std::optional<std::string> body = Parser(tex, block).parse();
  if (!body) return std::nullopt;
  return std::string(block ? "<math display=\"block\">" : "<math>") + *body + "</math>";
}

std::string formula_html(std::string_view tex, bool block) {
  if (std::optional<std::string> made = mathml(tex, block)) return std::move(*made);
  const std::string code = "<code class=\"tex\">" + html(tex) + "</code>";
  return block ? "<p>" + code + "</p>" : code;
}

}  // namespace chancel::page
