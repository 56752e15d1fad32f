# SPDX-License-Identifier: Apache-2.0
# Installs the reference into a folder of its own, and builds and runs a program against what lies
# there: in strict C11, with the flags that pkg-config gives, with the shared and the static library.
file(REMOVE_RECURSE ${STAGE})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${STAGE} --config "${CONFIG}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE headers RELATIVE ${STAGE}/include ${STAGE}/include/*.h)
if(NOT headers STREQUAL "tvm/ffi/c_api.h;tvm/ffi/extra/c_env_api.h;tvm/ffi/extra/c_module.h;tvm/ffi/extra/c_names_2025_09.h;\
tvmffi-conform/dlpack/dlpack.h")
  message(FATAL_ERROR "installed headers: ${headers}")
endif()

set(ENV{PKG_CONFIG_PATH} ${STAGE}/${LIBDIR}/pkgconfig)
function(pkg_config output)
  execute_process(COMMAND ${PKG_CONFIG} --define-variable=prefix=${STAGE} ${ARGN} tvm_ffi
                  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${output} ${flags} PARENT_SCOPE)
endfunction()
pkg_config(cflags --cflags)
pkg_config(shared --libs)

set(compile ${CC} -std=c11 -Wall -Wextra -Wpedantic -Werror ${cflags} ${SOURCE})
execute_process(COMMAND ${compile} -o ${STAGE}/shared ${shared} COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} ${STAGE}/${LIBDIR})
execute_process(COMMAND ${STAGE}/shared COMMAND_ERROR_IS_FATAL ANY)

set(archive ${STAGE}/${LIBDIR}/libtvm_ffi.a -pthread)
execute_process(COMMAND ${compile} -o ${STAGE}/static ${archive} COMMAND_ERROR_IS_FATAL ANY)
unset(ENV{LD_LIBRARY_PATH})
execute_process(COMMAND ${STAGE}/static COMMAND_ERROR_IS_FATAL ANY)
