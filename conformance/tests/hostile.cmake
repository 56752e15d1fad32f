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

# add_archive(kind library function...): a copy of the library, in which these functions have made room for others:
# TVMFFIx has become reference_TVMFFIx.
function(add_archive kind library)
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/${kind}_reference.a)
  list(TRANSFORM ARGN REPLACE ".+" "--redefine-sym;TVMFFI\\0=reference_TVMFFI\\0")
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${OBJCOPY} ${ARGN} $<TARGET_FILE:${library}> ${archive}
    DEPENDS ${library}
    VERBATIM)
  add_custom_target(${kind}_archive DEPENDS ${archive})
endfunction()

# link_archive(target kind): all of it, and anew when it changes.
function(link_archive target kind)
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/${kind}_reference.a)
  add_dependencies(${target} ${kind}_archive)
  target_link_libraries(${target} PRIVATE
    tvm_ffi_headers Threads::Threads "-Wl,--whole-archive,${archive},--no-whole-archive")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${archive})
endfunction()

set(_hostile_folder ${PROJECT_BINARY_DIR}/hostile)
add_archive(load hostile_reference)
add_archive(call hostile_reference StringFromByteArray)
add_archive(ask hostile_reference GetVersion Backtrace)
add_archive(half hostile_reference
            FunctionCreate FunctionCall FunctionGetGlobal FunctionSetGlobal
            FunctionSetGlobalFromMethodInfo BytesFromByteArray ErrorCreate Backtrace
            ErrorCreateWithCauseAndExtraContext ErrorSetRaisedFromCStrParts HandleInitOnce)

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
  string(REGEX MATCH "^[a-z]+" kind ${name})
  link_archive(hostile_${name} ${kind})
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

# One with half of the functions, and one that has nothing to do with the ABI.
set(_unrelated ${CMAKE_CURRENT_BINARY_DIR}/unrelated.c)
file(CONFIGURE OUTPUT ${_unrelated} @ONLY CONTENT
     "extern int unrelated;\n__attribute__((visibility(\"default\"))) int unrelated = 42;\n")
foreach(name IN ITEMS half unrelated)
  add_library(hostile_${name} MODULE ${_unrelated})
  set_target_properties(hostile_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${_hostile_folder})
endforeach()
link_archive(hostile_half half)

# One that was built for another C library than the worker: it needs a file of that library's name, which is not found.
add_library(hostile_other_libc SHARED ${_unrelated})
set_target_properties(hostile_other_libc PROPERTIES
  OUTPUT_NAME other_libc LIBRARY_OUTPUT_DIRECTORY ${_hostile_folder} NO_SONAME ON)
target_link_options(hostile_other_libc PRIVATE -Wl,-soname,libc.musl-conform.so.1)
add_library(hostile_for_musl MODULE ${_unrelated})
set_target_properties(hostile_for_musl PROPERTIES
  PREFIX "" OUTPUT_NAME for_musl LIBRARY_OUTPUT_DIRECTORY ${_hostile_folder} SKIP_BUILD_RPATH ON)
link_archive(hostile_for_musl half)
target_link_options(hostile_for_musl PRIVATE -Wl,--no-as-needed)
target_link_libraries(hostile_for_musl PRIVATE hostile_other_libc)

add_tool_test(hostile_files inspect_foreign.c)
target_compile_definitions(test_hostile_files PRIVATE
  HALF="$<TARGET_FILE:hostile_half>" UNRELATED="$<TARGET_FILE:hostile_unrelated>"
  FOR_MUSL="$<TARGET_FILE:hostile_for_musl>")
add_dependencies(test_hostile_files hostile_half hostile_unrelated hostile_for_musl)

# The command line needs libraries that fail, too.
add_tool_test(cli test_cli_diff.c test_cli_report.c test_cli_course.c test_cli_texts.c)
target_compile_definitions(test_cli PRIVATE
  CASES_FOLDER="${PROJECT_SOURCE_DIR}/conformance/cases"
  WORKER_PROGRAM="$<TARGET_FILE:tvmffi-conform-worker>"
  MODULE_FILE="$<TARGET_FILE:kernel_add_one_right>")
add_dependencies(test_cli kernel_add_one_right)
