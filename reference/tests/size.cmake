# SPDX-License-Identifier: Apache-2.0
# Checks that the shared library, stripped of what no loader needs, is smaller than LIMIT bytes.
#
#   cmake -D STRIP=... -D LIBRARY=... -D STRIPPED=where-to -D LIMIT=bytes -P size.cmake
execute_process(COMMAND ${STRIP} -o ${STRIPPED} ${LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${STRIPPED} size)
if(NOT size LESS LIMIT)
  message(FATAL_ERROR "${LIBRARY} has ${size} bytes when it is stripped; due are less than ${LIMIT}")
endif()
message(STATUS "${size} bytes, less than ${LIMIT}")
