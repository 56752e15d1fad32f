# SPDX-License-Identifier: Apache-2.0
# Compiles a program against the headers of an official runtime and runs it on ours.
#   cmake -D CXX=... -D HEADERS=... -D LIBRARY=... -D SOURCE=... -D PROGRAM=...
#         [-D ARGUMENT=...] [-D MACHINE=...] -P walk.cmake
# MACHINE, of a build for another machine, is what its programs are run with; its compiler has a C library for them.
if(NOT CXX OR NOT EXISTS "${HEADERS}/tvm/ffi/container/dict.h")
  message("skipped: there is no C++ compiler, or no official headers in ${HEADERS}")
  return()
endif()

cmake_path(GET LIBRARY PARENT_PATH folder)
set(path ${folder})
set(flags "")
set(run "")
if(MACHINE)
  execute_process(COMMAND "${CXX}" -print-file-name=libc.so.6 OUTPUT_VARIABLE library
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(REAL_PATH "${library}" library)
  cmake_path(GET library PARENT_PATH libraries)
  cmake_path(GET libraries PARENT_PATH root)
  file(GLOB loader "${libraries}/ld-linux*.so.*" "${libraries}/ld64.so.*")
  list(GET MACHINE 0 run)
  if(run MATCHES "qemu")
    set(run ${run} -L ${root})
  else()
    set(path ${folder}:${libraries})
    set(flags "-Wl,--dynamic-linker=${loader}")
  endif()
endif()
execute_process(COMMAND "${CXX}" -std=c++17 -O0 "-I${HEADERS}" "${SOURCE}" -o "${PROGRAM}"
                        "-L${folder}" -ltvm_ffi "-Wl,-rpath,${path}" ${flags}
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile and link: ${result}")
endif()
execute_process(COMMAND ${run} "${PROGRAM}" ${ARGUMENT} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "compiled code and the runtime disagree: ${result}")
endif()
