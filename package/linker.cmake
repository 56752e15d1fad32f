# SPDX-License-Identifier: Apache-2.0
# What not every linker can: that of zig, with which wheels are made, has neither of the first two options.
include(CheckLinkerFlag)
check_linker_flag(C -Wl,--export-dynamic-symbol=main TVMFFI_LINKER_EXPORTS_ONE)
check_linker_flag(C -Wl,-z,separate-code TVMFFI_LINKER_SEPARATES_CODE)
check_linker_flag(C -fuse-ld=gold TVMFFI_LINKER_GOLD)

# export_symbols(TARGET SCOPE NAME...): functions of a program that the libraries which it loads see. They are visible by
# their attribute, and little else is: where a linker can't export one of them it exports all that is visible.
function(export_symbols target scope)
  if(NOT TVMFFI_LINKER_EXPORTS_ONE)
    target_link_options(${target} ${scope} -rdynamic)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND -Wl,--export-dynamic-symbol=)
  target_link_options(${target} ${scope} ${ARGN})
endfunction()
