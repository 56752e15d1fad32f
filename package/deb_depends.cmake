# SPDX-License-Identifier: Apache-2.0
# Read by CPack: the packages that the program needs, as dpkg-shlibdeps tells them. CPack itself would ask about every
# library that is installed, and one of those that cases load wants another that is not there, and must.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_SHLIBDEPS)
  message(FATAL_ERROR "dpkg-shlibdeps is not there; Debian has it in the package dpkg-dev")
endif()
set(folder ${CPACK_PACKAGE_DIRECTORY}/depends)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${folder}/debian/control "Source: tvmffi-conform\n\nPackage: tvmffi-conform\nArchitecture: any\n")
execute_process(COMMAND ${DPKG_SHLIBDEPS} -O ${CPACK_TVMFFI_ELF_FILES} WORKING_DIRECTORY ${folder}
                OUTPUT_VARIABLE depends ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT depends MATCHES "^shlibs:Depends=([^\n]+)")
  message(FATAL_ERROR "dpkg-shlibdeps: ${status}\n${depends}${said}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
