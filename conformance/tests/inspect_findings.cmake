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

# Damaged files through all of it. The object file is the module's.
add_library(inspect_fixture_object OBJECT fixtures/inspect_module.c)
add_executable(test_inspect_subject test_inspect_subject.c inspect_bytes.c inspect_foreign.c)
target_compile_definitions(test_inspect_subject
  PRIVATE ${_inspect_definitions} INSPECT_FIXTURE_object="$<TARGET_OBJECTS:inspect_fixture_object>")
target_link_libraries(test_inspect_subject PRIVATE conform_report PkgConfig::jansson
                                                   PkgConfig::check tvmffi_build_flags)
add_dependencies(test_inspect_subject ${_inspect_fixtures} inspect_fixture_object)
add_test(NAME conformance.inspect.subject COMMAND test_inspect_subject)
set_tests_properties(conformance.inspect.subject PROPERTIES TIMEOUT 600)

# Files that no compiler makes.
foreach(test IN ITEMS objects data shared tables)
  add_executable(test_inspect_${test} test_inspect_${test}.c inspect_made.c inspect_bytes.c)
  target_compile_definitions(test_inspect_${test} PRIVATE ${_inspect_definitions})
  target_link_libraries(test_inspect_${test} PRIVATE conform_findings PkgConfig::libelf PkgConfig::check
                                                     tvmffi_build_flags)
  add_dependencies(test_inspect_${test} ${_inspect_fixtures})
  add_test(NAME conformance.inspect.${test} COMMAND test_inspect_${test})
endforeach()

# What an earlier report says of a library.
add_executable(test_inspect_baseline test_inspect_baseline.c inspect_bytes.c)
target_compile_definitions(test_inspect_baseline PRIVATE ${_inspect_definitions})
target_link_libraries(test_inspect_baseline PRIVATE conform_report PkgConfig::jansson
                                                    PkgConfig::check tvmffi_build_flags)
add_dependencies(test_inspect_baseline ${_inspect_fixtures})
add_test(NAME conformance.inspect.baseline COMMAND test_inspect_baseline)

add_test(NAME conformance.inspect.reports
         COMMAND ${Python3_EXECUTABLE} "${_findings}/check_reports.py"
                 --tool $<TARGET_FILE:tvmffi-conform>
                 --python "${PROJECT_SOURCE_DIR}/.venv/bin/python"
                 --schemas "${PROJECT_SOURCE_DIR}/reports"
                 $<TARGET_FILE:inspect_fixture_module> $<TARGET_FILE:inspect_fixture_runtime>
                 $<TARGET_FILE:inspect_fixture_stripped>)
set_tests_properties(conformance.inspect.reports PROPERTIES SKIP_RETURN_CODE 77)
