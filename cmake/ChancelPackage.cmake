# The Debian package, by CPack (`make package`): all that is installed but the Python module, which has a wheel of its own.
# test/package installs it into an empty root that has what the package depends on and nothing else.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME chancel)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Chancel developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Describe how data were generated, observe them, and predict what you want
to know: Chancel infers the posterior, by particle methods, Markov chains or
enumeration, and says how far it can be trusted. This package has the program
with its Jupyter kernel, the library for C and C++, documentation and examples.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_THREADS 0)
set(CPACK_VERBATIM_VARIABLES TRUE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL Unspecified)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Chancel developers <chancel@invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Libraries are found by dpkg-shlibdeps. A C compiler makes native code of programs; netCDF is loaded when a run is converted to
# its files; the rest is for those who compile with the library.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libnetcdf19, jupyter-client, pkg-config, g++, libfmt-dev, zlib1g-dev, libmd4c-dev, libgumbo-dev")
install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian-copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
include(CPack)
