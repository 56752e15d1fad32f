// SPDX-License-Identifier: Apache-2.0
// The operations that are timed: tables, whose bodies are loops over calls of the C API.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "battery/iut.h"
#include "bench/bench_names.h"

// The functions that operations need, one bit each in BenchOperation.needs.
#define BENCH_NEEDS(X)                  \
  X(AnyViewToOwnedAny)                  \
  X(Backtrace)                          \
  X(BytesFromByteArray)                 \
  X(DataTypeFromString)                 \
  X(DataTypeToString)                   \
  X(EnvGetStream)                       \
  X(EnvSetDLPackManagedTensorAllocator) \
  X(EnvSetStream)                       \
  X(EnvTensorAlloc)                     \
  X(ErrorCreate)                        \
  X(ErrorMoveFromRaised)                \
  X(ErrorSetRaised)                     \
  X(ErrorSetRaisedFromCStr)             \
  X(FunctionCall)                       \
  X(FunctionCreate)                     \
  X(FunctionGetGlobal)                  \
  X(FunctionSetGlobal)                  \
  X(GetTypeAttrColumn)                  \
  X(GetTypeInfo)                        \
  X(HandleInitOnce)                     \
  X(ObjectDecRef)                       \
  X(ObjectIncRef)                       \
  X(StringFromByteArray)                \
  X(TensorCreateUnsafeView)             \
  X(TensorFromDLPack)                   \
  X(TensorFromDLPackVersioned)          \
  X(TensorToDLPack)                     \
  X(TensorToDLPackVersioned)            \
  X(TypeGetOrAllocIndex)                \
  X(TypeKeyToIndex)                     \
  X(TypeRegisterField)                  \
  X(TypeRegisterMetadata)

typedef enum BenchNeed {
#define BENCH_NEED(name) NEED_##name,
  BENCH_NEEDS(BENCH_NEED)
#undef BENCH_NEED
      BENCH_NEED_COUNT
} BenchNeed;
_Static_assert(BENCH_NEED_COUNT <= 64, "BenchOperation.needs has a bit for each");
#define NEED(name) (UINT64_C(1) << NEED_##name)

enum { BENCH_ARGS_MAX = 8, BENCH_TEXT_MAX = 4096, BENCH_THREADS_MAX = 2 };

// A library under measurement, with what the operation in hand works on.
typedef struct BenchSubject {
  Iut iut;
  char label;                 // 'A' or 'B'
  TVMFFIObjectHandle object;  // own; NULL if the operation has none
  TVMFFIAny view;
  TVMFFIAny args[BENCH_ARGS_MAX];
  int32_t arg_count;
  TVMFFIByteArray bytes;
  char text[BENCH_TEXT_MAX + 1];
  BenchNames names;
  const TVMFFIByteArray *asked;  // names to look up, `asked_count` of them
  size_t asked_count, stride;
  void *slot;                   // of once-initialisation
  TVMFFIObjectHandle function;  // own: a registered function; NULL if the operation has none
  DLManagedTensor managed;
  DLManagedTensorVersioned versioned;
  int64_t shape[2], strides[2];
  DLDataType dtype;
} BenchSubject;

typedef struct BenchOperation {
  const char *title;
  uint64_t needs;    // bits NEED(...)
  unsigned threads;  // that do it at the same time on the same subject; 0 means 1
  size_t size;       // arguments, bytes or names, as the title says
  // Makes what the operation works on. False if a call failed.
  bool (*prepare)(BenchSubject *subject, const struct BenchOperation *operation);
  // Does the operation `times` times, as one of the threads (from 0). 0 if every call returned what
  // it should.
  int (*run)(BenchSubject *subject, unsigned thread, uint64_t times);
} BenchOperation;

typedef struct BenchGroup {
  const BenchOperation *operations;
  size_t count;
} BenchGroup;

// The order matters: the table of global functions only ever grows.
extern const BenchGroup *const bench_groups[];
extern const size_t bench_group_count;
extern const BenchGroup bench_types_group, bench_tensors_group, bench_containers_group,
    bench_reflection_group, bench_classes_group, bench_modules_group, bench_registry_group;

// Gives back what a value holds as a binding does it: by looking at the type index first. Returns
// 0.
static inline int bench_drop(const Iut *iut, const TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin ? iut->ObjectDecRef(value->v_obj) : 0;
}

// Returns own: a registered function; NULL if there is none.
TVMFFIObjectHandle bench_function_of(const Iut *iut, const char *name);

// Calls a registered function once. Returns own: what it gives, None on failure.
TVMFFIAny bench_call_once(const Iut *iut, const char *name, TVMFFIAny *args, int32_t count);

// An operation: calls the function of the subject with its arguments, and drops what it gives.
int bench_call_and_drop(BenchSubject *subject, unsigned thread, uint64_t times);

// True if the library has all functions that the operation is made of.
bool bench_operation_applies(const BenchOperation *operation, const BenchSubject *subject);

// Gives back what `prepare` made, the names excepted, which the library keeps.
void bench_operation_clean(BenchSubject *subject);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_
