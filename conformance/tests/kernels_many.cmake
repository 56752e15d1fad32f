# SPDX-License-Identifier: Apache-2.0
# A library with 300 functions: all of them are judged, with a progress bar. How long it takes is for `make bench`.
add_executable(test_kernels_many ${CMAKE_CURRENT_SOURCE_DIR}/test_kernels_many.c ${CMAKE_CURRENT_SOURCE_DIR}/tool.c)
target_compile_definitions(test_kernels_many PRIVATE
  TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}"
  ONE="$<TARGET_FILE:bench_kernels_1>" MANY="$<TARGET_FILE:bench_kernels_300>")
target_link_libraries(test_kernels_many
  PRIVATE conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
add_dependencies(test_kernels_many tvmffi-conform bench_kernels_1 bench_kernels_300)
add_test(NAME conformance.kernels.many COMMAND test_kernels_many)
