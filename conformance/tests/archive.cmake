# SPDX-License-Identifier: Apache-2.0
add_executable(test_archive test_archive.c)
target_link_libraries(test_archive PRIVATE conform_archive PkgConfig::libarchive PkgConfig::check
                                           tvmffi_build_flags)
add_test(NAME conformance.archive COMMAND test_archive)
