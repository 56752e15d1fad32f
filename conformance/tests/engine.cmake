# SPDX-License-Identifier: Apache-2.0
# The engine without a library: what plan/ and run/ are made of.
add_executable(test_engine
  test_engine.c test_engine_evidence.c test_engine_expect.c test_engine_fence.c
  test_engine_observation.c test_engine_probe.c ${PROJECT_SOURCE_DIR}/conformance/run/crash.c)
target_link_libraries(test_engine
  PRIVATE conform_battery_support conform_run PkgConfig::check tvmffi_build_flags)
add_test(NAME conformance.engine COMMAND test_engine)
