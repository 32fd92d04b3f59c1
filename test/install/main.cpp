// SPDX-License-Identifier: Apache-2.0
// The smallest user of the installed package: the public header must stand on its own.
#include <chancel/chancel.hpp>

int main() { return 0; }
