# Filled in with install rules and the CMake package.
