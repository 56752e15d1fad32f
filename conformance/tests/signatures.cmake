# SPDX-License-Identifier: Apache-2.0
# What is known of how functions are called: signature files, read and written, and the metadata of modules.
foreach(test IN ITEMS signature_file signature_write signature_words signature_metadata)
  add_executable(test_${test} test_${test}.c)
  target_link_libraries(test_${test} PRIVATE conform_plan PkgConfig::check tvmffi_build_flags)
  string(REPLACE _ . name ${test})
  add_test(NAME conformance.${name} COMMAND test_${test})
endforeach()
target_sources(test_signature_file PRIVATE signature_text.c)
target_sources(test_signature_write PRIVATE signature_text.c)
