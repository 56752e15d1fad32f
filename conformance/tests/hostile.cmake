# SPDX-License-Identifier: Apache-2.0
# Libraries that do all that a library must not do, each made of one file in hostile/ and the reference, and the
# program against them. They are what users would bring: no sanitizer that is on for the tests is on in them.
#
# ThreadSanitizer can't be on in the program alone: it takes for a race what such a library does in good order.
if(TVMFFI_SANITIZE MATCHES "thread")
  return()
endif()

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
    -Wall -Wextra -Wno-infinite-recursion $<$<C_COMPILER_ID:GNU>:-Wno-use-after-free>
    $<$<BOOL:${TVMFFI_WERROR}>:-Werror>)
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

function(add_tool_test name)
  add_executable(test_${name} test_${name}.c tool.c ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(MAKE_DIRECTORY ${folder})
  target_compile_definitions(test_${name} PRIVATE
    TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${folder}"
    HOSTILE_FOLDER="${_hostile_folder}" REFERENCE="$<TARGET_FILE:tvm_ffi_shared>")
  target_link_libraries(test_${name} PRIVATE conform_run PkgConfig::jansson PkgConfig::check
                                             tvmffi_build_flags)
  if(TVMFFI_SANITIZE)
    target_compile_definitions(test_${name} PRIVATE SANITIZED)
  endif()
  add_dependencies(test_${name} tvmffi-conform tvm_ffi_shared hostile_libraries)
  string(REPLACE _ . test ${name})
  add_test(NAME conformance.${test} COMMAND test_${name})
endfunction()

add_tool_test(hostile)

# One with half of the functions: the others have lost their names. And one that has nothing to do with the ABI.
set(_half_archive ${CMAKE_CURRENT_BINARY_DIR}/half_reference.a)
set(_half_renames "")
foreach(function IN ITEMS
        FunctionCreate FunctionCall FunctionGetGlobal FunctionSetGlobal
        FunctionSetGlobalFromMethodInfo BytesFromByteArray ErrorCreate Backtrace
        ErrorCreateWithCauseAndExtraContext ErrorSetRaisedFromCStrParts HandleInitOnce)
  list(APPEND _half_renames --redefine-sym TVMFFI${function}=lost_${function})
endforeach()
add_custom_command(
  OUTPUT ${_half_archive}
  COMMAND ${OBJCOPY} ${_half_renames} $<TARGET_FILE:hostile_reference> ${_half_archive}
  DEPENDS hostile_reference
  VERBATIM)
add_custom_target(half_archive DEPENDS ${_half_archive})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/unrelated.c.new
     "extern int unrelated;\n__attribute__((visibility(\"default\"))) int unrelated = 42;\n")
file(COPY_FILE ${CMAKE_CURRENT_BINARY_DIR}/unrelated.c.new
     ${CMAKE_CURRENT_BINARY_DIR}/unrelated.c ONLY_IF_DIFFERENT)
foreach(name IN ITEMS half unrelated)
  add_library(hostile_${name} MODULE ${CMAKE_CURRENT_BINARY_DIR}/unrelated.c)
  set_target_properties(hostile_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${_hostile_folder})
endforeach()
add_dependencies(hostile_half half_archive)
target_link_libraries(hostile_half PRIVATE
  Threads::Threads "-Wl,--whole-archive,${_half_archive},--no-whole-archive")
set_target_properties(hostile_half PROPERTIES LINK_DEPENDS ${_half_archive})

add_tool_test(hostile_files inspect_foreign.c)
target_compile_definitions(test_hostile_files PRIVATE
  HALF="$<TARGET_FILE:hostile_half>" UNRELATED="$<TARGET_FILE:hostile_unrelated>")
add_dependencies(test_hostile_files hostile_half hostile_unrelated)

# The command line needs libraries that fail, too.
add_tool_test(cli test_cli_report.c test_cli_course.c)
target_compile_definitions(test_cli PRIVATE
  CASES_FOLDER="${PROJECT_SOURCE_DIR}/conformance/cases"
  WORKER_PROGRAM="$<TARGET_FILE:tvmffi-conform-worker>")
