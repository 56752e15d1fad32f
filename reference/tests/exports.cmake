# SPDX-License-Identifier: Apache-2.0
# Checks what the shared library exports: every function of abi/functions.def, each declared in a public header,
# our own extension, and nothing else. Checks its soname, too. With -DGENERATION=2025-09 the library is
# the runtime of that generation, with the functions and names of abi/functions_2025_09.def.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../conformance/abi/functions.cmake)
abi_read_functions()
if(GENERATION STREQUAL "2025-09")
  set(due ${ABI_FUNCTIONS_2025_09})
else()
  set(due ${ABI_FUNCTIONS})
endif()
list(TRANSFORM due PREPEND TVMFFI)
# Our own extension, and what classes of C++ need that are compiled from the official headers.
list(APPEND due tvmffi_module_create tvmffi_module_save_to_bytes)
set(cxx
  _ZN3tvm3ffi9ModuleObj12ClearImportsEv _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE
  _ZTIN3tvm3ffi9ModuleObjE _ZTVN3tvm3ffi9ModuleObjE)
list(APPEND due ${cxx})
list(SORT due)

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^[^ ]* . " "")
list(SORT symbols)
if(NOT symbols STREQUAL due)
  message(FATAL_ERROR "exported:\n  ${symbols}\nbut due are:\n  ${due}")
endif()

file(READ ${HEADERS}/c_api.h header)
foreach(name IN ITEMS c_env_api c_module c_names_2025_09)
  file(READ ${HEADERS}/extra/${name}.h more)
  string(APPEND header "${more}")
endforeach()
list(REMOVE_ITEM symbols ${cxx})
# The header of the older names holds the pairs of the table and no others.
file(STRINGS ${HEADERS}/extra/c_names_2025_09.h renamed REGEX "^#define TVMFFI")
set(due_renamed "")
foreach(name IN LISTS ABI_RENAMED)
  list(APPEND due_renamed "#define TVMFFI${name} TVMFFI${ABI_FORMER_NAME_${name}}")
endforeach()
if(NOT renamed STREQUAL due_renamed)
  message(FATAL_ERROR "c_names_2025_09.h has\n  ${renamed}\nbut functions_2025_09.def has\n  ${due_renamed}")
endif()
foreach(symbol IN LISTS symbols)
  if(NOT header MATCHES "[ *]${symbol}(\\(|\n)")
    message(FATAL_ERROR "${symbol} is exported, but no public header declares it")
  endif()
endforeach()

execute_process(COMMAND ${READELF} -d ${LIBRARY}
                OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[libtvm_ffi\\.so\\]")
  message(FATAL_ERROR "the soname is not libtvm_ffi.so:\n${dynamic}")
endif()
