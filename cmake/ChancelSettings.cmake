# Flags every room is built with, and the helpers that make a room and its tests.
# FP contraction is off so that g++ and clang give the same bits.
#
# Presets that run the whole gate join the files of a room in batches (CMAKE_UNITY_BUILD): headers are most of a build, 29 min of
# processor time against 6. Two files of a room then may not give one name to different things, not even in unnamed namespaces, unless
# one of them is built ALONE; the preset dev compiles each file by itself and finds includes that are missing.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Paths below the tree are hashed relative to it, so that clones in different folders share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

# Heap objects have a base and end in an array that is longer than declared (value/object.hpp), and their size is found with
# offsetof, which both compilers support there but warn about.
add_library(chancel_settings INTERFACE)
target_compile_options(chancel_settings INTERFACE -Wall -Wextra -Wno-invalid-offsetof
                                                  -ffp-contract=off -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # g++ knows the idiom of a trailing array; clang warns about it in types that have a base. It also calls padding an
  # unused field, and wants braces around the members of a base.
  target_compile_options(chancel_settings INTERFACE -Wno-array-bounds -Wno-unused-private-field -Wno-missing-braces)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping copies in std::string's own operator+ (GCC bug 105651).
  target_compile_options(chancel_settings INTERFACE -Wno-restrict)
endif()
if(CHANCEL_WERROR)
  target_compile_options(chancel_settings INTERFACE -Werror)
endif()
# Rooms are position independent, so that libchancel.a can also go into a shared object (the Python module). These two
# keep that from costing anything: functions of one file may be inlined into each other, and a thread's variables are
# found without a call.
set(CHANCEL_SHARED_FLAGS -fno-semantic-interposition -ftls-model=initial-exec)
target_include_directories(chancel_settings INTERFACE ${PROJECT_SOURCE_DIR}/src
                                                      ${PROJECT_SOURCE_DIR}/include)
if(CHANCEL_SANITIZE)
  target_compile_options(chancel_settings INTERFACE -fsanitize=${CHANCEL_SANITIZE} -fno-omit-frame-pointer
                                                    -fno-sanitize-recover=all)
  target_link_options(chancel_settings INTERFACE -fsanitize=${CHANCEL_SANITIZE})
endif()

# These files of `folder` (names without .cpp) are never joined with others.
macro(chancel_build_alone folder)
  foreach(file ${ARGN})
    if(NOT EXISTS ${folder}/${file}.cpp)
      message(FATAL_ERROR "ALONE ${file}: there is no ${folder}/${file}.cpp")
    endif()
    set_source_files_properties(${folder}/${file}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endmacro()

# One static library per room: chancel_room(reader LINKS base diag) makes chancel_reader from src/reader/*.cpp.
# A room without sources is an INTERFACE library. CHANCEL_ROOMS lists the others for ChancelLibrary.
function(chancel_room name)
  cmake_parse_arguments(ROOM "" "" "LINKS;PACKAGES;ALONE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  chancel_build_alone(${PROJECT_SOURCE_DIR}/src/${name} ${ROOM_ALONE})
  if(sources)
    add_library(chancel_${name} STATIC ${sources})
    set(kind PUBLIC)
    set_target_properties(chancel_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(chancel_${name} PRIVATE ${CHANCEL_SHARED_FLAGS})
    set_property(GLOBAL APPEND PROPERTY CHANCEL_ROOMS chancel_${name})
    set_property(GLOBAL APPEND PROPERTY CHANCEL_PACKAGES ${ROOM_PACKAGES})
  else()
    add_library(chancel_${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_link_libraries(chancel_${name} ${kind} chancel_settings ${ROOM_PACKAGES})
  foreach(room ${ROOM_LINKS})
    target_link_libraries(chancel_${name} ${kind} chancel_${room})
  endforeach()
endfunction()

# chancel_test(room) makes room_test from test/unit/<room>/*_test.cpp, and from those of the rooms in WITH, linked
# with the room (and the rooms in LINKS), and the ctest test unit_room with the given LABELS (default: core and fast).
function(chancel_test name)
  cmake_parse_arguments(TEST "" "" "LINKS;LABELS;ALONE;WITH" ${ARGN})
  set(patterns ${name} ${TEST_WITH})
  list(TRANSFORM patterns REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/test/unit/\\1/*_test.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  chancel_build_alone(${PROJECT_SOURCE_DIR}/test/unit/${name} ${TEST_ALONE})
  if(NOT sources)
    return()
  endif()
  if(NOT TEST_LABELS)
    set(TEST_LABELS core fast)
  endif()
  add_executable(${name}_test ${sources})
  target_link_libraries(${name}_test PRIVATE chancel_settings GTest::gtest_main)
  foreach(room ${name} ${TEST_LINKS})
    target_link_libraries(${name}_test PRIVATE chancel_${room})
  endforeach()
  target_compile_definitions(${name}_test PRIVATE CHANCEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME unit_${name} COMMAND ${name}_test)
  set_tests_properties(unit_${name} PROPERTIES LABELS "${TEST_LABELS}")
endfunction()
