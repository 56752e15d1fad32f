# SPDX-License-Identifier: Apache-2.0
# The names in functions.def and functions_2025_09.def, for CMake. The C preprocessor reads the tables, so CMake lists
# what the compiler sees. A script (cmake -P) has to be given CMAKE_C_COMPILER.
#
# abi_read_functions() sets in the caller's scope; all names are without the prefix TVMFFI:
#   ABI_FUNCTIONS             every function, in the order of the table
#   ABI_FUNCTIONS_2025_09     those that the generation of September 2025 has, under the names they had then
#   ABI_RENAMED               those that have another name since then, under today's names
#   ABI_NOT_IN_2025_09        those that came later
#   ABI_SINCE_<name>          the first version that has the function, such as 0.1.13
#   ABI_RESULT_<name>         its result type, such as "const TVMFFIByteArray *"
#   ABI_PARAMETERS_<name>     its parameters, such as "(TVMFFIObjectHandle obj)"
#   ABI_FORMER_NAME_<name>    its name in September 2025; today's if it is the same, undefined if it came later
#
# abi_functions_after(VERSION variable), after that, sets `variable` to the functions that VERSION does not have.
include_guard()
cmake_policy(VERSION 3.25)
set(_abi_folder ${CMAKE_CURRENT_LIST_DIR})
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${_abi_folder}/functions.rows ${_abi_folder}/functions.def ${_abi_folder}/functions_2025_09.def)
endif()

macro(abi_read_functions)
  _abi_read_rows(_abi_rows)
  foreach(_abi_list IN ITEMS FUNCTIONS FUNCTIONS_2025_09 RENAMED NOT_IN_2025_09)
    set(ABI_${_abi_list} "")
  endforeach()
  foreach(_abi_row IN LISTS _abi_rows)
    if(_abi_row MATCHES "^@function[|]([^|]+)[|]([^|]+)[|]([^|]+)[|]([^|]+)[|]")
      set(_abi_name ${CMAKE_MATCH_1})
      list(APPEND ABI_FUNCTIONS ${_abi_name})
      set(ABI_RESULT_${_abi_name} "${CMAKE_MATCH_3}")
      set(ABI_PARAMETERS_${_abi_name} "${CMAKE_MATCH_4}")
      string(REPLACE " " "" ABI_SINCE_${_abi_name} ${CMAKE_MATCH_2})
      if(ABI_SINCE_${_abi_name} VERSION_GREATER 0.1.0)
        list(APPEND ABI_NOT_IN_2025_09 ${_abi_name})
      endif()
    elseif(_abi_row MATCHES "^@renamed[|]([^|]+)[|]([^|]+)[|]")
      list(APPEND ABI_RENAMED ${CMAKE_MATCH_1})
      set(ABI_FORMER_NAME_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    elseif(_abi_row MATCHES "^@not_yet[|]([^|]+)[|]")
      list(APPEND ABI_NOT_IN_2025_09 ${CMAKE_MATCH_1})
    endif()
  endforeach()
  foreach(_abi_name IN LISTS ABI_FUNCTIONS)
    if(NOT _abi_name IN_LIST ABI_NOT_IN_2025_09)
      if(NOT _abi_name IN_LIST ABI_RENAMED)
        set(ABI_FORMER_NAME_${_abi_name} ${_abi_name})
      endif()
      list(APPEND ABI_FUNCTIONS_2025_09 ${ABI_FORMER_NAME_${_abi_name}})
    endif()
  endforeach()
endmacro()

function(abi_functions_after version variable)
  set(after "")
  foreach(name IN LISTS ABI_FUNCTIONS)
    if(ABI_SINCE_${name} VERSION_GREATER ${version})
      list(APPEND after ${name})
    endif()
  endforeach()
  set(${variable} "${after}" PARENT_SCOPE)
endfunction()

# One row an element, as functions.rows writes them.
function(_abi_read_rows variable)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -E -P -x c ${_abi_folder}/functions.rows
                  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  string(REGEX REPLACE " *[|] *" "|" text "${text}")
  string(REGEX MATCHALL "@[^@]+" rows "${text}")
  if(NOT rows)
    message(FATAL_ERROR "abi/functions.rows: no functions found")
  endif()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()
