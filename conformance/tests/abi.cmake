# SPDX-License-Identifier: Apache-2.0
add_executable(test_releases test_releases.c)
target_link_libraries(test_releases PRIVATE conform_abi PkgConfig::check tvmffi_build_flags)
add_test(NAME conformance.releases COMMAND test_releases)

# The sizes and offsets of other machines, by a compiler that knows them.
find_program(TVMFFI_CLANG NAMES clang-14 clang)
add_test(NAME conformance.abi_machines
         COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abi_machines.sh" "${TVMFFI_CLANG}" "${CMAKE_CURRENT_BINARY_DIR}/abi_machines"
                 "$<TARGET_PROPERTY:DLPack::DLPack,INTERFACE_INCLUDE_DIRECTORIES>")
set_tests_properties(conformance.abi_machines PROPERTIES SKIP_RETURN_CODE 77)
