# SPDX-License-Identifier: Apache-2.0
# Kernels that launch work through the CUDA driver's API, judged with --device against a stand-in for the driver's
# library: no device is needed, and none is used. What has to come of each is on its second line, as in kernels/.
add_library(standin_cuda MODULE ${CMAKE_CURRENT_SOURCE_DIR}/standin_cuda/standin_cuda.c)
target_link_libraries(standin_cuda PRIVATE Threads::Threads tvmffi_build_flags)
set(_standin ${CMAKE_CURRENT_BINARY_DIR}/standin_cuda)
set_target_properties(standin_cuda PROPERTIES PREFIX "lib" OUTPUT_NAME cuda SUFFIX .so.1
  LIBRARY_OUTPUT_DIRECTORY ${_standin})
target_link_options(standin_cuda PRIVATE -Wl,-soname,libcuda.so.1)
add_dependencies(test_kernels standin_cuda)

set(_folder ${CMAKE_CURRENT_SOURCE_DIR}/kernels_device)
file(GLOB _kernels CONFIGURE_DEPENDS ${_folder}/*.c)
foreach(_kernel IN LISTS _kernels)
  cmake_path(GET _kernel STEM _name)
  add_library(kernel_device_${_name} MODULE ${_kernel})
  target_link_libraries(kernel_device_${_name} PRIVATE tvm_ffi_headers ${CMAKE_DL_LIBS})
  target_compile_options(kernel_device_${_name} PRIVATE -Wall -Wextra)
  set_target_properties(kernel_device_${_name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${_name} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/kernels_device)
  add_dependencies(test_kernels kernel_device_${_name})
  add_test(NAME kernels_device.${_name}
           COMMAND test_kernels $<TARGET_FILE:kernel_device_${_name}> ${_kernel} ${_folder}/add_one.json - cuda:0)
  set_tests_properties(kernels_device.${_name} PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${_standin}")
endforeach()

add_executable(test_device ${CMAKE_CURRENT_SOURCE_DIR}/test_device.c ${CMAKE_CURRENT_SOURCE_DIR}/tool.c)
target_compile_definitions(test_device PRIVATE
  TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}"
  KERNEL="$<TARGET_FILE:kernel_device_right>" SIGNATURES="${_folder}/add_one.json" STANDIN="${_standin}")
target_link_libraries(test_device
  PRIVATE conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
add_dependencies(test_device tvmffi-conform standin_cuda kernel_device_right)
add_test(NAME kernels_device.unreachable COMMAND test_device)
