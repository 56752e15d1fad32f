# SPDX-License-Identifier: Apache-2.0
# Sanitized builds keep the sanitizer's open().
if(NOT TVMFFI_SANITIZE)
  add_executable(test_debug_files test_debug_files.c ../worker/debug_files.c)
  target_link_options(test_debug_files PRIVATE
    -Wl,--export-dynamic-symbol=open,--export-dynamic-symbol=open64)
  target_link_libraries(test_debug_files PRIVATE PkgConfig::check tvmffi_build_flags
                                                 ${CMAKE_DL_LIBS})
  add_test(NAME conformance.debug-files COMMAND test_debug_files)
endif()

# So do they keep its malloc().
if(NOT TVMFFI_SANITIZE)
  add_executable(test_faults test_faults.c ../battery/faults.c ../battery/faults_malloc.c)
  foreach(name IN ITEMS malloc calloc realloc memalign aligned_alloc posix_memalign free)
    target_link_options(test_faults PRIVATE -Wl,--export-dynamic-symbol=${name})
  endforeach()
  target_include_directories(test_faults PRIVATE ${PROJECT_SOURCE_DIR}/conformance)
  target_link_libraries(test_faults PRIVATE PkgConfig::check Threads::Threads tvmffi_build_flags
                                            ${CMAKE_DL_LIBS})
  add_test(NAME conformance.faults COMMAND test_faults)
endif()
