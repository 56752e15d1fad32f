# SPDX-License-Identifier: Apache-2.0

# add_unit_test(PROGRAM NAME TEST [SOURCES FILE...] [LIBRARIES LIBRARY...] [DEFINITIONS NAME=VALUE...] [NEEDS TARGET...])
# A Check program made of PROGRAM.c and SOURCES, run as the test TEST; NEEDS are built before it.
function(add_unit_test program)
  cmake_parse_arguments(UNIT "" NAME "SOURCES;LIBRARIES;DEFINITIONS;NEEDS" ${ARGN})
  add_unit_test_program(${program} SOURCES ${UNIT_SOURCES} LIBRARIES ${UNIT_LIBRARIES}
                        DEFINITIONS ${UNIT_DEFINITIONS} NEEDS ${UNIT_NEEDS})
  add_test(NAME ${UNIT_NAME} COMMAND ${program})
endfunction()

# The program alone: its tests are runs with different arguments.
function(add_unit_test_program program)
  cmake_parse_arguments(UNIT "" "" "SOURCES;LIBRARIES;DEFINITIONS;NEEDS" ${ARGN})
  add_executable(${program} ${program}.c ${UNIT_SOURCES})
  target_compile_definitions(${program} PRIVATE ${UNIT_DEFINITIONS})
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/conformance)
  target_link_libraries(${program} PRIVATE ${UNIT_LIBRARIES} PkgConfig::check tvmffi_build_flags)
  if(UNIT_NEEDS)
    add_dependencies(${program} ${UNIT_NEEDS})
  endif()
endfunction()
