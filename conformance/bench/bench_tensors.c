// SPDX-License-Identifier: Apache-2.0
// Tensors, and what surrounds them: streams and the allocator of the thread.
#include <string.h>

#include "bench/bench_operations.h"

// --- Tensors -------------------------------------------------------------------------------------

_Alignas(64) static char memory[64];

static void keep_managed(DLManagedTensor *self)
{
  (void)self;
}

static void keep_versioned(DLManagedTensorVersioned *self)
{
  (void)self;
}

// Makes a DLPack tensor in both forms; its size, if not 0, says that it has strides.
static bool prepare_source(BenchSubject *subject, const BenchOperation *operation)
{
  subject->shape[0] = 4, subject->shape[1] = 2;
  subject->strides[0] = 2, subject->strides[1] = 1;
  DLTensor tensor = {
      .data = memory,
      .device = {kDLCPU, 0},
      .ndim = 2,
      .dtype = {kDLFloat, 32, 1},
      .shape = subject->shape,
      .strides = operation->size ? subject->strides : NULL,
  };
  subject->managed = (DLManagedTensor){tensor, NULL, keep_managed};
  subject->versioned =
      (DLManagedTensorVersioned){.version = {1, 0}, .deleter = keep_versioned, .dl_tensor = tensor};
  return true;
}

static bool prepare_tensor(BenchSubject *subject, const BenchOperation *operation)
{
  prepare_source(subject, operation);
  return subject->iut.TensorFromDLPack(&subject->managed, 0, 0, &subject->object) == 0;
}

static int run_import(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle tensor = NULL;
    status |= subject->iut.TensorFromDLPack(&subject->managed, 64, 1, &tensor);
    status |= subject->iut.ObjectDecRef(tensor);
  }
  return status;
}

static int run_import_versioned(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle tensor = NULL;
    status |= subject->iut.TensorFromDLPackVersioned(&subject->versioned, 64, 1, &tensor);
    status |= subject->iut.ObjectDecRef(tensor);
  }
  return status;
}

static int run_export(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    DLManagedTensor *managed = NULL;
    status |= subject->iut.TensorToDLPack(subject->object, &managed);
    if (!managed) return 1;
    managed->deleter(managed);
  }
  return status;
}

static int run_export_versioned(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    DLManagedTensorVersioned *managed = NULL;
    status |= subject->iut.TensorToDLPackVersioned(subject->object, &managed);
    if (!managed) return 1;
    managed->deleter(managed);
  }
  return status;
}

static int run_view(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIObjectHandle view = NULL;
    status |=
        subject->iut.TensorCreateUnsafeView(subject->object, &subject->managed.dl_tensor, &view);
    status |= subject->iut.ObjectDecRef(view);
  }
  return status;
}

// --- The allocator of the thread -----------------------------------------------------------------

// What the allocator gives, again and again: the subject in hand.
static DLManagedTensorVersioned *given;

static int give(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                void (*set_error)(void *context, const char *kind, const char *message))
{
  (void)prototype, (void)context, (void)set_error;
  *out = given;
  return 0;
}

// The allocator belongs to the thread, and `run` is where that is known.
static int run_allocate(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = subject->iut.EnvSetDLPackManagedTensorAllocator(give, 0, NULL);
  given = &subject->versioned;
  for (; times; --times) {
    TVMFFIObjectHandle tensor = NULL;
    status |= subject->iut.EnvTensorAlloc(&subject->managed.dl_tensor, &tensor);
    status |= subject->iut.ObjectDecRef(tensor);
  }
  return status;
}

// --- Streams -------------------------------------------------------------------------------------

static int run_set_stream(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIStreamHandle original = NULL;
    status |= subject->iut.EnvSetStream(kDLCUDA, 0, memory, &original);
    status |= subject->iut.EnvSetStream(kDLCUDA, 0, original, NULL);
  }
  return status;
}

static int run_get_stream(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = subject->iut.EnvSetStream(kDLCUDA, 1, memory, NULL);
  for (; times; --times) status |= subject->iut.EnvGetStream(kDLCUDA, 1) != memory;
  return status;
}

static int run_get_no_stream(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) status |= subject->iut.EnvGetStream(kDLROCM, 3) != NULL;
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define IMPORT (NEED(TensorFromDLPack) | NEED(ObjectDecRef))
#define IMPORT_VERSIONED (NEED(TensorFromDLPackVersioned) | NEED(ObjectDecRef))
#define VIEW (NEED(TensorCreateUnsafeView) | IMPORT)
#define ALLOCATE \
  (NEED(EnvTensorAlloc) | NEED(EnvSetDLPackManagedTensorAllocator) | NEED(ObjectDecRef))
#define SET NEED(EnvSetStream)
#define GET NEED(EnvGetStream)

enum { WITHOUT_STRIDES, WITH_STRIDES };

static const BenchOperation operations[] = {
    {"import a tensor, and release", IMPORT, 1, WITH_STRIDES, prepare_source, run_import},
    {"import a tensor without strides, and release", IMPORT, 1, WITHOUT_STRIDES, prepare_source,
     run_import},
    {"import a versioned tensor, and release", IMPORT_VERSIONED, 1, WITH_STRIDES, prepare_source,
     run_import_versioned},
    {"import a versioned one without strides", IMPORT_VERSIONED, 1, WITHOUT_STRIDES, prepare_source,
     run_import_versioned},
    {"export a tensor, and delete", IMPORT | NEED(TensorToDLPack), 1, WITH_STRIDES, prepare_tensor,
     run_export},
    {"export a versioned tensor, and delete", IMPORT | NEED(TensorToDLPackVersioned), 1,
     WITH_STRIDES, prepare_tensor, run_export_versioned},
    {"view of a tensor, and release", VIEW, 1, WITH_STRIDES, prepare_tensor, run_view},
    {"allocate a tensor, and release", ALLOCATE, 1, WITH_STRIDES, prepare_source, run_allocate},

    {"set a stream, and set back", SET, 1, 0, NULL, run_set_stream},
    {"get a stream", SET | GET, 1, 0, NULL, run_get_stream},
    {"get a stream that was not set", GET, 1, 0, NULL, run_get_no_stream},
};
const BenchGroup bench_tensors_group = {operations, sizeof operations / sizeof *operations};
