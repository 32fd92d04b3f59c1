// SPDX-License-Identifier: Apache-2.0
// See classes.hpp.
#include "value/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "value/dist_object.hpp"
#include "value/object.hpp"

namespace chancel {

namespace {

struct ClassDef {
  const char* name;
  const char* parents;
  bool interface;
};
constexpr ClassDef kClasses[] = {
#define CHANCEL_CLASS(name, parents) {name, parents, false},
#define CHANCEL_INTERFACE(name, parents) {name, parents, true},
#include "value/classes.def"
#undef CHANCEL_CLASS
#undef CHANCEL_INTERFACE
};

struct Classes {
  std::unordered_map<std::string_view, const Name*> by_name;  // whole names, and their last parts
  std::unordered_map<const Name*, std::vector<const Name*>> parents;
  std::unordered_set<const Name*> interfaces;

  Classes() {
    for (const ClassDef& c : kClasses) {
      const Name* name = intern(c.name);
      by_name[name->full] = name;
      const std::size_t dot = name->full.rfind('.');
      by_name.emplace(std::string_view(name->full).substr(dot + 1), name);
      if (c.interface) interfaces.insert(name);
      std::vector<const Name*>& up = parents[name];
      std::string_view left = c.parents;
      while (!left.empty()) {
        const std::size_t end = std::min(left.find(' '), left.size());
        up.push_back(intern(left.substr(0, end)));
        left.remove_prefix(std::min(end + 1, left.size()));
      }
    }
  }
};
const Classes& classes() {
  static const Classes all;
  return all;
}

const Name* named(const char* name) { return intern(name); }
constexpr std::string_view kRuntime = "anglican.runtime.";

}  // namespace

const Name* find_class(std::string_view name) {
  const auto found = classes().by_name.find(name);
  return found == classes().by_name.end() ? nullptr : found->second;
}

std::vector<std::string> class_names() {
  std::vector<std::string> names;
  for (const auto& [spelled, name] : classes().by_name) names.emplace_back(spelled);
  return names;
}

bool is_interface(const Name* type) { return classes().interfaces.contains(type); }

std::vector<const Name*> parents_of(const Name* type) {
  static const Name* const object = named("java.lang.Object");
  if (type == object) return {};
  const auto found = classes().parents.find(type);
  std::vector<const Name*> up;
  if (found != classes().parents.end()) {
    up = found->second;
  } else if (type->full.ends_with("-distribution")) {
    up = {named("anglican.runtime.distribution")};
  } else if (type->full.ends_with("-process")) {
    up = {named("anglican.runtime.random-process")};
  } else {
    up = {named("clojure.lang.IRecord"), named("clojure.lang.IPersistentMap")};
  }
  const bool extends =
      std::any_of(up.begin(), up.end(), [](const Name* n) { return !is_interface(n); });
  if (!extends && !is_interface(type)) up.insert(up.begin(), object);
  return up;
}

std::vector<const Name*> ancestors_of(const Name* type) {
  std::vector<const Name*> all;
  std::vector<const Name*> open = {type};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const Name* up : parents_of(open[i]))
      if (std::find(all.begin(), all.end(), up) == all.end()) {
        all.push_back(up);
        open.push_back(up);
      }
  return all;
}

bool is_subclass(const Name* type, const Name* of) {
  static const Name* const object = named("java.lang.Object");
  if (type == of || of == object) return true;
  for (const Name* up : parents_of(type))
    if (is_subclass(up, of)) return true;
  return false;
}

const Name* class_of_record(const RecordType& type) {
  if (type.kind == RecordKind::Host) return intern(type.class_name);
  const Name* name = type.name;
  const char* end = type.kind == RecordKind::Distribution ? "-distribution"
                    : type.kind == RecordKind::Process    ? "-process"
                                                          : "";
  return intern(fmt::format("{}.{}{}", name->ns.empty() ? "user" : name->ns, name->base, end));
}
const Name* class_of_distribution(std::string_view name) {
  return intern(fmt::format("{}{}-distribution", kRuntime, name));
}
const Name* class_of_process(std::string_view name) {
  return intern(fmt::format("{}{}-process", kRuntime, name));
}

