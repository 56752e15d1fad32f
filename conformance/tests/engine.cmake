# SPDX-License-Identifier: Apache-2.0
# The engine without a library: what plan/ and run/ are made of.
add_executable(test_engine
  test_engine.c test_engine_element.c test_engine_evidence.c test_engine_expect.c test_engine_fence.c
  test_engine_observation.c test_engine_probe.c test_engine_result.c
  ${PROJECT_SOURCE_DIR}/conformance/worker/crash.c ${PROJECT_SOURCE_DIR}/conformance/worker/frames.c)
target_link_libraries(test_engine
  PRIVATE conform_battery conform_kernel conform_run PkgConfig::check tvmffi_build_flags)
if(TVMFFI_SANITIZE)
  target_compile_definitions(test_engine PRIVATE SANITIZED)
endif()
add_test(NAME conformance.engine COMMAND test_engine)

# The runner, with a battery of its own and a library that has next to nothing.
add_library(engine_library MODULE engine_library.c)
set_target_properties(engine_library PROPERTIES PREFIX "" OUTPUT_NAME engine_library)
target_link_libraries(engine_library PRIVATE tvm_ffi_headers)
add_library(engine_cases OBJECT engine_cases.c)
target_link_libraries(engine_cases PUBLIC conform_registry PRIVATE tvmffi_build_flags)
add_executable(engine_worker)
target_link_libraries(engine_worker PRIVATE conform_worker engine_cases conform_battery conform_kernel
                                            conform_registry tvmffi_build_flags)
add_executable(test_engine_runner test_engine_runner.c)
target_compile_definitions(test_engine_runner PRIVATE
  ENGINE_WORKER="$<TARGET_FILE:engine_worker>" ENGINE_LIBRARY="$<TARGET_FILE:engine_library>"
  FOREIGN_WORKER="$<TARGET_FILE:tvmffi-conform-worker>")
target_link_libraries(test_engine_runner PRIVATE engine_cases conform_battery conform_kernel conform_run
                                                 PkgConfig::check tvmffi_build_flags)
add_dependencies(test_engine_runner engine_worker engine_library tvmffi-conform-worker)
add_test(NAME conformance.engine.runner COMMAND test_engine_runner)

# The battery, and what is chosen from it. Its code is linked and not run.
foreach(test IN ITEMS plan frozen)
  add_executable(test_${test} test_${test}.c)
  target_compile_definitions(test_${test} PRIVATE
    CASES_FOLDER="${PROJECT_SOURCE_DIR}/conformance/cases")
  target_link_libraries(test_${test} PRIVATE conform_cases conform_battery conform_kernel conform_run
                                             PkgConfig::check tvmffi_build_flags)
  add_test(NAME conformance.${test} COMMAND test_${test})
endforeach()
