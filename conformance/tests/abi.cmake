# SPDX-License-Identifier: Apache-2.0
add_executable(test_releases test_releases.c)
target_link_libraries(test_releases PRIVATE conform_abi PkgConfig::check tvmffi_build_flags)
add_test(NAME conformance.releases COMMAND test_releases)
