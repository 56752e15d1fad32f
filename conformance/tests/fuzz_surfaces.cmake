# SPDX-License-Identifier: Apache-2.0
# The surfaces of the fuzzer that make calls of the C API: their inputs and oracles, then each on the reference and on
# runtimes with one flaw, which are mutants. (Those are not built with a sanitizer's suite.)
add_executable(test_fuzz_surfaces test_fuzz_surfaces.c)
target_compile_definitions(test_fuzz_surfaces PRIVATE DTYPE_VECTORS="${PROJECT_SOURCE_DIR}/spec/vectors/dtype.json")
target_link_libraries(test_fuzz_surfaces PRIVATE
  conform_battery conform_kernel conform_campaign PkgConfig::jansson PkgConfig::check tvmffi_build_flags)
add_test(NAME conformance.fuzz.surfaces COMMAND test_fuzz_surfaces)

if(NOT TVMFFI_SANITIZE)
  add_executable(test_fuzz_calls test_fuzz_calls.c tool.c)
  file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/test_fuzz_calls.c _lines REGEX "^    {\"[a-z_]+\", \"[a-z0-9_]+\",")
  foreach(_line IN LISTS _lines)
    string(REGEX REPLACE "^    {\"[a-z_]+\", \"([a-z0-9_]+)\".*" "\\1" _mutant "${_line}")
    add_dependencies(test_fuzz_calls mutant_${_mutant})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fuzz_calls)
  target_compile_definitions(test_fuzz_calls PRIVATE
    TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/fuzz_calls"
    REFERENCE="$<TARGET_FILE:tvm_ffi_shared>" MUTANT_FOLDER="${PROJECT_BINARY_DIR}/mutants"
    C_COMPILER="${CMAKE_C_COMPILER}"
    INCLUDES="-I ${PROJECT_SOURCE_DIR}/reference/include -I $<TARGET_PROPERTY:DLPack::DLPack,INTERFACE_INCLUDE_DIRECTORIES>")
  target_link_libraries(test_fuzz_calls PRIVATE conform_run PkgConfig::jansson PkgConfig::check tvmffi_build_flags)
  add_dependencies(test_fuzz_calls tvmffi-conform tvm_ffi_shared)
  add_test(NAME conformance.fuzz.calls COMMAND test_fuzz_calls)
  set_tests_properties(conformance.fuzz.calls PROPERTIES TIMEOUT 300)
endif()
