# SPDX-License-Identifier: Apache-2.0
# The official releases that tests use: those that runtimes.txt names.
#   TVMFFI_RELEASES        all, oldest first
#   TVMFFI_NEWEST_RELEASE  the last: the reference follows its headers
#   TVMFFI_OFFICIAL        the folder into which `make deps` unpacks them, one folder a release
set(_runtimes ${CMAKE_CURRENT_LIST_DIR}/runtimes.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_runtimes})
file(STRINGS ${_runtimes} TVMFFI_RELEASES REGEX "^[0-9]")
list(TRANSFORM TVMFFI_RELEASES STRIP)
list(GET TVMFFI_RELEASES -1 TVMFFI_NEWEST_RELEASE)
set(TVMFFI_OFFICIAL ${PROJECT_SOURCE_DIR}/.cache/official)
