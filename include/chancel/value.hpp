// SPDX-License-Identifier: Apache-2.0
// Values of programs as C++ sees them: ValueView reads one without copying it, ValueMaker makes
// some outside of a program.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace chancel {

// A view of a value of a program. Cheap to copy; good as long as what it came from.
class ValueView {
 public:
  enum class Kind {
    Nil,
    Boolean,
    Integer,
    Real,
    Ratio,
    BigInteger,  // of more than 64 bits
    Character,
    String,
    Keyword,
    Symbol,
    List,
    Vector,
    Map,
    Set,
    Function,
    Distribution,
    Other
  };
  ValueView() = default;
  Kind kind() const;
  bool is_number() const;        // Integer, Real, Ratio or BigInteger
  bool boolean() const;          // Boolean; otherwise Clojure's truth
  std::int64_t integer() const;  // Integer (throws Error otherwise)
  double number() const;         // any number; booleans as 0 and 1
  // Integer or BigInteger in two's complement, the lowest byte first.
  std::string integer_bytes() const;
  // The characters of a String, the name of a Keyword or Symbol, the digits of a BigInteger.
  std::string text() const;
  std::size_t size() const;               // elements of a collection
  ValueView at(std::size_t index) const;  // List (walks to it), Vector; Set in iteration order
  std::vector<ValueView> items() const;   // the elements of a List, Vector or Set, in one walk
  // The first elements, at most `most`; whether there are more, also where the rest of a lazy
  // sequence has not been evaluated.
  std::pair<std::vector<ValueView>, bool> front(std::size_t most) const;
  std::vector<std::pair<ValueView, ValueView>> entries() const;  // Map
  std::optional<ValueView> get(std::string_view keyword) const;  // Map under a keyword
  // As Clojure's pr (or print); what has not been evaluated is "...", and so is what is left after
  // `most` bytes.
  std::string print(bool readable = true, std::size_t most = ~std::size_t{0} >> 1) const;
  bool operator==(const ValueView& other) const;  // Clojure's =
  std::size_t hash() const;

 private:
  friend struct Access;
  alignas(16) unsigned char raw_[16] = {};
};

// Makes values outside of a program: for reading files and for the answers of native functions. Its
// views are good until clear().
class ValueMaker {
 public:
  ValueMaker();
  ValueMaker(ValueMaker&&) noexcept;
  ValueMaker& operator=(ValueMaker&&) noexcept;
  ~ValueMaker();
  static ValueView nil();
  static ValueView boolean(bool value);
  static ValueView integer(std::int64_t value);
  static ValueView real(double value);
  // Without the colon; kept for as long as the process.
  static ValueView keyword(std::string_view name);
  ValueView string(std::string_view text);
  // An integer of any size from two's complement, the lowest byte first. Throws Error beyond 2^21 bits.
  ValueView integer_of_bytes(std::string_view bytes);
  ValueView vector(const std::vector<ValueView>& items);
  ValueView set(const std::vector<ValueView>& items);
  ValueView map(const std::vector<std::pair<ValueView, ValueView>>& entries);
  ValueView reals(std::span<const double> numbers);           // a vector of them
  ValueView integers(std::span<const std::int64_t> numbers);  // a vector of them
  // Numbers, booleans, text, views, and ranges of such (ranges of ranges, too), which become vectors.
  template <class T>
  ValueView of(const T& x) {
    if constexpr (std::is_same_v<T, ValueView>) {
      return x;
    } else if constexpr (std::is_same_v<T, bool>) {
      return boolean(x);
    } else if constexpr (std::is_integral_v<T>) {
      return integer(static_cast<std::int64_t>(x));
    } else if constexpr (std::is_floating_point_v<T>) {
      return real(static_cast<double>(x));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return string(x);
    } else if constexpr (std::is_convertible_v<const T&, std::span<const double>>) {
      return reals(x);
    } else if constexpr (std::is_convertible_v<const T&, std::span<const std::int64_t>>) {
      return integers(x);
    } else {
      std::vector<ValueView> items;
      for (const auto& item : x) items.push_back(of(item));
      return vector(items);
    }
  }
  std::optional<ValueView> parse(std::string_view edn);  // one datum; nothing when it is not EDN
  void clear();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The arguments of a query: each parameter by name, or all of them as one value. What is bound is
// copied; copies of an Arguments share it.
class Arguments {
 public:
  Arguments();
  template <class T>
  Arguments& bind(std::string_view parameter, const T& value) {
    return bind_view(parameter, maker().of(value));
  }
  // The query's whole value: a vector of arguments, or a map of them.
  template <class T>
  Arguments& bind_all(const T& value) {
    return bind_whole(maker().of(value));
  }
  // For values that are put together by hand; its views must be bound here and nowhere else.
  ValueMaker& maker();

 private:
  friend struct ArgumentsAccess;
  Arguments& bind_view(std::string_view parameter, const ValueView& value);
  Arguments& bind_whole(const ValueView& value);
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace chancel
