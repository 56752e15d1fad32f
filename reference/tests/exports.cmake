# SPDX-License-Identifier: Apache-2.0
# Checks what the shared library shows the world: functions of the public headers, all those of the
# chapters it implements, nothing else; and the soname by which programs ask for it. With
# -DGENERATION=2025-09 it is the runtime of that generation: what came later is not there, and three
# functions have the names that they had.
set(due
  AnyViewToOwnedAny Backtrace BigIntFromByteArray BigIntGetContentByteArray BytesFromByteArray
  DataTypeFromString DataTypeToString EnvCheckSignals EnvGetDLPackManagedTensorAllocator
  EnvGetStream EnvModLookupFromImports EnvModRegisterContextSymbol
  EnvModRegisterSystemLibSymbol EnvRegisterCAPI EnvSetDLPackManagedTensorAllocator EnvSetStream EnvTensorAlloc
  ErrorCreate ErrorCreateWithCauseAndExtraContext ErrorMoveFromRaised ErrorSetRaised
  ErrorSetRaisedFromCStr ErrorSetRaisedFromCStrParts FunctionCall FunctionCreate FunctionGetGlobal
  FunctionSetGlobal FunctionSetGlobalFromMethodInfo GetCustomAllocator GetTypeAttrColumn GetTypeInfo
  GetVersion HandleDeinitOnce HandleInitOnce ObjectCreateOpaque ObjectDecRef ObjectIncRef
  SetCustomAllocator StringFromByteArray TensorCreateUnsafeView TensorFromDLPack
  TensorFromDLPackVersioned TensorToDLPack TensorToDLPackVersioned TypeGetOrAllocIndex
  TypeKeyToIndex TypeRegisterAttr TypeRegisterField TypeRegisterMetadata TypeRegisterMethod)
if(GENERATION STREQUAL "2025-09")
  list(REMOVE_ITEM due BigIntFromByteArray BigIntGetContentByteArray EnvTensorAlloc
    ErrorCreateWithCauseAndExtraContext ErrorSetRaisedFromCStrParts GetCustomAllocator GetVersion
    HandleDeinitOnce HandleInitOnce SetCustomAllocator TensorCreateUnsafeView)
  list(TRANSFORM due REPLACE "^Backtrace$" Traceback)
  list(TRANSFORM due REPLACE "DLPackManagedTensorAllocator$" TensorAllocator)
endif()
list(TRANSFORM due PREPEND TVMFFI)
# Our own extension, and what classes of C++ need that are compiled from the official headers.
list(APPEND due tvmffi_module_create tvmffi_module_save_to_bytes)
set(cxx
  _ZN3tvm3ffi9ModuleObj12ClearImportsEv _ZN3tvm3ffi9ModuleObj12ImportModuleERKNS0_6ModuleE
  _ZTIN3tvm3ffi9ModuleObjE _ZTVN3tvm3ffi9ModuleObjE)
list(APPEND due ${cxx})
list(SORT due)

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^[^ ]* . " "")
list(SORT symbols)
if(NOT symbols STREQUAL due)
  message(FATAL_ERROR "exported:\n  ${symbols}\nbut due are:\n  ${due}")
endif()

file(READ ${HEADERS}/c_api.h header)
foreach(name IN ITEMS c_env_api c_module c_names_2025_09)
  file(READ ${HEADERS}/extra/${name}.h more)
  string(APPEND header "${more}")
endforeach()
list(REMOVE_ITEM symbols ${cxx})
foreach(symbol IN LISTS symbols)
  if(NOT header MATCHES "[ *]${symbol}(\\(|\n)")
    message(FATAL_ERROR "${symbol} is exported, but no public header declares it")
  endif()
endforeach()

execute_process(COMMAND ${READELF} -d ${LIBRARY}
                OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[libtvm_ffi\\.so\\]")
  message(FATAL_ERROR "the soname is not libtvm_ffi.so:\n${dynamic}")
endif()
