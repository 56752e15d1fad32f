# SPDX-License-Identifier: Apache-2.0
# Kernels whose metadata are not what they should be, each made of one file in kernels_metadata/: what the second line
# says comes of them, called as a signature file says; and the third says in which words `signatures` complains.
add_executable(test_signatures ${CMAKE_CURRENT_SOURCE_DIR}/test_signatures.c ${CMAKE_CURRENT_SOURCE_DIR}/tool.c)
target_compile_definitions(test_signatures PRIVATE
  TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}")
target_link_libraries(test_signatures
  PRIVATE conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
add_dependencies(test_signatures tvmffi-conform)

set(_signature_file ${CMAKE_CURRENT_SOURCE_DIR}/kernels/add_one.json)
file(GLOB _kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels_metadata/*.c)
foreach(_kernel IN LISTS _kernels)
  cmake_path(GET _kernel STEM _name)
  add_library(metadata_${_name} MODULE ${_kernel})
  target_link_libraries(metadata_${_name} PRIVATE tvm_ffi_headers)
  target_compile_options(metadata_${_name} PRIVATE -Wall -Wextra)
  set_target_properties(metadata_${_name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${_name} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/kernels_metadata)
  add_dependencies(test_signatures metadata_${_name})
  set(_module $<TARGET_FILE:metadata_${_name}>)
  add_test(NAME signatures.${_name} COMMAND test_signatures ${_module} ${_kernel} ${_signature_file})
  add_test(NAME kernels-metadata.${_name} COMMAND test_kernels ${_module} ${_kernel} ${_signature_file})
endforeach()
