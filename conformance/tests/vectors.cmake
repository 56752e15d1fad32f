# SPDX-License-Identifier: Apache-2.0
# The vectors: against the reader of library_bin, and as the tool writes them.
add_executable(test_library_bin test_library_bin.c)
target_compile_definitions(test_library_bin PRIVATE
  VECTORS_FOLDER="${PROJECT_SOURCE_DIR}/spec/vectors")
target_link_libraries(test_library_bin PRIVATE tvmffi_library_bin PkgConfig::jansson PkgConfig::check
                                               tvmffi_build_flags)
add_test(NAME conformance.library_bin COMMAND test_library_bin)

add_tool_test(vectors)
target_compile_definitions(test_vectors PRIVATE
  VECTORS_FOLDER="${PROJECT_SOURCE_DIR}/spec/vectors")
