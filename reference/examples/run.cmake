# SPDX-License-Identifier: Apache-2.0
# Installs the reference, builds the examples against what lies there as a reader would, and compares what they
# print with what their first lines say; once with the reference and once with every library in RUNTIMES.
file(REMOVE_RECURSE ${STAGE})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGE} --config "${CONFIG}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PKG_CONFIG_PATH} ${STAGE}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --define-variable=prefix=${STAGE} --cflags --libs tvm_ffi
                OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")

# What a program prints stands in its leading comment, indented by three blanks, up to "Build".
function(promised_output program variable)
  file(STRINGS ${SOURCES}/${program}.c lines)
  set(text "")
  foreach(line IN LISTS lines)
    if(line MATCHES "Build" OR NOT line MATCHES "^//")
      break()
    elseif(line MATCHES "^//   (.*)$")
      string(APPEND text "${CMAKE_MATCH_1}\n")
    endif()
  endforeach()
  if(text STREQUAL "")
    message(FATAL_ERROR "${program}.c does not say what it prints")
  endif()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(compile ${CC} -std=c11 -Wall -Wextra -Wshadow -Werror -isystem ${DLPACK})
execute_process(COMMAND ${compile} -shared -fPIC -fvisibility=hidden ${SOURCES}/add_one_cpu.c ${flags}
                        -o ${STAGE}/add_one_cpu.so
                COMMAND_ERROR_IS_FATAL ANY)
set(programs load errors functions strings)
foreach(program IN LISTS programs)
  execute_process(COMMAND ${compile} ${SOURCES}/${program}.c ${flags} -o ${STAGE}/${program}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()

set(folders ${STAGE}/${LIBDIR})
set(official 0)
foreach(library IN LISTS RUNTIMES)
  if(EXISTS ${library})
    cmake_path(GET library PARENT_PATH folder)
    list(APPEND folders ${folder})
    math(EXPR official "${official} + 1")
  endif()
endforeach()
foreach(folder IN LISTS folders)
  set(ENV{LD_LIBRARY_PATH} ${folder})
  foreach(program IN LISTS programs)
    promised_output(${program} promised)
    execute_process(COMMAND ${STAGE}/${program} WORKING_DIRECTORY ${STAGE} OUTPUT_VARIABLE printed
                    ERROR_VARIABLE said RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR NOT printed STREQUAL promised)
      message(FATAL_ERROR "${program} with ${folder}: ended with ${status}, printed\n${printed}${said}"
                          "instead of\n${promised}")
    endif()
  endforeach()
endforeach()
message(STATUS "${official} official runtimes tried beside the reference")
