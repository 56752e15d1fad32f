# SPDX-License-Identifier: Apache-2.0
# Libraries that were built with a sanitizer, each made of the reference and of one file in sanitized/. They can't be
# judged by programs that are built with one themselves, nor made by compilers that link the sanitizer's runtime into
# programs only (Clang): then the test is skipped.
if(TVMFFI_SANITIZE MATCHES "thread")
  return()
endif()
include(CheckCSourceCompiles)
set(_sanitized_folder ${PROJECT_BINARY_DIR}/sanitized)
set(_sanitizers "")

function(check_sanitizer name)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${name})
  check_c_source_compiles("int main(void) { return 0; }" SANITIZER_${name}_WORKS)
endfunction()

if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT TVMFFI_SANITIZE)
  foreach(sanitizer IN ITEMS address thread undefined)
    check_sanitizer(${sanitizer})
    if(SANITIZER_${sanitizer}_WORKS)
      list(APPEND _sanitizers ${sanitizer})
    endif()
  endforeach()
endif()

# add_sanitized(address heap_overflow): sanitized/address_heap_overflow.so
function(add_sanitized sanitizer misdeed)
  set(name ${sanitizer}_${misdeed})
  set(archive ${CMAKE_CURRENT_BINARY_DIR}/${sanitizer}_reference.a)
  add_library(sanitized_${name} MODULE EXCLUDE_FROM_ALL sanitized/${misdeed}.c)
  add_dependencies(sanitized_${name} sanitized_${sanitizer}_archive)
  target_include_directories(sanitized_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(sanitized_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(sanitized_${name} PRIVATE -fsanitize=${sanitizer} -fno-omit-frame-pointer)
  target_link_options(sanitized_${name} PRIVATE -fsanitize=${sanitizer})
  target_link_libraries(sanitized_${name} PRIVATE tvm_ffi_headers Threads::Threads
    "-Wl,--whole-archive,${archive},--no-whole-archive")
  set_target_properties(sanitized_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${_sanitized_folder}
    LINK_DEPENDS ${archive})
  add_dependencies(sanitized_libraries sanitized_${name})
endfunction()

add_custom_target(sanitized_libraries)
foreach(sanitizer IN LISTS _sanitizers)
  add_library(sanitized_${sanitizer} STATIC EXCLUDE_FROM_ALL ${_reference_sources})
  target_compile_definitions(sanitized_${sanitizer} PRIVATE _GNU_SOURCE)
  target_compile_options(sanitized_${sanitizer} PRIVATE -fsanitize=${sanitizer}
                                                        -fno-omit-frame-pointer)
  target_link_libraries(sanitized_${sanitizer} PRIVATE tvm_ffi_headers)
  set(_sanitized_archive ${CMAKE_CURRENT_BINARY_DIR}/${sanitizer}_reference.a)
  add_custom_command(
    OUTPUT ${_sanitized_archive}
    COMMAND ${OBJCOPY}
            --redefine-sym TVMFFIStringFromByteArray=reference_TVMFFIStringFromByteArray
            $<TARGET_FILE:sanitized_${sanitizer}> ${_sanitized_archive}
    DEPENDS sanitized_${sanitizer}
    VERBATIM)
  add_custom_target(sanitized_${sanitizer}_archive DEPENDS ${_sanitized_archive})
  add_sanitized(${sanitizer} none)
endforeach()
if("address" IN_LIST _sanitizers)
  add_sanitized(address heap_overflow)
  add_sanitized(address use_after_free)
endif()
if("thread" IN_LIST _sanitizers)
  add_sanitized(thread data_race)
endif()
if("undefined" IN_LIST _sanitizers)
  add_sanitized(undefined undefined)
endif()

add_tool_test(sanitized)
add_dependencies(test_sanitized sanitized_libraries)
target_compile_definitions(test_sanitized PRIVATE SANITIZED_FOLDER="${_sanitized_folder}")
set_tests_properties(conformance.sanitized PROPERTIES SKIP_RETURN_CODE 77)
