# SPDX-License-Identifier: Apache-2.0
# Small kernels, each made of one file in kernels/: kernel_<stem>.
file(GLOB _kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.c)
# Not every C library has on_exit().
include(CheckFunctionExists)
check_function_exists(on_exit TVMFFI_LIBC_HAS_ON_EXIT)
if(NOT TVMFFI_LIBC_HAS_ON_EXIT)
  list(FILTER _kernels EXCLUDE REGEX "/add_one_leaves_handler[.]c$")
endif()
foreach(_kernel IN LISTS _kernels)
  cmake_path(GET _kernel STEM _name)
  add_library(kernel_${_name} MODULE ${_kernel})
  target_link_libraries(kernel_${_name} PRIVATE tvm_ffi_headers)
  target_compile_options(kernel_${_name} PRIVATE -Wall -Wextra)
  set_target_properties(kernel_${_name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${_name} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/kernels)
endforeach()
