# SPDX-License-Identifier: Apache-2.0
# What this is built with, looked for before anything else, so that one message names all that is missing and how Debian
# installs it. (project() stops at the first compiler that is not there.) A toolchain file brings its own.
if(CMAKE_TOOLCHAIN_FILE)
  return()
endif()

set(_absent "")
set(_packages "")
find_program(TVMFFI_ANY_COMPILER NAMES cc gcc clang)
find_program(PKG_CONFIG_EXECUTABLE NAMES pkg-config pkgconf)
mark_as_advanced(TVMFFI_ANY_COMPILER PKG_CONFIG_EXECUTABLE)
if(NOT TVMFFI_ANY_COMPILER AND NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})
  list(APPEND _absent "a C compiler")
  list(APPEND _packages gcc libc6-dev)
endif()
if(NOT PKG_CONFIG_EXECUTABLE)
  list(APPEND _absent pkg-config)
  list(APPEND _packages pkg-config)
endif()

# The libraries of the program: their names for pkg-config, and Debian's packages.
set(_modules libelf libarchive jansson libxml-2.0 nettle)
set(_packages_of_modules libelf-dev libarchive-dev libjansson-dev libxml2-dev nettle-dev)
if(DEFINED TVMFFI_PROGRAM AND NOT TVMFFI_PROGRAM)
  set(_modules "")
  set(_packages_of_modules "")
endif()
foreach(_module _package IN ZIP_LISTS _modules _packages_of_modules)
  set(_status 1)
  if(PKG_CONFIG_EXECUTABLE)
    execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --exists ${_module} RESULT_VARIABLE _status ERROR_QUIET)
  endif()
  if(NOT _status EQUAL 0)
    list(APPEND _absent ${_module})
    list(APPEND _packages ${_package})
  endif()
endforeach()

if(_absent)
  list(JOIN _absent ", " _absent)
  list(JOIN _packages " " _packages)
  message(FATAL_ERROR
    "These are needed to build, and were not found (libraries with their headers): ${_absent}\n"
    "On Debian and Ubuntu:\n"
    "  apt-get install ${_packages}")
endif()
