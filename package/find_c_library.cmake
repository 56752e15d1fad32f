# SPDX-License-Identifier: Apache-2.0
# The C libraries that the program is made with. Everywhere else they are PkgConfig::<prefix>; here it is decided
# whether that is the shared library or the archive.
option(TVMFFI_STATIC "Link the C libraries statically, so that the program needs nothing but libc" OFF)

# The reader of command lines: part of glibc, a library of its own for C libraries without it, as musl is. The target
# tvmffi_argp is what the program links for it.
function(find_argp)
  include(CheckFunctionExists)
  check_function_exists(argp_parse TVMFFI_LIBC_HAS_ARGP)
  add_library(tvmffi_argp INTERFACE)
  if(TVMFFI_LIBC_HAS_ARGP)
    return()
  endif()
  find_path(TVMFFI_ARGP_INCLUDE_DIR argp.h)
  find_library(TVMFFI_ARGP_LIBRARY argp)
  if(NOT TVMFFI_ARGP_INCLUDE_DIR OR NOT TVMFFI_ARGP_LIBRARY)
    message(FATAL_ERROR
      "The program reads its command line with argp, which this C library has not, and libargp with argp.h was not "
      "found (Alpine's package argp-standalone; Debian has none for musl). With -D TVMFFI_PROGRAM=OFF only the runtime "
      "and the worker are built, which need nothing but the C library; see cross/README.md.")
  endif()
  target_include_directories(tvmffi_argp INTERFACE ${TVMFFI_ARGP_INCLUDE_DIR})
  target_link_libraries(tvmffi_argp INTERFACE ${TVMFFI_ARGP_LIBRARY})
endfunction()

# What belongs to the C library stays shared.
set(TVMFFI_LIBC_PARTS c dl m pthread rt)

# A target for the archive lib<name>.a, or "" if it is not there.
function(find_archive out name folders)
  find_library(TVMFFI_ARCHIVE_${name} NAMES lib${name}.a HINTS ${folders})
  set(${out} "" PARENT_SCOPE)
  if(TVMFFI_ARCHIVE_${name})
    if(NOT TARGET tvmffi_archive_${name})
      add_library(tvmffi_archive_${name} STATIC IMPORTED GLOBAL)
      set_target_properties(tvmffi_archive_${name} PROPERTIES IMPORTED_LOCATION ${TVMFFI_ARCHIVE_${name}})
    endif()
    set(${out} tvmffi_archive_${name} PARENT_SCOPE)
  endif()
endfunction()

# What a library that pkg-config names is here: "" if it is left out.
function(find_part out name folders)
  if(name IN_LIST TVMFFI_LIBC_PARTS)
    set(part ${name})
  elseif(name MATCHES "^icu")
    if(NOT TARGET tvmffi_no_converters)
      add_library(tvmffi_no_converters STATIC ${PROJECT_SOURCE_DIR}/package/no_converters.c)
      target_link_libraries(tvmffi_no_converters PRIVATE tvmffi_build_flags)
    endif()
    set(part tvmffi_no_converters)
  else()
    find_archive(part ${name} "${folders}")
  endif()
  set(${out} "${part}" PARENT_SCOPE)
endfunction()

# find_c_library(prefix name module): the target PkgConfig::prefix, which is lib<name> of pkg-config's module.
#
# With TVMFFI_STATIC it is the archive and those archives that it may need in its turn. Of the latter, what is not
# there is left out: whether it is needed is for the linker to say (libarchive lists what its every format needs).
# ICU is not linked: its data would be several times as large as the program (see no_converters.c).
function(find_c_library prefix name module)
  if(NOT TVMFFI_STATIC)
    pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET GLOBAL ${module})
    return()
  endif()
  pkg_check_modules(${prefix} REQUIRED ${module})
  set(folders ${${prefix}_LIBDIR} ${${prefix}_STATIC_LIBRARY_DIRS})
  find_archive(archive ${name} "${folders}")
  if(NOT archive)
    message(FATAL_ERROR "TVMFFI_STATIC: lib${name}.a was not found. On Debian it comes with the headers of ${module}.")
  endif()
  set(parts ${${prefix}_STATIC_LIBRARIES})
  list(REMOVE_ITEM parts ${name})
  foreach(part IN LISTS parts)
    find_part(needed ${part} "${folders}")
    set_property(TARGET ${archive} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${needed})
  endforeach()
  add_library(PkgConfig::${prefix} INTERFACE IMPORTED GLOBAL)
  target_include_directories(PkgConfig::${prefix} INTERFACE ${${prefix}_INCLUDE_DIRS})
  target_link_libraries(PkgConfig::${prefix} INTERFACE ${archive})
endfunction()
