# SPDX-License-Identifier: Apache-2.0
# Small kernels (kernel_modules.cmake), and the program against them. The second line of a file says
# what has to come of it: that it passes, or the case that has to catch it. It is called as <stem>.json says, or as
# the longest other name of a .json file there that its own name begins with.
add_executable(test_kernels ${CMAKE_CURRENT_SOURCE_DIR}/test_kernels.c ${CMAKE_CURRENT_SOURCE_DIR}/tool.c)
target_compile_definitions(test_kernels PRIVATE
  TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}")
target_link_libraries(test_kernels
  PRIVATE conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
add_dependencies(test_kernels tvmffi-conform)

file(GLOB _signature_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.json)
list(SORT _signature_files)
foreach(_kernel IN LISTS _kernels)
  cmake_path(GET _kernel STEM _name)
  add_dependencies(test_kernels kernel_${_name})
  set(_signatures "")
  foreach(_file IN LISTS _signature_files)
    cmake_path(GET _file STEM _stem)
    string(FIND "${_name}" "${_stem}" _at)
    if(_at EQUAL 0)
      set(_signatures ${_file})
    endif()
  endforeach()
  add_test(NAME kernels.${_name}
           COMMAND test_kernels $<TARGET_FILE:kernel_${_name}> ${_kernel} ${_signatures})
endforeach()

# Calls that failed, as programs: compiled and run. A runtime with a sanitizer in it can't be loaded by one.
if(NOT TVMFFI_SANITIZE)
  add_executable(test_program ${CMAKE_CURRENT_SOURCE_DIR}/test_program.c ${CMAKE_CURRENT_SOURCE_DIR}/tool.c)
  target_compile_definitions(test_program PRIVATE
    TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}"
    COMPILER="${CMAKE_C_COMPILER}" HEADERS="${PROJECT_SOURCE_DIR}/reference/include"
    DLPACK="$<TARGET_PROPERTY:DLPack::DLPack,INTERFACE_INCLUDE_DIRECTORIES>"
    KERNELS="${CMAKE_CURRENT_SOURCE_DIR}/kernels" MODULES="${CMAKE_CURRENT_BINARY_DIR}/kernels"
    REFERENCE="$<TARGET_FILE:tvm_ffi_shared>")
  target_link_libraries(test_program
    PRIVATE conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
  add_dependencies(test_program test_kernels tvm_ffi_shared)
  add_test(NAME kernels.program COMMAND test_program)
endif()

add_executable(test_signature_probe ${CMAKE_CURRENT_SOURCE_DIR}/test_signature_probe.c)
target_link_libraries(test_signature_probe PRIVATE conform_plan PkgConfig::check tvmffi_build_flags)
add_test(NAME kernels.signature-probe COMMAND test_signature_probe)

# Both readers of metadata: what they take for JSON.
add_executable(test_kernel_json ${CMAKE_CURRENT_SOURCE_DIR}/test_kernel_json.c)
target_link_libraries(test_kernel_json
  PRIVATE conform_battery conform_kernel conform_run PkgConfig::check PkgConfig::jansson tvmffi_build_flags)
add_test(NAME kernels.json COMMAND test_kernel_json)

# Formulas of signature files.
add_executable(test_kernel_formula ${CMAKE_CURRENT_SOURCE_DIR}/test_kernel_formula.c)
target_link_libraries(test_kernel_formula
  PRIVATE conform_battery conform_kernel conform_run PkgConfig::check tvmffi_build_flags)
add_test(NAME kernels.formula COMMAND test_kernel_formula)
