# SPDX-License-Identifier: Apache-2.0
# The examples in ADDING.md are complete, so they are built and run.
set(_adding ${PROJECT_SOURCE_DIR}/conformance/ADDING.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_adding})
file(READ ${_adding} _page)

# Writes the code block behind `<!-- test: NAME -->` to a file.
function(extract_example name out)
  set(mark "<!-- test: ${name} -->\n```c\n")
  string(FIND "${_page}" "${mark}" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${_adding} has no example behind <!-- test: ${name} -->")
  endif()
  string(LENGTH "${mark}" length)
  math(EXPR start "${start} + ${length}")
  string(SUBSTRING "${_page}" ${start} -1 rest)
  string(FIND "${rest}" "\n```" end)
  string(SUBSTRING "${rest}" 0 ${end} code)
  file(CONFIGURE OUTPUT ${out} CONTENT "${code}\n" @ONLY)
endfunction()

# A worker whose battery is the one case of the page.
set(_case ${CMAKE_CURRENT_BINARY_DIR}/docs_case.c)
extract_example(case ${_case})
add_executable(docs_case_worker ${_case})
target_link_libraries(docs_case_worker
  PRIVATE conform_worker conform_battery conform_kernel conform_registry tvmffi_build_flags)
add_test(NAME docs.case
         COMMAND docs_case_worker --repro object.retaining-twice-adds-two
                 $<TARGET_FILE:tvm_ffi_shared>)
set_tests_properties(docs.case PROPERTIES PASS_REGULAR_EXPRESSION ": 4 expectations held, 0 did not")

# The mutant of the page fails the case of the page.
set(_mutant ${CMAKE_CURRENT_BINARY_DIR}/obj_3_counts_twice.c)
extract_example(mutant ${_mutant})
add_mutant(docs_mutant ${_mutant} ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME docs.mutant
         COMMAND docs_case_worker --repro object.retaining-twice-adds-two
                 $<TARGET_FILE:docs_mutant>)
set_tests_properties(docs.mutant PROPERTIES
  PASS_REGULAR_EXPRESSION "expected   strong 3, weak 1.*seen       strong 5, weak 1")

# What README shows is what the tool prints in a plain build; of a sanitized library it says that it is one.
# libfoo_ffi.so is a mutant, libadd_one.so a kernel that forgets byte_offset.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
if(NOT TVMFFI_SANITIZE)
  add_test(NAME docs.readme
           COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/harness/check_transcripts.py
                   --tool $<TARGET_FILE:tvmffi-conform>
                   --file libfoo_ffi.so=$<TARGET_FILE:mutant_err_24_never_cleared>
                   --file libadd_one.so=$<TARGET_FILE:kernel_add_one_offset>
                   --file add_one.json=${CMAKE_CURRENT_SOURCE_DIR}/kernels/add_one.json
                   ${PROJECT_SOURCE_DIR}/README.md)
endif()
