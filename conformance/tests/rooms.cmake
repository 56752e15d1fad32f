# SPDX-License-Identifier: Apache-2.0
# Who may include whom: the table of rooms in a README is the law.
find_program(ROOMS_PYTHON NAMES python3)
if(ROOMS_PYTHON)
  add_test(NAME project.rooms
    COMMAND ${ROOMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/rooms/check_rooms.py ${PROJECT_SOURCE_DIR}/conformance/README.md)
  add_test(NAME project.rooms-are-checked
    COMMAND ${ROOMS_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/rooms/test_check_rooms.py)
endif()
