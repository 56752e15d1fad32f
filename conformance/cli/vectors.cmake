# SPDX-License-Identifier: Apache-2.0
# Puts the vectors of the specification into a source file, so that the program has them wherever it lies.
set(VECTORS_FILES any.json any.schema.json dtype.json dtype.schema.json library_bin.json
                  library_bin.schema.json)

# vectors_source(OUT): the name of a source file that holds VECTORS_FILES, made in the build folder.
function(vectors_source out)
  set(symbols "")
  set(rows "")
  set(paths "")
  foreach(file IN LISTS VECTORS_FILES)
    string(MAKE_C_IDENTIFIER "vectors_${file}" symbol)
    set(path "${PROJECT_SOURCE_DIR}/spec/vectors/${file}")
    list(APPEND paths "${path}")
    string(APPEND symbols "INCLUDE(${symbol}, \"${path}\")\n")
    string(APPEND rows "    {\"${file}\", ${symbol}, ${symbol}_end},\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/vectors.c")
  configure_file("${PROJECT_SOURCE_DIR}/conformance/cli/vectors.c.in" "${source}" @ONLY)
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${paths}")
  set(${out} "${source}" PARENT_SCOPE)
endfunction()
