# SPDX-License-Identifier: Apache-2.0
# The libraries that the tests of inspect/ look at. None has the project's own flags: a sanitizer
# that is on for the tests must not show up in them.
function(add_inspect_fixture name source soname)
  add_library(${name} SHARED fixtures/${source})
  set_target_properties(${name} PROPERTIES NO_SONAME ON)
  target_link_options(${name} PRIVATE -Wl,-soname,${soname} -Wl,--build-id=sha1
                                      -Wl,--no-as-needed ${ARGN})
endfunction()

add_inspect_fixture(inspect_fixture_runtime inspect_runtime.c libinspect_runtime.so.1
                    -Wl,--hash-style=gnu)
add_inspect_fixture(inspect_fixture_stripped inspect_runtime.c libinspect_runtime.so.1
                    -Wl,--hash-style=sysv -Wl,-s)
add_inspect_fixture(inspect_fixture_sanitizer inspect_sanitizer.c libubsan.so.1)
add_inspect_fixture(inspect_fixture_module inspect_module.c libinspect_module.so)
target_link_libraries(inspect_fixture_module PRIVATE inspect_fixture_runtime
                                                     inspect_fixture_sanitizer)
# It must export nothing, not even what a compiler links to it: the runtime of gcov would be exported.
add_inspect_fixture(inspect_fixture_importer inspect_importer.c libinspect_importer.so
                    -Wl,--hash-style=gnu -Wl,-s -Wl,--exclude-libs,ALL)

foreach(fixture IN ITEMS runtime stripped module importer)
  list(APPEND _inspect_fixtures inspect_fixture_${fixture})
  list(APPEND _inspect_definitions
       INSPECT_FIXTURE_${fixture}="$<TARGET_FILE:inspect_fixture_${fixture}>")
endforeach()

foreach(test IN ITEMS inspect inspect_files inspect_hostile inspect_rare)
  add_executable(test_${test} test_${test}.c inspect_bytes.c inspect_foreign.c)
  target_compile_definitions(test_${test} PRIVATE ${_inspect_definitions})
  target_link_libraries(test_${test} PRIVATE conform_inspect PkgConfig::libelf PkgConfig::check
                                             tvmffi_build_flags ${CMAKE_DL_LIBS})
  add_dependencies(test_${test} ${_inspect_fixtures})
  string(REPLACE _ . _inspect_name ${test})
  add_test(NAME conformance.${_inspect_name} COMMAND test_${test})
endforeach()

# The real thing, where it is built: a reference runtime, cut and changed.
if(TARGET tvm_ffi_shared)
  add_dependencies(test_inspect_hostile tvm_ffi_shared)
  target_compile_definitions(test_inspect_hostile
                             PRIVATE INSPECT_REFERENCE="$<TARGET_FILE:tvm_ffi_shared>")
endif()
