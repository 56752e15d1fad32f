# SPDX-License-Identifier: Apache-2.0
# test_report_sample.c links the writers, too: the same hand-made run serves the tests of judge/ and of report/.
foreach(test IN ITEMS judge waivers)
  add_executable(test_${test} test_${test}.c test_report_sample.c)
  set(_judge_folder "${CMAKE_CURRENT_BINARY_DIR}/${test}")
  file(MAKE_DIRECTORY "${_judge_folder}")
  target_compile_definitions(test_${test} PRIVATE REPORT_TEST_FOLDER="${_judge_folder}")
  target_link_libraries(test_${test} PRIVATE conform_report PkgConfig::jansson PkgConfig::check
                                             tvmffi_build_flags)
  add_test(NAME conformance.${test} COMMAND test_${test})
endforeach()
