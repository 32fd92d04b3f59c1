// SPDX-License-Identifier: Apache-2.0
// What programs write of Java: (.method object argument ...), (Class. argument ...), (. object
// method), (.. object method method). There is no Java: a method is a function of the library that
// does the same for our values, whatever they are, and a constructor one that makes them.
#include <fmt/format.h>

#include <algorithm>

#include "front/translator.hpp"
#include "value/classes.hpp"

namespace chancel::front {

using core::Node;

namespace {

// .method -> function of the library, with the object as its first argument.
const std::unordered_map<std::string, const char*>& methods() {
  static const std::unordered_map<std::string, const char*> table = {
      // all objects
      {"toString", "%to-string"},
      {"equals", "="},
      {"hashCode", "hash"},
      {"compareTo", "compare"},
      {"getClass", "class"},
      // exceptions
      {"getMessage", "ex-message"},
      {"getLocalizedMessage", "ex-message"},
      {"getCause", "ex-cause"},
      {"getData", "ex-data"},
      {"printStackTrace", "println"},
      // texts
      {"length", "%length"},
      {"isEmpty", "empty?"},
      {"toUpperCase", "upper-case"},
      {"toLowerCase", "lower-case"},
      {"trim", "trim"},
      {"substring", "subs"},
      {"charAt", "nth"},
      {"contains", "%has?"},
      {"startsWith", "starts-with?"},
      {"endsWith", "ends-with?"},
      {"indexOf", "%index-or-minus-one"},
      {"concat", "str"},
      {"replace", "clojure.string/replace"},
      {"split", "%split-by"},
      {"getBytes", "%text-bytes"},
      // numbers
      {"intValue", "long"},
      {"longValue", "long"},
      {"doubleValue", "double"},
      {"floatValue", "double"},
      {"isNaN", "NaN?"},
      {"isInfinite", "infinite?"},
      {"pow", "%big-power"},
      {"add", "%big-add"},
      {"subtract", "%big-subtract"},
      {"multiply", "%big-multiply"},
      {"divide", "%big-divide"},
      {"mod", "%big-mod"},
      {"negate", "%big-negate"},
      {"bitLength", "%bit-length"},
      // collections
      {"size", "count"},
      {"get", "get"},
      {"containsKey", "contains?"},
      {"keySet", "keys"},
      {"values", "vals"},
      {"nth", "nth"},
      {"invoke", "%apply-to"},
      // classes, files, digests
      {"getName", "%name-of"},
      {"getSimpleName", "%simple-class-name"},
      {"close", "%close"},
      {"getPath", "str"},
      {"getAbsolutePath", "%absolute-path"},
      {"getCanonicalPath", "%absolute-path"},
      {"getParent", "%parent-path"},
      {"getParentFile", "%parent-file"},
      {"exists", "%exists?"},
      {"isFile", "%is-file?"},
      {"isDirectory", "%is-folder?"},
      {"listFiles", "%list-files"},
      {"list", "%list-names"},
      {"mkdir", "%make-folders"},
      {"mkdirs", "%make-folders"},
      {"delete", "delete-file"},
      {"digest", "%digest"},
      {"update", "%digest-update"},
      {"reset", "%digest-reset"},
      {"getDigestLength", "%digest-length"},
      {"getAlgorithm", ":algorithm"},
  };
  return table;
}

// Class. -> function of the library.
const std::unordered_map<std::string, const char*>& constructors() {
  static const std::unordered_map<std::string, const char*> table = {
      {"String", "str"},         {"Integer", "%parse-number"},
      {"Long", "%parse-number"}, {"Double", "%parse-real"},
      {"Float", "%parse-real"},  {"BigInteger", "%new-biginteger"},
      {"File", "%file"},         {"Boolean", "%true-text?"},
      {"Object", "%new-object"}, {"StringReader", "%string-reader"},
      {"FileReader", "%reader"}, {"BufferedReader", "%reader"},
  };
  return table;
}

// Is the symbol, where it stands, the name of a class and nothing else?
bool names_class(Translator& t, const Datum& datum) {
  return datum.is(DatumKind::Symbol) && t.scope.find(datum.name) == nullptr &&
         t.names.resolve(datum.name) == nullptr &&
         (t.class_named(datum.name) != nullptr || t.names.form(intern(datum.name->full + "/x")));
}

// (. object method argument ...), (. object (method argument ...)), (. Class field)
Node* translate_dot(Translator& t, const Datum& form, Position at) {
  constexpr const char* kShape = "(. object method argument ...)";
  if (form.items.size() < 3) return t.bad_form(form, ".: takes an object and a method", kShape);
  Datum call = form;
  call.items.erase(call.items.begin());
  if (call.items[1].is(DatumKind::List) && call.items.size() == 2) {
    const Datum inner = call.items[1];
    call.items.erase(call.items.begin() + 1);
    call.items.insert(call.items.end(), inner.items.begin(), inner.items.end());
  }
  if (call.items.size() < 2 || !call.items[1].is(DatumKind::Symbol))
    return t.bad_form(form, ".: takes an object and a method", kShape);
  const Datum object = call.items[0];
  const Datum method = call.items[1];
  call.items.erase(call.items.begin());
  if (names_class(t, object)) {
    call.items[0] = make_symbol(object.name->full + "/" + method.name->full, method.span);
    const bool field = call.items.size() == 1 && t.names.resolve(call.items[0].name) != nullptr &&
                       t.names.globals().is_constant(t.names.resolve(call.items[0].name));
    return field ? t.symbol(call.items[0]) : t.translate(call, at);
  }
  call.items[0] = make_symbol("." + method.name->full, method.span);
  call.items.insert(call.items.begin() + 1, object);
  return t.translate(call, at);
}

// (.. object step step ...)
Node* translate_dots(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 3)
    return t.bad_form(form, "..: takes an object and methods", "(.. object method ...)");
  Datum inner = form.items[1];
  for (std::size_t i = 2; i < form.items.size(); ++i)
    inner = make_list({make_symbol(".", form.items[i].span), std::move(inner), form.items[i]},
                      form.span);
  return t.translate(inner, at);
}

}  // namespace

