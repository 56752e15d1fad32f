# SPDX-License-Identifier: Apache-2.0
# Fuzzing of foreign runtimes: its parts, then the verb on the reference, on mutants, and on runtimes with a flaw of
# each class.
add_executable(test_fuzz test_fuzz.c)
target_compile_definitions(test_fuzz PRIVATE
  FUZZ_FOLDER="${CMAKE_CURRENT_BINARY_DIR}" FUZZ_LIBRARIES="${PROJECT_BINARY_DIR}/bin/libraries")
target_link_libraries(test_fuzz PRIVATE conform_battery conform_kernel conform_campaign PkgConfig::check tvmffi_build_flags)
add_dependencies(test_fuzz brought_libraries)
add_test(NAME conformance.fuzz COMMAND test_fuzz)

# Runtimes with one flaw, each made of a file in fuzz/ and the reference. They, and the mutants beside them, are not
# built with a sanitizer's suite, which brings a malloc of its own.
if(NOT TVMFFI_SANITIZE)
  set(_flaw_folder ${PROJECT_BINARY_DIR}/flaws)
  add_executable(test_fuzz_verb test_fuzz_verb.c tool.c)
  foreach(_flaw IN ITEMS accepted context eater error hang heap in_part kept leak magic mapping memory places)
    add_mutant(flaw_${_flaw} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${_flaw}.c ${_flaw_folder})
    add_dependencies(test_fuzz_verb flaw_${_flaw})
  endforeach()
  foreach(_mutant IN ITEMS
      bin_1_library_is_root bin_3_library_has_to_be_first bin_4_called_twice bin_5_value_up_to_a_nul
      bin_6_empty_value_refused bin_7_kind_up_to_a_nul bin_9_children_from_the_last
      bin_12_every_module_is_imported bin_16_key_error bin_18_error_replaced bin_19_value_error bin_21_one_byte_more
      mod_80_left_open mod_80_modules_kept)
    add_dependencies(test_fuzz_verb mutant_${_mutant})
  endforeach()
  add_executable(test_fuzz_campaign test_fuzz_campaign.c)
  target_compile_definitions(test_fuzz_campaign PRIVATE
    WORKER="$<TARGET_FILE:tvmffi-conform-worker>" FLAW_FOLDER="${_flaw_folder}")
  target_link_libraries(test_fuzz_campaign PRIVATE
    conform_cases conform_battery conform_kernel conform_campaign PkgConfig::check tvmffi_build_flags)
  add_dependencies(test_fuzz_campaign tvmffi-conform-worker flaw_hang brought_libraries)
  add_test(NAME conformance.fuzz.campaign COMMAND test_fuzz_campaign)

  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fuzz_verb)
  target_compile_definitions(test_fuzz_verb PRIVATE
    TOOL_PROGRAM="$<TARGET_FILE:tvmffi-conform>" TOOL_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/fuzz_verb"
    REFERENCE="$<TARGET_FILE:tvm_ffi_shared>" MUTANT_FOLDER="${PROJECT_BINARY_DIR}/mutants"
    FLAW_FOLDER="${_flaw_folder}" HOSTILE_FOLDER="${PROJECT_BINARY_DIR}/hostile"
    FINDINGS="${PROJECT_SOURCE_DIR}/reports/fuzz"
    MODULE_FILE="$<TARGET_FILE:brought_node_1>" C_COMPILER="${CMAKE_C_COMPILER}"
    INCLUDES="-I ${PROJECT_SOURCE_DIR}/reference/include -I $<TARGET_PROPERTY:DLPack::DLPack,INTERFACE_INCLUDE_DIRECTORIES>")
  target_link_libraries(test_fuzz_verb PRIVATE conform_run PkgConfig::jansson PkgConfig::check tvmffi_build_flags)
  add_dependencies(test_fuzz_verb tvmffi-conform tvm_ffi_shared hostile_libraries brought_libraries)

  # The reference with the flaw magic, built to tell which places of its code are reached: all of it one way, the flaw
  # alone the other way.
  find_program(TVMFFI_CLANG NAMES clang-14 clang)
  if(TVMFFI_CLANG)
    get_target_property(_sources tvm_ffi_objects SOURCES)
    set(_magic ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/magic.c)
    set(_guards ${_flaw_folder}/magic_guards.so)
    set(_counters ${_flaw_folder}/magic_counters.so)
    set(_compile ${TVMFFI_CLANG} -O1 -fPIC -shared -std=gnu11 -D_GNU_SOURCE -Wl,--wrap=memcpy
      -I ${PROJECT_SOURCE_DIR}/reference/include -I ${PROJECT_SOURCE_DIR}/conformance
      -I $<TARGET_PROPERTY:DLPack::DLPack,INTERFACE_INCLUDE_DIRECTORIES> ${_magic})
    add_custom_command(OUTPUT ${_guards}
      COMMAND ${_compile} -fsanitize-coverage=edge,trace-pc-guard ${_sources} -o ${_guards} -lpthread -ldl
      DEPENDS ${_sources} ${_magic} VERBATIM)
    add_custom_command(OUTPUT ${_counters}
      COMMAND ${_compile} -fsanitize-coverage=edge,inline-8bit-counters,pc-table -o ${_counters}
              -Wl,--whole-archive $<TARGET_FILE:tvm_ffi_static> -Wl,--no-whole-archive -lpthread -ldl
      DEPENDS tvm_ffi_static ${_magic} VERBATIM)
    add_custom_target(flaw_magic_traced DEPENDS ${_guards} ${_counters})
    add_dependencies(test_fuzz_verb flaw_magic_traced)
    target_compile_definitions(test_fuzz_verb PRIVATE GUARDS="${_guards}" COUNTERS="${_counters}")
  endif()

  # What was found in the official runtime: it shows there still, and the reference has none of it.
  add_test(NAME conformance.fuzz.findings
           COMMAND tvmffi-conform fuzz --replay ${PROJECT_SOURCE_DIR}/reports/fuzz $<TARGET_FILE:tvm_ffi_shared>)
  add_test(NAME conformance.fuzz.findings-official
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/replay_official.sh $<TARGET_FILE:tvmffi-conform>
                   ${PROJECT_SOURCE_DIR}/reports/fuzz
                   ${TVMFFI_OFFICIAL}/${TVMFFI_NEWEST_RELEASE}/tvm_ffi/lib/libtvm_ffi.so)
  add_test(NAME conformance.fuzz.no-findings-official
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/replay_official.sh $<TARGET_FILE:tvmffi-conform>
                   ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/no_finding
                   ${TVMFFI_OFFICIAL}/${TVMFFI_NEWEST_RELEASE}/tvm_ffi/lib/libtvm_ffi.so none)
  set_tests_properties(conformance.fuzz.findings-official conformance.fuzz.no-findings-official
                       PROPERTIES SKIP_RETURN_CODE 77)

  add_test(NAME conformance.fuzz.verb COMMAND test_fuzz_verb)
  set_tests_properties(conformance.fuzz.verb PROPERTIES TIMEOUT 600)
endif()
