# SPDX-License-Identifier: Apache-2.0
# Checks what the shared library shows the world: functions of the public header, all those of the
# chapters it implements, nothing else; and the soname by which programs ask for it.
set(due
  AnyViewToOwnedAny Backtrace BigIntFromByteArray BigIntGetContentByteArray BytesFromByteArray
  DataTypeFromString DataTypeToString ErrorCreate ErrorCreateWithCauseAndExtraContext
  ErrorMoveFromRaised ErrorSetRaised ErrorSetRaisedFromCStr ErrorSetRaisedFromCStrParts FunctionCall
  FunctionCreate FunctionGetGlobal FunctionSetGlobal FunctionSetGlobalFromMethodInfo
  GetTypeAttrColumn GetTypeInfo GetVersion HandleDeinitOnce HandleInitOnce ObjectCreateOpaque
  ObjectDecRef ObjectIncRef StringFromByteArray TypeGetOrAllocIndex TypeKeyToIndex TypeRegisterAttr
  TypeRegisterField TypeRegisterMetadata TypeRegisterMethod)
list(TRANSFORM due PREPEND TVMFFI)

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE "^[^ ]* . " "")
list(SORT symbols)
if(NOT symbols STREQUAL due)
  message(FATAL_ERROR "exported:\n  ${symbols}\nbut due are:\n  ${due}")
endif()

file(READ ${HEADER} header)
foreach(symbol IN LISTS symbols)
  if(NOT header MATCHES "[ *]${symbol}\\(")
    message(FATAL_ERROR "${symbol} is exported, but the public header doesn't declare it")
  endif()
endforeach()

execute_process(COMMAND ${READELF} -d ${LIBRARY}
                OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[libtvm_ffi\\.so\\]")
  message(FATAL_ERROR "the soname is not libtvm_ffi.so:\n${dynamic}")
endif()