Node* Translator::interop(const Datum& form) {
  const Datum& head = form.items[0];
  const std::string& name = head.name->full;
  const auto checked_call = [&](const char* function) {
    const Name* target = intern(function);
    check_arity(target, form.items.size() - 1, form.span);
    return library_call(form.span, function, arguments(form));
  };
  if (name.back() == '.' && name.front() != '.') {  // (Exception. "msg"), (Record. a b)
    const std::string type = name.substr(0, name.size() - 1);
    const Name* constructor = intern("->" + type);
    if (names.resolve(constructor) != nullptr)
      return global_call(names.resolve(constructor), form, 1);
    const Name* exception = find_class(type);
    if (exception != nullptr && is_subclass(exception, find_class("Throwable"))) {
      std::vector<Node*> args = arguments(form);
      args.resize(std::min<std::size_t>(args.size(), 2));
      if (exception == find_class("ExceptionInfo"))
        return library_call(form.span, "ex-info", std::move(args));
      args.insert(args.begin(), constant(form.span, Value::class_value(exception)));
      return library_call(form.span, "%exception", std::move(args));
    }
    if (auto made = constructors().find(last_part(type)); made != constructors().end())
      return checked_call(made->second);
    return error(Code::F007, form.span, fmt::format("{}: Java classes are not available", type),
                 "the exceptions, String, Integer, Double, BigInteger and File can be made");
  }
  const std::string method = name.substr(1);
  if (form.items.size() < 2)
    return bad_form(form, fmt::format("{}: needs an object", name),
                    "(" + name + " object argument ...)");
  if (method.size() > 1 && method[0] == '-' && form.items.size() == 2) {  // (.-field record)
    Node* field = constant(head.span, Value::keyword(intern(method.substr(1))));
    return library_call(form.span, "get", {translate(form.items[1]), field});
  }
  if (auto known = methods().find(method); known != methods().end()) {
    if (known->second[0] != ':') return checked_call(known->second);
    Node* key = constant(head.span, Value::keyword(intern(known->second + 1)));
    return library_call(form.span, "get", {translate(form.items[1]), key});
  }
  // A method of a protocol of the program, or a field of a record: (.area shape), (.x point).
  if (const Name* own = names.resolve(intern(method)); own != nullptr && names.defined(own))
    return global_call(own, form, 1);
  if (form.items.size() == 2 && names.is_field(intern(method)))
    return library_call(
        form.span, "get",
        {translate(form.items[1]), constant(head.span, Value::keyword(intern(method)))});
  return error(Code::F007, head.span, fmt::format("{}: Java methods are not available", name),
               "use a function of the library instead");
}

void add_interop_forms(FormTable& table) {
  add_form(table, {"."}, translate_dot, true);
  add_form(table, {".."}, translate_dots);
}

}  // namespace chancel::front
