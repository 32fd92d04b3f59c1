# Turns text files into one C++ file of string literals, so that the program carries them wherever it is copied.
# Called at build time: cmake -DOUT=... -DROOT=... -P ChancelTexts.cmake; names are paths below ROOT.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/models/*.clj ${ROOT}/models/*.vnt ${ROOT}/models/*/truth.json
     ${ROOT}/test/lang/*.clj)
list(SORT files)
set(text "// Generated from models and test/lang. Do not edit.\n#include \"paper/texts.hpp\"\nnamespace chancel::paper {\nstd::span<const Text> texts() {\n  static constexpr Text all[] = {\n")
foreach(name ${files})
  file(READ ${ROOT}/${name} body)
  # String literals may not be longer than 64 KiB: cut into pieces that the compiler joins.
  string(LENGTH "${body}" length)
  set(at 0)
  string(APPEND text "    {\"${name}\",\n")
  while(at LESS length)
    string(SUBSTRING "${body}" ${at} 8000 piece)
    string(APPEND text "R\"~~~(${piece})~~~\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND text "    },\n")
endforeach()
string(APPEND text "  };\n  return all;\n}\n}  // namespace chancel::paper\n")
file(WRITE ${OUT} "${text}")
