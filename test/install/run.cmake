# Installs the build into a fresh prefix, then configures, builds and runs the project in this folder against it.
# Takes BUILD_DIR, SOURCE_DIR, EXAMPLES_DIR, WORK_DIR, GENERATOR, C_COMPILER, CXX_COMPILER, BUILD_TYPE.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "ended with ${result}: ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
step(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
step(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
     -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DEXAMPLES_DIR=${EXAMPLES_DIR})
step(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
step(${WORK_DIR}/build/user)
step(${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build --output-on-failure --no-tests=error)
if(EXISTS ${WORK_DIR}/prefix/bin/chancel)
  step(${WORK_DIR}/prefix/bin/chancel --version)
endif()

# The same without CMake, by pkg-config: C from the shared library, C++ from the archive.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG AND EXISTS ${WORK_DIR}/prefix/lib/libchancel.so)
  set(ENV{PKG_CONFIG_PATH} ${WORK_DIR}/prefix/lib/pkgconfig)
  foreach(kind "chancel|c/coin.c|${C_COMPILER}|-std=c99;-pedantic" "chancel-cpp|cpp/coin.cpp|${CXX_COMPILER}|")
    string(REPLACE "|" ";" kind "${kind}")
    list(POP_FRONT kind package source compiler)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    step(${compiler} -Wall -Wextra -Werror ${kind} ${EXAMPLES_DIR}/../${source} -o ${WORK_DIR}/${package} ${flags} -lm
         -Wl,-rpath,${WORK_DIR}/prefix/lib)
    step(${WORK_DIR}/${package})
  endforeach()
endif()
