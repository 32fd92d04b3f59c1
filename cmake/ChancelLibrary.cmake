# chancel::chancel, the library users link: every room's objects in one libchancel.a, with include/ as its only
# include directory, so that a program built on it cannot reach into src/. Costs one more `ar` per link.
get_property(rooms GLOBAL PROPERTY CHANCEL_ROOMS)
get_property(packages GLOBAL PROPERTY CHANCEL_PACKAGES)
if(rooms)
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  # What a user's link needs: packages with object code. Eigen and nlohmann_json are headers used inside only.
  list(REMOVE_DUPLICATES packages)
  list(REMOVE_ITEM packages Eigen3::Eigen nlohmann_json::nlohmann_json)

  add_library(chancel_archive STATIC ${objects})
  add_library(chancel::chancel ALIAS chancel_archive)
  set_target_properties(chancel_archive PROPERTIES OUTPUT_NAME chancel EXPORT_NAME chancel LINKER_LANGUAGE CXX
                                                   ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(chancel_archive INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                       $<INSTALL_INTERFACE:include>)
  target_compile_features(chancel_archive INTERFACE cxx_std_20)
  target_link_libraries(chancel_archive INTERFACE ${packages} ${CMAKE_DL_LIBS})
  if(CHANCEL_SANITIZE)
    target_link_options(chancel_archive INTERFACE -fsanitize=${CHANCEL_SANITIZE})
  endif()

  # libchancel.so: the same objects with the C interface as all that is seen of them, for C and languages that call C. C++
  # programs link the archive, since C++ has no binary interface that would stay. Sanitizers are for programs.
  if(NOT CHANCEL_SANITIZE)
    set(part_of_all "")
    if(NOT PROJECT_IS_TOP_LEVEL)
      set(part_of_all EXCLUDE_FROM_ALL)
    endif()
    add_library(chancel_shared SHARED ${part_of_all} ${objects})
    add_library(chancel::c ALIAS chancel_shared)
    set_target_properties(chancel_shared PROPERTIES
      OUTPUT_NAME chancel EXPORT_NAME c LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/chancel.map)
    target_include_directories(chancel_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                        $<INSTALL_INTERFACE:include>)
    target_link_options(chancel_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/chancel.map -Wl,--no-undefined)
    target_link_libraries(chancel_shared PRIVATE ${packages} ${CMAKE_DL_LIBS})
  endif()
endif()
