# Install rules and the CMake package: find_package(chancel) gives chancel::chancel (test/install shows its use).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/chancel)

if(TARGET chancel)
  install(TARGETS chancel RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET chancel_kernel)
  install(TARGETS chancel_kernel RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/chancel OPTIONAL)
endif()
if(TARGET chancel_paper)  # installed when it has been built
  install(TARGETS chancel_paper RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/chancel OPTIONAL)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/src/page/assets/chart.js.licence.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET chancel_archive)
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/chancel)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/chancel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  install(TARGETS chancel_archive EXPORT chancel_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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
          DESTINATION ${package_dir})
endif()
