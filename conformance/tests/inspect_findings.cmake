# SPDX-License-Identifier: Apache-2.0
# What `inspect` finds, in files that the tests build, and what it writes.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(_findings "${CMAKE_CURRENT_SOURCE_DIR}/inspect")

add_test(NAME conformance.inspect.findings
         COMMAND ${Python3_EXECUTABLE} "${_findings}/check_findings.py"
                 --tool $<TARGET_FILE:tvmffi-conform> --cc "${CMAKE_C_COMPILER}"
                 --functions "${PROJECT_SOURCE_DIR}/conformance/abi/functions.def"
                 --page "${PROJECT_SOURCE_DIR}/conformance/inspect/README.md")
set_tests_properties(conformance.inspect.findings PROPERTIES SKIP_RETURN_CODE 77)
