// SPDX-License-Identifier: Apache-2.0
// Mistakes of a program come as chancel::Error: every message knows its place.
#include <chancel/chancel.hpp>
#include <iostream>

int main() {
  try {
    chancel::Model::compile("(defquery q\n  (let [x (sample (norml 0 1))]\n    (predict :x x)))");
  } catch (const chancel::Error& error) {
    const chancel::Message& first = error.messages().front();
    std::cout << first.text << "\n";  // with the line and a caret under norml
    return first.line == 2 && first.column == 20 ? 0 : 1;
  }
  return 1;
}
