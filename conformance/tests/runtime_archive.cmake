# SPDX-License-Identifier: Apache-2.0
# Runtimes that are the reference but for some functions: an archive of it, in which those have another name, and the
# functions of the test in their place.

# add_runtime_archive(KIND LIBRARY FUNCTION...): the archive KIND of a static library, in which each TVMFFI<FUNCTION> is
# called reference_TVMFFI<FUNCTION>. Debug information is left out: it would be in each of the many libraries.
function(add_runtime_archive kind library)
  set(archive ${PROJECT_BINARY_DIR}/conformance/tests/archives/${kind}_reference.a)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/conformance/tests/archives)
  list(TRANSFORM ARGN REPLACE ".+" "--redefine-sym;TVMFFI\\0=reference_TVMFFI\\0")
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${OBJCOPY} --strip-debug ${ARGN} $<TARGET_FILE:${library}> ${archive}
    DEPENDS ${library}
    VERBATIM)
  add_custom_target(${kind}_archive DEPENDS ${archive})
endfunction()

# link_runtime_archive(TARGET KIND): links all of the archive, and again when it changes.
function(link_runtime_archive target kind)
  set(archive ${PROJECT_BINARY_DIR}/conformance/tests/archives/${kind}_reference.a)
  add_dependencies(${target} ${kind}_archive)
  target_link_libraries(${target} PRIVATE
    tvm_ffi_headers Threads::Threads "-Wl,--whole-archive,${archive},--no-whole-archive")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${archive})
endfunction()
