// SPDX-License-Identifier: Apache-2.0
// The text is parsed as browsers do (libgumbo), and what is allowed of the tree is written again: nothing of the text is
// copied unescaped. An element that is not known leaves its content; one that could load, run or ask for something
// leaves nothing.
#include "page/safe_html.hpp"

#include <gumbo.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "page/html_text.hpp"

namespace chancel::page {
namespace {

constexpr std::string_view kElements[] = {
    "b",      "i",          "em",      "strong",     "u",     "s",     "del",     "ins",
    "small",  "big",        "sub",     "sup",        "code",  "kbd",   "samp",    "var",
    "tt",     "pre",        "p",       "div",        "span",  "ul",    "ol",      "li",
    "dl",     "dt",         "dd",      "table",      "thead", "tbody", "tfoot",   "tr",
    "th",     "td",         "caption", "h1",         "h2",    "h3",    "h4",      "h5",
    "h6",     "q",          "cite",    "blockquote", "mark",  "abbr",  "details", "summary",
    "figure", "figcaption", "section", "article",    "a",     "br",    "hr",      "wbr",
    "font",   "center",     "svg",     "g",          "path",  "rect",  "circle",  "ellipse",
    "line",   "polyline",   "polygon", "text",       "tspan"};
constexpr std::string_view kEmpty[] = {"br", "hr", "wbr"};
// Left out with their content.
constexpr std::string_view kDropped[] = {"script", "style",    "iframe",   "object", "embed",
                                         "applet", "noscript", "template", "head",   "title",
                                         "button", "select",   "textarea", "option", "audio",
                                         "video",  "canvas",   "frameset"};
constexpr std::string_view kAttributes[] = {"title",
                                            "colspan",
                                            "rowspan",
                                            "align",
                                            "valign",
                                            "width",
                                            "height",
                                            "start",
                                            "color",
                                            "viewBox",
                                            "x",
                                            "y",
                                            "x1",
                                            "y1",
                                            "x2",
                                            "y2",
                                            "cx",
                                            "cy",
                                            "r",
                                            "rx",
                                            "ry",
                                            "d",
                                            "points",
                                            "fill",
                                            "stroke",
                                            "stroke-width",
                                            "fill-opacity",
                                            "stroke-opacity",
                                            "opacity",
                                            "transform",
                                            "text-anchor",
                                            "font-size"};
// Of what markdown.cpp writes itself.
constexpr std::string_view kOwn[] = {"class=view", "class=note", "style=text-align:right",
                                     "style=text-align:center"};

template <class List>
bool among(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// A value of an attribute that names nothing outside: no url(...), no scheme.
bool is_plain_value(std::string_view value) {
  return value.find(':') == value.npos && value.find("url") == value.npos;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string element_name(const GumboElement& element) {
  if (element.tag != GUMBO_TAG_UNKNOWN && element.tag_namespace == GUMBO_NAMESPACE_HTML)
    return gumbo_normalized_tagname(element.tag);
  GumboStringPiece text = element.original_tag;
  gumbo_tag_from_original_text(&text);
  return lower({text.data, text.length});
}

const char* value_of(const GumboElement& element, const char* name) {
  const GumboAttribute* found = gumbo_get_attribute(&element.attributes, name);
  return found != nullptr ? found->value : nullptr;
}

class Writer {
 public:
  explicit Writer(bool own) : own_(own) {}

  void children(const GumboVector& nodes) {
    for (unsigned i = 0; i < nodes.length; ++i) node(*static_cast<GumboNode*>(nodes.data[i]));
  }
  std::string take() { return std::move(out_); }

 private:
  void node(const GumboNode& n) {
    if (n.type == GUMBO_NODE_ELEMENT)
      element(n.v.element);
    else if (n.type == GUMBO_NODE_TEXT || n.type == GUMBO_NODE_WHITESPACE ||
             n.type == GUMBO_NODE_CDATA)
      out_ += html(n.v.text.text);
  }

  void element(const GumboElement& e) {
    const std::string name = element_name(e);
    if (among(name, kDropped)) return;
    if (name == "img") return picture(e);
    const bool link = name == "a";
    const char* address = link ? value_of(e, "href") : nullptr;
    if (!among(name, kElements) || (link && (!address || !is_safe_address(address))))
      return children(e.children);
    out_ += "<" + name;
    if (link) out_ += " href=\"" + html(address) + "\" rel=\"noopener noreferrer\"";
    for (unsigned i = 0; i < e.attributes.length; ++i)
      attribute(*static_cast<GumboAttribute*>(e.attributes.data[i]));
    out_ += ">";
    if (among(name, kEmpty)) return;
    children(e.children);
    out_ += "</" + name + ">";
  }

  void attribute(const GumboAttribute& a) {
    const std::string name = a.name;
    const bool own = own_ && (among(name + "=" + a.value, kOwn) ||
                              (name == "id" && std::string_view(a.value).starts_with("section-")));
    const bool allowed = among(name, kAttributes) && (name == "title" || is_plain_value(a.value));
    if (own || allowed) out_ += " " + name + "=\"" + html(a.value) + "\"";
  }

  // A picture that is in the page already; what lies elsewhere cannot be shown.
  void picture(const GumboElement& e) {
    const char* source = value_of(e, "src");
    const char* alt = value_of(e, "alt");
    const std::string_view given = source != nullptr ? source : "";
    for (const char* type : {"png", "jpeg", "gif", "webp"})
      if (given.starts_with(std::string("data:image/") + type + ";base64,")) {
        out_ += "<img src=\"" + html(given) + "\" alt=\"" + html(alt ? alt : "") + "\">";
        return;
      }
    out_ +=
        "<span class=\"note\">[picture: " + html(alt ? std::string_view(alt) : given) + "]</span>";
  }

  bool own_;
  std::string out_;
};

// Open elements at most, as far as the tags say.
std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0, most = 0;
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos; ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next == '/') {
      depth -= std::min<std::size_t>(1, depth);
    } else if (std::isalpha(static_cast<unsigned char>(next)) != 0) {
      most = std::max(most, ++depth);
    }
  }
  return most;
}

std::string cleaned(std::string_view text, bool own) {
  constexpr std::size_t kDeepest = 5000;  // the parser recurses over the tree that it frees
  if (depth_of(text) > kDeepest) return html(text);
  GumboOptions options = kGumboDefaultOptions;
  options.fragment_context = GUMBO_TAG_BODY;
  const auto free = [&options](GumboOutput* output) { gumbo_destroy_output(&options, output); };
  const std::unique_ptr<GumboOutput, decltype(free)> output(
      gumbo_parse_with_options(&options, text.data(), text.size()), free);
  Writer writer(own);
  writer.children(output->root->v.element.children);
  return writer.take();
}

}  // namespace

bool is_safe_address(std::string_view address) {
  const std::string lowered = lower(address);
  for (const char* start : {"http://", "https://", "mailto:", "#"})
    if (lowered.starts_with(start)) return true;
  return false;
}

std::string safe_html(std::string_view text) { return cleaned(text, false); }
std::string safe_page_html(std::string_view text) { return cleaned(text, true); }

}  // namespace chancel::page
