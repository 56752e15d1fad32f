# SPDX-License-Identifier: Apache-2.0
# Libraries that say one thing about their generation or version and are another, each made of one file in
# hostile_generations/ and a runtime of ours, and the program against them and against honest ones of both generations.
if(TVMFFI_SANITIZE)
  return()
endif()

include(${PROJECT_SOURCE_DIR}/conformance/abi/functions.cmake)
abi_read_functions()
set(_renamed_2025_09 "")
foreach(name IN LISTS ABI_RENAMED)
  list(APPEND _renamed_2025_09 ${ABI_FORMER_NAME_${name}})
endforeach()
abi_functions_after(0.1.4 _after_0_1_4)

# Names of 0.1 over objects of 2025-09, and a version over one that is of 2025-09 otherwise.
add_archive(new_names tvm_ffi_2025_09_static GetVersion ${_renamed_2025_09})
add_archive(today tvm_ffi_2025_09_static GetVersion)
# Names of 2025-09 over objects of 0.1: functions that have another name today, or came later, are renamed.
add_archive(old_names tvm_ffi_static ${ABI_RENAMED} ${ABI_NOT_IN_2025_09})
# A version of its own; all functions of the newest, or those that 0.1.4 had.
add_archive(version tvm_ffi_static GetVersion)
add_archive(fewer tvm_ffi_static GetVersion ${_after_0_1_4})

set(_generations_folder ${PROJECT_BINARY_DIR}/hostile_generations)
set(_generations_libraries "")
foreach(pair IN ITEMS new_names:new_names old_names:old_names both_names:load version_before_all:version
                      version_of_nobody:version version_too_high:fewer version_of_today:today)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 archive)
  add_library(generations_${name} MODULE hostile_generations/${name}.c)
  target_link_libraries(generations_${name} PRIVATE tvmffi_build_flags)
  set_target_properties(generations_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${_generations_folder})
  link_archive(generations_${name} ${archive})
  list(APPEND _generations_libraries generations_${name})
endforeach()

add_tool_test(generations)
target_compile_definitions(test_generations PRIVATE
  GENERATIONS_FOLDER="${_generations_folder}" REFERENCE_2025_09="$<TARGET_FILE:tvm_ffi_2025_09>"
  MODULE_FILE="$<TARGET_FILE:kernel_add_one_right>")
add_dependencies(test_generations tvm_ffi_2025_09 kernel_add_one_right ${_generations_libraries})
