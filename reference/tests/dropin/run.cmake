# SPDX-License-Identifier: Apache-2.0
# Compiles a C++ module against the headers of an official runtime, and has it driven by the same
# program on that runtime and on ours: what is printed is what printed.txt says, both times.
if(NOT CXX OR NOT EXISTS "${OFFICIAL}/include/tvm/ffi/function.h")
  message("skipped: there is no C++ compiler, or no official runtime in ${OFFICIAL}")
  return()
endif()

file(REMOVE_RECURSE ${STAGE})
file(MAKE_DIRECTORY ${STAGE})
cmake_path(GET LIBRARY PARENT_PATH ours)
execute_process(COMMAND ${CXX} -std=c++17 -O1 -shared -fPIC -fvisibility=hidden
                        -DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1 -I${OFFICIAL}/include
                        ${SOURCES}/module.cc -o ${STAGE}/module.so
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CC} -std=gnu11 -Wall -Wextra -Wshadow -Werror -I${HEADERS}
                        -isystem ${OFFICIAL}/include ${SOURCES}/driver.c -o ${STAGE}/driver
                        -L${ours} -ltvm_ffi
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CC} -std=gnu11 -shared -fPIC -fvisibility=hidden -I${HEADERS}
                        -isystem ${OFFICIAL}/include ${EXAMPLES}/add_one_cpu.c
                        -o ${STAGE}/add_one_cpu.so
                COMMAND_ERROR_IS_FATAL ANY)

file(READ ${SOURCES}/printed.txt promised)
foreach(folder IN ITEMS ${OFFICIAL}/lib ${ours})
  set(ENV{LD_LIBRARY_PATH} ${folder})
  execute_process(COMMAND ${STAGE}/driver ${STAGE}/module.so OUTPUT_VARIABLE printed
                  ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT printed STREQUAL promised)
    message(FATAL_ERROR "with the runtime in ${folder}: ended with ${status}, printed\n"
                        "${printed}${said}instead of\n${promised}")
  endif()
endforeach()
