# SPDX-License-Identifier: Apache-2.0
# Readers of untrusted bytes when memory runs out, over the seeds of their fuzzers. A sanitizer stands in for malloc
# itself.
if(NOT TVMFFI_SANITIZE)
  add_executable(test_memory test_memory.c)
  target_link_libraries(test_memory PRIVATE conform_report conform_archive conform_judge conform_plan
                                            PkgConfig::jansson tvmffi_build_flags)
  foreach(kind IN ITEMS baseline inspect metadata policy report signatures waivers)
    add_test(NAME conformance.memory.${kind}
             COMMAND test_memory ${kind} ${PROJECT_BINARY_DIR}/fuzz/seeds/${kind})
  endforeach()
endif()
