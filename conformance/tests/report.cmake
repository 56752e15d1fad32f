# SPDX-License-Identifier: Apache-2.0
add_executable(test_report test_report.c test_report_clean.c test_report_diff.c test_report_json.c test_report_junit.c test_report_layout.c
                           test_report_sample.c test_report_shape.c test_report_tap.c test_report_text.c)
set(_report_folder "${CMAKE_CURRENT_BINARY_DIR}/report")
file(MAKE_DIRECTORY "${_report_folder}")
target_compile_definitions(test_report PRIVATE REPORT_TEST_FOLDER="${_report_folder}"
                                               JUNIT_SCHEMA="${CMAKE_CURRENT_SOURCE_DIR}/junit.xsd")
target_link_libraries(test_report PRIVATE conform_report PkgConfig::jansson PkgConfig::libxml2
                                          PkgConfig::check tvmffi_build_flags)
add_test(NAME conformance.report COMMAND test_report)
set_tests_properties(conformance.report PROPERTIES FIXTURES_SETUP report_files)

# What the test before it has written, held against the published schema.
find_program(_report_python NAMES python3)
if(_report_python)
  add_test(NAME conformance.report.schema
           COMMAND "${_report_python}" "${CMAKE_CURRENT_SOURCE_DIR}/validate_report.py"
                   --python "${PROJECT_SOURCE_DIR}/.venv/bin/python"
                   "${PROJECT_SOURCE_DIR}/reports/report.schema.json" "${_report_folder}"
                   "${PROJECT_SOURCE_DIR}/reports/official")
  set_tests_properties(conformance.report.schema PROPERTIES FIXTURES_REQUIRED report_files
                                                            SKIP_RETURN_CODE 77)
endif()

# Files of JSON that people hand in.
add_executable(test_json_file test_json_file.c)
target_link_libraries(test_json_file PRIVATE conform_json PkgConfig::check Threads::Threads tvmffi_build_flags)
add_test(NAME conformance.json-file COMMAND test_json_file)
