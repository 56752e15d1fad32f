# SPDX-License-Identifier: Apache-2.0
# Checks that the shared library, stripped of what no loader needs, is smaller than LIMIT bytes; with OBJECTS, that
# one of these object files alone is.
#
#   cmake -D STRIP=... -D LIBRARY=... -D STRIPPED=where-to -D LIMIT=bytes
#         [-D CMAKE_C_COMPILER=... -D OBJECTS=list] -P size.cmake
set(what "${LIBRARY}")
if(OBJECTS)
  string(APPEND what " without its frontend")
  set(LIBRARY ${STRIPPED}.so)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -shared -o ${LIBRARY} ${OBJECTS} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${STRIP} -o ${STRIPPED} ${LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${STRIPPED} size)
if(NOT size LESS LIMIT)
  message(FATAL_ERROR "${what} has ${size} bytes when it is stripped; due are less than ${LIMIT}")
endif()
message(STATUS "${size} bytes, less than ${LIMIT}")
