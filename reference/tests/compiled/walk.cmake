# SPDX-License-Identifier: Apache-2.0
# Compiles a program against the headers of an official runtime and runs it on ours.
#   cmake -D CXX=... -D HEADERS=... -D LIBRARY=... -D SOURCE=... -D PROGRAM=...
#         [-D ARGUMENT=...] -P walk.cmake
if(NOT CXX OR NOT EXISTS "${HEADERS}/tvm/ffi/container/dict.h")
  message("skipped: there is no C++ compiler, or no official headers in ${HEADERS}")
  return()
endif()

cmake_path(GET LIBRARY PARENT_PATH folder)
execute_process(COMMAND "${CXX}" -std=c++17 -O1 "-I${HEADERS}" "${SOURCE}" -o "${PROGRAM}"
                        "-L${folder}" -ltvm_ffi "-Wl,-rpath,${folder}"
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile and link: ${result}")
endif()
execute_process(COMMAND "${PROGRAM}" ${ARGUMENT} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "compiled code and the runtime disagree: ${result}")
endif()
