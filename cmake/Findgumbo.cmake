# libgumbo, a parser of HTML5 (Debian package libgumbo-dev), as the target gumbo::gumbo.
find_path(GUMBO_INCLUDE_DIR gumbo.h)
find_library(GUMBO_LIBRARY gumbo)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(gumbo REQUIRED_VARS GUMBO_LIBRARY GUMBO_INCLUDE_DIR)
if(gumbo_FOUND AND NOT TARGET gumbo::gumbo)
  add_library(gumbo::gumbo UNKNOWN IMPORTED)
  set_target_properties(gumbo::gumbo PROPERTIES IMPORTED_LOCATION ${GUMBO_LIBRARY}
                                                INTERFACE_INCLUDE_DIRECTORIES ${GUMBO_INCLUDE_DIR})
endif()
mark_as_advanced(GUMBO_INCLUDE_DIR GUMBO_LIBRARY)
