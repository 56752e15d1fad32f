# SPDX-License-Identifier: Apache-2.0
# What inspect says against what readelf and pyelftools say, on 200 libraries of this machine and on cached wheels.
# `make truth` does it on thousands, with the wheels of other projects.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
add_test(NAME conformance.inspect-truth
         COMMAND ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/harness/run_pytest.py" --needs elftools -q
                 "${CMAKE_CURRENT_SOURCE_DIR}/truth")
set_tests_properties(conformance.inspect-truth PROPERTIES
  ENVIRONMENT "TVMFFI_CONFORM=$<TARGET_FILE:tvmffi-conform>;PYTHONDONTWRITEBYTECODE=1"
  SKIP_RETURN_CODE 77 TIMEOUT 300)
