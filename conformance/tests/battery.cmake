# SPDX-License-Identifier: Apache-2.0
# The suite against real implementations: the reference, every mutant of it, and official releases.
set(tool $<TARGET_FILE:tvmffi-conform>)

add_test(NAME battery.reference COMMAND ${tool} --strict $<TARGET_FILE:tvm_ffi_shared>)
add_test(NAME battery.reference-exec
         COMMAND ${tool} --strict --isolation exec --filter "any.*" $<TARGET_FILE:tvm_ffi_shared>)
add_test(NAME battery.self-test COMMAND ${tool} self-test)
# Some mutants: by a name, and all of a clause.
add_test(NAME battery.self-test-some COMMAND ${tool} self-test ver_1_missing ver-4)
set_tests_properties(battery.self-test-some PROPERTIES PASS_REGULAR_EXPRESSION "mutants: 3 of 3 killed\n")
add_test(NAME battery.reference-2025-09 COMMAND ${tool} --strict $<TARGET_FILE:tvm_ffi_2025_09>)
add_test(NAME battery.self-test-2025-09 COMMAND ${tool} self-test --abi 2025-09)
set_tests_properties(battery.self-test battery.self-test-2025-09 PROPERTIES TIMEOUT 600)

# The releases named in harness/runtimes.txt, from the cache that `make deps` fills. What fails there is known,
# explained in reports/ and waived; anything else is a failure of this test.
set(releases ${TVMFFI_RELEASES})
# (Not with a worker that watches for data races: it can't see how a library orders its threads that was not built
# for being watched.)
if(TVMFFI_SANITIZE MATCHES "thread")
  set(releases "")
endif()
foreach(release IN LISTS releases)
  add_test(NAME battery.official-${release}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/judge_release.sh ${tool}
                   ${TVMFFI_OFFICIAL}/${release}/tvm_ffi/lib/libtvm_ffi.so
                   ${PROJECT_SOURCE_DIR}/reports/waivers/official.json)
  set_tests_properties(battery.official-${release} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
