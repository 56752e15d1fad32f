# SPDX-License-Identifier: Apache-2.0
# Kernels in C++, each made of one file in kernels_cpp/ with g++ against the headers of an official wheel, as people
# make theirs: no runtime is linked, the functions of whatever runtime they are loaded into are theirs. As with those in C
# (kernels.cmake), the second line of a file says what has to come of it. Where a wheel or g++ is not there, the tests
# are skipped.
#
# (Not with a worker that watches for data races: it can't see how the C++ library orders its threads. With one that
# watches memory, official runtimes are left out, whose end of the process takes it a minute in all.)
#
# (Nor for another machine, whose folder of libraries has none for C++.)
if(TVMFFI_SANITIZE MATCHES "thread" OR CMAKE_CROSSCOMPILING)
  return()
endif()

find_program(TVMFFI_GXX NAMES g++ c++)
set(_cpp_folder ${CMAKE_CURRENT_SOURCE_DIR}/kernels_cpp)
set(_cpp_modules "")

# find_headers(VERSION out): the folder, or "" where the wheel is not in the cache; it is looked for at each build.
function(find_headers version out)
  set(include ${TVMFFI_OFFICIAL}/${version}/tvm_ffi/include)
  file(GLOB found CONFIGURE_DEPENDS ${include}/tvm/ffi/function.h)
  if(found AND TVMFFI_GXX)
    set(${out} ${include} PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

# add_cpp_kernel(SOURCE VERSION name flags...): kernels_cpp/<name>.so against these headers, if they are there.
function(add_cpp_kernel source version name)
  find_headers(${version} include)
  if(NOT include)
    return()
  endif()
  set(module ${CMAKE_CURRENT_BINARY_DIR}/kernels_cpp/${name})
  add_custom_command(
    OUTPUT ${module}.so
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${TVMFFI_GXX} -std=c++17 -O0 -Wall -Wextra $<$<BOOL:${TVMFFI_WERROR}>:-Werror>
            -fPIC ${ARGN} -isystem ${include} -MMD -MT ${module}.so -MF ${module}.d -c ${source} -o ${module}.o
    COMMAND ${TVMFFI_GXX} -shared -pthread ${module}.o -o ${module}.so
    DEPENDS ${source}
    DEPFILE ${module}.d
    COMMENT "Building the kernel ${name} with the headers of ${version}"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  set(_cpp_modules ${_cpp_modules} ${module}.so PARENT_SCOPE)
endfunction()

# add_cpp_test(test SOURCE VERSION name [SIGNATURES|- [RUNTIME]])
function(add_cpp_test test source version name)
  find_headers(${version} include)
  if(include)
    add_test(NAME kernels-cpp.${test}
             COMMAND test_kernels ${CMAKE_CURRENT_BINARY_DIR}/kernels_cpp/${name}.so ${source} ${ARGN})
  else()
    add_test(NAME kernels-cpp.${test}
             COMMAND ${CMAKE_COMMAND} -E echo "skipped: no g++, or no headers of ${version}; `make deps` fetches them")
    set_tests_properties(kernels-cpp.${test} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
  endif()
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/kernels_cpp)

# The right ones, with headers from before there was metadata and from after, in the reference and in the runtime
# that the headers came with.
set(_right ${_cpp_folder}/right.cc)
foreach(_version IN ITEMS 0.1.0 0.1.9 ${TVMFFI_NEWEST_RELEASE})
  add_cpp_kernel(${_right} ${_version} right-${_version} -DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1)
  add_cpp_test(right-${_version} ${_right} ${_version} right-${_version} ${_cpp_folder}/right.json)
  if(NOT TVMFFI_SANITIZE)
    add_cpp_test(right-${_version}-official ${_right} ${_version} right-${_version} ${_cpp_folder}/right.json
                 ${TVMFFI_OFFICIAL}/${_version}/tvm_ffi/lib/libtvm_ffi.so)
  endif()
endforeach()
add_cpp_kernel(${_right} ${TVMFFI_NEWEST_RELEASE} right-plain)
add_cpp_test(right-without-metadata ${_right} ${TVMFFI_NEWEST_RELEASE} right-plain ${_cpp_folder}/right.json)
foreach(_version IN ITEMS 0.1.9 ${TVMFFI_NEWEST_RELEASE})
  add_cpp_test(right-${_version}-by-metadata ${_right} ${_version} right-${_version})
endforeach()

# The others, called as the kernels in C are, or as a file of their own says.
file(GLOB _cpp_files CONFIGURE_DEPENDS ${_cpp_folder}/*.cc)
list(REMOVE_ITEM _cpp_files ${_right})
foreach(_file IN LISTS _cpp_files)
  cmake_path(GET _file STEM _name)
  string(REGEX MATCH "^(add_one|enqueue|give|handle|make|pair|spelled|text)_" _called ${_name})
  string(REGEX REPLACE "_$" "" _called "${_called}")
  set(_signatures ${CMAKE_CURRENT_SOURCE_DIR}/kernels/${_called}.json)
  if(EXISTS ${_cpp_folder}/${_called}.json)
    set(_signatures ${_cpp_folder}/${_called}.json)
  endif()
  if(NOT _called)
    set(_signatures "")
  endif()
  add_cpp_kernel(${_file} ${TVMFFI_NEWEST_RELEASE} ${_name})
  add_cpp_test(${_name} ${_file} ${TVMFFI_NEWEST_RELEASE} ${_name} ${_signatures})
endforeach()

# Types that take one spelling, as metadata have them.
set(_spelled ${_cpp_folder}/spelled_right.cc)
add_cpp_kernel(${_spelled} ${TVMFFI_NEWEST_RELEASE} spelled-metadata -DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1)
add_cpp_test(spelled-by-metadata ${_spelled} ${TVMFFI_NEWEST_RELEASE} spelled-metadata)

add_custom_target(cpp_kernels ALL DEPENDS ${_cpp_modules})
add_dependencies(test_kernels cpp_kernels)
