# Install rules, the CMake package, and files for pkg-config. find_package(chancel) gives chancel::chancel, for C++, and chancel::c, the
# shared library; `pkg-config chancel` is the latter, `pkg-config chancel-cpp` the former. test/install shows their use.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/chancel)

if(TARGET chancel)
  install(TARGETS chancel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET chancel_kernel)
  install(TARGETS chancel_kernel RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/chancel OPTIONAL)
endif()
if(TARGET chancel_mpi)
  install(TARGETS chancel_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/chancel OPTIONAL)
endif()
if(TARGET chancel_paper)  # installed when it has been built
  install(TARGETS chancel_paper RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/chancel OPTIONAL)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/src/page/assets/chart.js.licence.txt
              ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Programs to try, apart from the documentation, which small systems leave out.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/chancel
        PATTERN __pycache__ EXCLUDE)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/chancel)

# Man pages, shell completion and the kernel's description are what the program says about itself. Under sanitizers it is too slow.
if(TARGET chancel AND NOT CHANCEL_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(pages ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}.stamp
                     COMMAND ${PROJECT_SOURCE_DIR}/scripts/make_pages $<TARGET_FILE:chancel> ${pages}
                     COMMAND ${CMAKE_COMMAND} -E touch ${pages}.stamp
                     DEPENDS chancel $<TARGET_NAME_IF_EXISTS:chancel_kernel> ${PROJECT_SOURCE_DIR}/scripts/make_pages VERBATIM)
  add_custom_target(chancel_pages ALL DEPENDS ${pages}.stamp)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
endif()

if(TARGET chancel_archive)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/chancel)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/chancel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(TARGETS chancel_archive EXPORT chancel_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(TARGET chancel_shared)
    install(TARGETS chancel_shared EXPORT chancel_targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(EXPORT chancel_targets NAMESPACE chancel:: FILE chancelTargets.cmake DESTINATION ${package_dir})

  # fmt::fmt -> find_dependency(fmt), and so on: each package target is named after its package.
  set(CHANCEL_DEPENDENCIES "")
  foreach(target ${packages})
    string(REGEX REPLACE "::.*" "" package ${target})
    string(APPEND CHANCEL_DEPENDENCIES "find_dependency(${package})\n")
  endforeach()
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/chancelConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/cmake/chancelConfig.cmake
                                INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/chancelConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/chancelConfig.cmake
                ${PROJECT_BINARY_DIR}/cmake/chancelConfigVersion.cmake
                ${PROJECT_SOURCE_DIR}/cmake/Findgumbo.cmake
          DESTINATION ${package_dir})

  # Where they lie is found from the file's own place, so that a tree can be moved.
  file(RELATIVE_PATH CHANCEL_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" CHANCEL_PC_PREFIX ${CHANCEL_PC_PREFIX})
  set(CHANCEL_PC_LIBRARIES "-lfmt -lz -lmd4c -lgumbo -pthread -ldl")
  foreach(name chancel chancel-cpp)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endforeach()
endif()