const Name* class_of(const Value& v) {
  switch (v.tag) {
    case Tag::Nil:
      return nullptr;
    case Tag::Bool:
      return named("java.lang.Boolean");
    case Tag::Int:
      return named("java.lang.Long");
    case Tag::Double:
    case Tag::Node:
      return named("java.lang.Double");
    case Tag::Ratio:
      return named("clojure.lang.Ratio");
    case Tag::BigInt:
      return named(v.o->aux == BigInt::kJava ? "java.math.BigInteger" : "clojure.lang.BigInt");
    case Tag::Char:
      return named("java.lang.Character");
    case Tag::Keyword:
      return named("clojure.lang.Keyword");
    case Tag::Symbol:
      return named("clojure.lang.Symbol");
    case Tag::Class:
      return named("java.lang.Class");
    case Tag::String:
      return named("java.lang.String");
    case Tag::EmptyList:
      return named("clojure.lang.PersistentList$EmptyList");
    case Tag::Cons:
      return named(v.as<Cons>()->words == kUncounted ? "clojure.lang.Cons"
                                                     : "clojure.lang.PersistentList");
    case Tag::Vector:
      return named("clojure.lang.PersistentVector");
    case Tag::VectorSeq:
      return named("clojure.lang.PersistentVector$ChunkedSeq");
    case Tag::Range:
      return named(v.as<Range>()->count < 0            ? "clojure.lang.Iterate"
                   : v.as<Range>()->start.is(Tag::Int) ? "clojure.lang.LongRange"
                                                       : "clojure.lang.Range");
    case Tag::LazySeq:
      return named("clojure.lang.LazySeq");
    case Tag::ArrayMap:
      return named("clojure.lang.PersistentArrayMap");
    case Tag::HashMap:
      return named("clojure.lang.PersistentHashMap");
    case Tag::SortedMap:
      return named("clojure.lang.PersistentTreeMap");
    case Tag::Set:
      return named("clojure.lang.PersistentHashSet");
    case Tag::SortedSet:
      return named("clojure.lang.PersistentTreeSet");
    case Tag::Native:
    case Tag::Closure:
    case Tag::Memo:
      return named("clojure.lang.AFunction");
    case Tag::Query:
      return named("anglican.runtime.query");
    case Tag::Dist:
      return class_of_distribution(v.as<Dist>()->type->name);
    case Tag::Process:
      return class_of_process(v.as<Process>()->type->name);
    case Tag::Record:
      return class_of_record(*v.as<Record>()->type);
    case Tag::Atom:
      return named("clojure.lang.Atom");
    case Tag::Delay:
      return named("clojure.lang.Delay");
    case Tag::Reduced:
      return named("clojure.lang.Reduced");
    case Tag::Exception:
      return v.as<Exception>()->type;
    default:
      return named("java.lang.Object");
  }
}

const Name* class_of_code(Code code) {
  switch (code) {
    case Code::R001:
    case Code::R003:
      return named("java.lang.ClassCastException");
    case Code::R002:
      return named("clojure.lang.ArityException");
    case Code::R004:
      return named("java.lang.IndexOutOfBoundsException");
    case Code::R005:
    case Code::R006:
      return named("java.lang.ArithmeticException");
    case Code::R008:
      return named("clojure.lang.ExceptionInfo");
    case Code::R014:
    case Code::R015:
      return named("java.lang.IllegalStateException");
    case Code::R007:
    case Code::R009:
    case Code::R010:
    case Code::R011:
    case Code::R012:
    case Code::R013:
    case Code::D001:
    case Code::D002:
    case Code::D003:
      return named("java.lang.IllegalArgumentException");
    case Code::U002:
      return named("java.io.FileNotFoundException");
    default:
      break;
  }
  const bool compiling = std::string_view("SFC").find(code_name(code)[0]) != std::string_view::npos;
  return named(compiling ? "clojure.lang.Compiler$CompilerException"
                         : "java.lang.RuntimeException");
}

}  // namespace chancel
