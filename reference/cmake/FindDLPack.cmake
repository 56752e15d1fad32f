# SPDX-License-Identifier: Apache-2.0
# Finds DLPack's own header, version 1.1 or newer, and defines the target DLPack::DLPack.
#
# Looked at, in this order: DLPACK_INCLUDE_DIR; the project's cache of official wheels (each of them carries
# DLPack's header), newest first; what CMAKE_PREFIX_PATH names; the system's include folders; DLPACK_INSTALLED_DIR, where
# an installation keeps a copy. A header older than 1.1 is passed over.

set(_dlpack_candidates "")
if(DLPACK_INCLUDE_DIR)
  list(APPEND _dlpack_candidates "${DLPACK_INCLUDE_DIR}")
endif()
file(GLOB _dlpack_wheels "${PROJECT_SOURCE_DIR}/.cache/official/*/tvm_ffi/include")
list(SORT _dlpack_wheels COMPARE NATURAL ORDER DESCENDING)
list(APPEND _dlpack_candidates ${_dlpack_wheels})
foreach(_dir IN LISTS CMAKE_PREFIX_PATH)
  list(APPEND _dlpack_candidates "${_dir}/tvm_ffi/include" "${_dir}/include")
endforeach()
list(APPEND _dlpack_candidates /usr/local/include /usr/include ${DLPACK_INSTALLED_DIR})

set(_dlpack_too_old "")
unset(DLPack_HEADER_DIR)
foreach(_dir IN LISTS _dlpack_candidates)
  if(NOT EXISTS "${_dir}/dlpack/dlpack.h")
    continue()
  endif()
  file(STRINGS "${_dir}/dlpack/dlpack.h" _major REGEX "^#define DLPACK_MAJOR_VERSION [0-9]+")
  file(STRINGS "${_dir}/dlpack/dlpack.h" _minor REGEX "^#define DLPACK_MINOR_VERSION [0-9]+")
  string(REGEX MATCH "[0-9]+$" _major "${_major}")
  string(REGEX MATCH "[0-9]+$" _minor "${_minor}")
  if(_major STREQUAL "" OR _minor STREQUAL "" OR "${_major}.${_minor}" VERSION_LESS 1.1)
    list(APPEND _dlpack_too_old "${_dir}")
    continue()
  endif()
  set(DLPack_HEADER_DIR "${_dir}")
  set(DLPack_VERSION "${_major}.${_minor}")
  break()
endforeach()

if(NOT DLPack_HEADER_DIR)
  set(_dlpack_hint "")
  if(_dlpack_too_old)
    string(JOIN ", " _dlpack_hint ${_dlpack_too_old})
    set(_dlpack_hint "\nPassed over because it is older than 1.1: ${_dlpack_hint}")
  endif()
  message(FATAL_ERROR
    "The header dlpack/dlpack.h, version 1.1 or newer, was not found.\n"
    "Every wheel of apache-tvm-ffi carries it: `make deps` fetches one into .cache/official where the Python "
    "package index can be reached. Otherwise point CMake at a copy: "
    "-DDLPACK_INCLUDE_DIR=<folder that holds dlpack/dlpack.h>.${_dlpack_hint}")
endif()

set(DLPack_FOUND TRUE)
message(STATUS "DLPack ${DLPack_VERSION}: ${DLPack_HEADER_DIR}")
if(NOT TARGET DLPack::DLPack)
  # A copy of the one header, so that nothing else of a wheel's include folder can be picked up by accident.
  configure_file("${DLPack_HEADER_DIR}/dlpack/dlpack.h"
                 "${PROJECT_BINARY_DIR}/dlpack-include/dlpack/dlpack.h" COPYONLY)
  add_library(DLPack::DLPack INTERFACE IMPORTED)
  target_include_directories(DLPack::DLPack SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/dlpack-include")
endif()
