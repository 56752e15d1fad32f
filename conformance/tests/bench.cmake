# SPDX-License-Identifier: Apache-2.0
add_library(bench_fixture_half SHARED fixtures/bench_half.c)
target_link_libraries(bench_fixture_half PRIVATE tvmffi::headers tvmffi_build_flags)

find_program(_bench_python NAMES python3)
if(_bench_python)
  add_test(NAME conformance.bench
           COMMAND "${_bench_python}" "${CMAKE_CURRENT_SOURCE_DIR}/check_bench.py"
                   $<TARGET_FILE:tvmffi-conform> $<TARGET_FILE:tvm_ffi_shared>
                   $<TARGET_FILE:bench_fixture_half>)
endif()
