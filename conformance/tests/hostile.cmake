# SPDX-License-Identifier: Apache-2.0
# Libraries that do all that a library must not do, each made of one file in hostile/ and the reference, and the
# program against them. They are what users would bring: no sanitizer that is on for the tests is on in them.
get_target_property(_reference_sources tvm_ffi_objects SOURCES)
if(TVMFFI_SANITIZE)
  add_library(hostile_reference STATIC ${_reference_sources})
  target_compile_definitions(hostile_reference PRIVATE _GNU_SOURCE)
  target_link_libraries(hostile_reference PUBLIC tvm_ffi_headers Threads::Threads)
else()
  add_library(hostile_reference ALIAS tvm_ffi_static)
endif()

# The reference's TVMFFIStringFromByteArray makes room for that of a call_*.c.
set(_hostile_folder ${PROJECT_BINARY_DIR}/hostile)
set(_hostile_archive ${CMAKE_CURRENT_BINARY_DIR}/hostile_reference.a)
add_custom_command(
  OUTPUT ${_hostile_archive}
  COMMAND ${OBJCOPY}
          --redefine-sym TVMFFIStringFromByteArray=reference_TVMFFIStringFromByteArray
          $<TARGET_FILE:hostile_reference> ${_hostile_archive}
  DEPENDS hostile_reference
  VERBATIM)
add_custom_target(hostile_archive DEPENDS ${_hostile_archive})

file(GLOB _hostile_files CONFIGURE_DEPENDS hostile/*.c)
set(_hostile_libraries "")
foreach(file IN LISTS _hostile_files)
  cmake_path(GET file STEM name)
  add_library(hostile_${name} MODULE ${file})
  target_compile_definitions(hostile_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(hostile_${name} PRIVATE
    -Wall -Wextra -Wno-infinite-recursion $<$<BOOL:${TVMFFI_WERROR}>:-Werror>)
  set_target_properties(hostile_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${_hostile_folder})
  target_link_libraries(hostile_${name} PRIVATE tvm_ffi_headers Threads::Threads)
  if(name MATCHES "^call_")
    add_dependencies(hostile_${name} hostile_archive)
    target_link_libraries(hostile_${name} PRIVATE
      "-Wl,--whole-archive,${_hostile_archive},--no-whole-archive")
    set_target_properties(hostile_${name} PROPERTIES LINK_DEPENDS ${_hostile_archive})
  else()
    target_link_libraries(hostile_${name} PRIVATE
      "-Wl,--whole-archive" hostile_reference "-Wl,--no-whole-archive")
  endif()
  list(APPEND _hostile_libraries hostile_${name})
endforeach()
add_custom_target(hostile_libraries ALL DEPENDS ${_hostile_libraries})
