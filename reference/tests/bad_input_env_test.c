// SPDX-License-Identifier: Apache-2.0
// Bad input for functions on tensors and on what surrounds them.
#include <string.h>

#include "bad_input.h"
#include "call.h"
#include "probe.h"
#include "tensor_source.h"
#include "unit/unit.h"

#define OUT (&bad_out.handle)

// DLTensors that can't be: two dimensions, changed like this.
static const struct {
  int32_t ndim;
  bool has_shape;
  int64_t extent;
  const char *field, *why;
} tensors[] = {
    {-1, true, 1, "ndim`", "must not be negative"},
    {INT32_MIN, false, 1, "ndim`", "must not be negative"},
    {INT32_MAX, true, 1, "ndim`", "more than any tensor has"},
    {65537, true, 1, "ndim`", "more than any tensor has"},
    {1, false, 1, "shape`", "must not be NULL"},
    {2, true, -1, "shape`", "negative"},
    {2, true, INT64_MIN, "shape`", "negative"},
};

static void make_bad(int row, Source *source)
{
  source_init(source, 2, (const int64_t[]){tensors[row].extent, 2}, (const int64_t[]){2, 1});
  DLTensor tensor = source->managed.dl_tensor;
  tensor.ndim = tensors[row].ndim;
  if (!tensors[row].has_shape) tensor.shape = NULL;
  source_set(source, &tensor);
}

//--------------------------------------------------------------------------------------------------
// Tensors
//--------------------------------------------------------------------------------------------------

static void import_bad(int row, bool versioned)
{
  Source source, before;
  make_bad(row, &source);
  before = source;
  char field[32] = "`from->dl_tensor.";
  strcat(field, tensors[row].field);
  if (versioned) {
    REFUSED("ValueError", field, tensors[row].why,
            TVMFFITensorFromDLPackVersioned(&source.versioned, 0, 0, OUT));
  } else {
    REFUSED("ValueError", field, tensors[row].why,
            TVMFFITensorFromDLPack(&source.managed, 0, 0, OUT));
  }
  ck_assert_mem_eq(&source, &before, sizeof before);
}

static void TensorFromDLPack(void)
{
  Source source;
  for (int i = 0; i < ROWS(tensors); ++i) import_bad(i, false);
  source_init(&source, 2, (const int64_t[]){2, 2}, (const int64_t[]){2, 1});
  REFUSED("ValueError", "`from`", "must not be NULL", TVMFFITensorFromDLPack(NULL, 0, 0, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL",
          TVMFFITensorFromDLPack(&source.managed, 0, 0, NULL));
  REFUSED("ValueError", "`require_alignment` is -8", "negative",
          TVMFFITensorFromDLPack(&source.managed, -8, 0, OUT));
  REFUSED("ValueError", "`require_alignment` is -2147483648", "negative",
          TVMFFITensorFromDLPack(&source.managed, INT32_MIN, 0, OUT));
  REFUSED("RuntimeError", "`require_alignment`", "not aligned to 2147483647",
          TVMFFITensorFromDLPack(&source.managed, INT32_MAX, 0, OUT));
  ck_assert_int_eq(source.deletions, 0);
  ACCEPTED(TVMFFITensorFromDLPack(&source.managed, 8, 1, OUT));
  TVMFFIObjectDecRef(bad_out.handle);
}

static void TensorFromDLPackVersioned(void)
{
  Source source;
  for (int i = 0; i < ROWS(tensors); ++i) import_bad(i, true);
  source_init(&source, 2, (const int64_t[]){2, 2}, (const int64_t[]){2, 1});
  REFUSED("ValueError", "`from`", "must not be NULL",
          TVMFFITensorFromDLPackVersioned(NULL, 0, 0, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL",
          TVMFFITensorFromDLPackVersioned(&source.versioned, 0, 0, NULL));
  REFUSED("ValueError", "`require_alignment` is -8", "negative",
          TVMFFITensorFromDLPackVersioned(&source.versioned, -8, 0, OUT));
  source.versioned.version.major = 2;
  REFUSED("RuntimeError", "`from->version`", "version 2",
          TVMFFITensorFromDLPackVersioned(&source.versioned, 0, 0, OUT));
  ck_assert_int_eq(source.deletions, 0);
  source.versioned.version.major = 1;
  ACCEPTED(TVMFFITensorFromDLPackVersioned(&source.versioned, 8, 1, OUT));
  TVMFFIObjectDecRef(bad_out.handle);
}

static void TensorToDLPack(void)
{
  Source source;
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  source_init(&source, 1, (const int64_t[]){2}, NULL);
  TVMFFIObject *tensor = source_tensor(&source, false);
  REFUSED("ValueError", "`from`", "must not be NULL", TVMFFITensorToDLPack(NULL, &bad_out.managed));
  REFUSED("TypeError", "`from`", "a Tensor", TVMFFITensorToDLPack(&probe, &bad_out.managed));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFITensorToDLPack(tensor, NULL));
  expect_counts(tensor, 1, 1);
  ACCEPTED(TVMFFITensorToDLPack(tensor, &bad_out.managed));
  bad_out.managed->deleter(bad_out.managed);
  TVMFFIObjectDecRef(tensor);
}

static void TensorToDLPackVersioned(void)
{
  Source source;
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  source_init(&source, 1, (const int64_t[]){2}, NULL);
  TVMFFIObject *tensor = source_tensor(&source, true);
#define EXPORT TVMFFITensorToDLPackVersioned
  REFUSED("ValueError", "`from`", "must not be NULL", EXPORT(NULL, &bad_out.versioned));
  REFUSED("TypeError", "`from`", "a Tensor", EXPORT(&probe, &bad_out.versioned));
  REFUSED("ValueError", "`out`", "must not be NULL", EXPORT(tensor, NULL));
  expect_counts(tensor, 1, 1);
  ACCEPTED(EXPORT(tensor, &bad_out.versioned));
#undef EXPORT
  bad_out.versioned->deleter(bad_out.versioned);
  TVMFFIObjectDecRef(tensor);
}

static void TensorCreateUnsafeView(void)
{
  Source source, model;
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  source_init(&source, 1, (const int64_t[]){2}, (const int64_t[]){1});
  TVMFFIObject *tensor = source_tensor(&source, true);
  DLTensor prototype = source.managed.dl_tensor;
#define VIEW TVMFFITensorCreateUnsafeView
  REFUSED("ValueError", "`source`", "must not be NULL", VIEW(NULL, &prototype, OUT));
  REFUSED("TypeError", "`source`", "a Tensor", VIEW(&probe, &prototype, OUT));
  REFUSED("ValueError", "`prototype`", "must not be NULL", VIEW(tensor, NULL, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL", VIEW(tensor, &prototype, NULL));
  for (int i = 0; i < ROWS(tensors); ++i) {
    char field[32] = "`prototype->";
    strcat(field, tensors[i].field);
    make_bad(i, &model);
    REFUSED("ValueError", field, tensors[i].why, VIEW(tensor, &model.managed.dl_tensor, OUT));
  }
  expect_counts(tensor, 1, 1);
  expect_counts(&probe, 1, 1);
  ACCEPTED(VIEW(tensor, &prototype, OUT));
#undef VIEW
  TVMFFIObjectDecRef(bad_out.handle);
  TVMFFIObjectDecRef(tensor);
}

//--------------------------------------------------------------------------------------------------
// Allocators
//--------------------------------------------------------------------------------------------------

static void GetCustomAllocator(void)
{
  ACCEPTED(TVMFFIGetCustomAllocator() == NULL);
}

static void SetCustomAllocator(void)
{
  TVMFFICustomAllocator without = {.context = &without}, *before = TVMFFIGetCustomAllocator();
  REFUSED("ValueError", "`allocator->allocate`", "must not be NULL",
          TVMFFISetCustomAllocator(&without));
  ck_assert_ptr_eq(TVMFFIGetCustomAllocator(), before);
  ACCEPTED(TVMFFISetCustomAllocator(NULL));
}

static int calls;

static int allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*set_error)(void *context, const char *kind, const char *message))
{
  (void)prototype, (void)out, (void)context, (void)set_error;
  ++calls;
  return 0;
}

#define SET TVMFFIEnvSetDLPackManagedTensorAllocator

static void EnvSetDLPackManagedTensorAllocator(void)
{
  ACCEPTED(SET(allocate, 0, NULL));
  ACCEPTED(SET(NULL, 0, NULL));
}

static void EnvGetDLPackManagedTensorAllocator(void)
{
  ACCEPTED(TVMFFIEnvGetDLPackManagedTensorAllocator() != NULL);
}

static void EnvTensorAlloc(void)
{
  Source model;
  int64_t shape[] = {2};
  DLTensor prototype = {.ndim = 1, .shape = shape};
  REFUSED("RuntimeError", "no allocator", "was set", TVMFFIEnvTensorAlloc(&prototype, OUT));
  SET(allocate, 0, NULL);
  calls = 0;
  REFUSED("ValueError", "`prototype`", "must not be NULL", TVMFFIEnvTensorAlloc(NULL, OUT));
  REFUSED("ValueError", "`out`", "must not be NULL", TVMFFIEnvTensorAlloc(&prototype, NULL));
  for (int i = 0; i < ROWS(tensors); ++i) {
    char field[32] = "`prototype->";
    strcat(field, tensors[i].field);
    make_bad(i, &model);
    REFUSED("ValueError", field, tensors[i].why,
            TVMFFIEnvTensorAlloc(&model.managed.dl_tensor, OUT));
  }
  ck_assert_int_eq(calls, 0);
  REFUSED("RuntimeError", "the allocator", "without a tensor",
          TVMFFIEnvTensorAlloc(&prototype, OUT));
  ck_assert_int_eq(calls, 1);
  SET(NULL, 0, NULL);
}

//--------------------------------------------------------------------------------------------------
// Streams and signals
//--------------------------------------------------------------------------------------------------

static const struct {
  int32_t type, id;
  const char *argument, *why;
} devices[] = {
    {-1, 0, "`device_type` is -1", "negative"},
    {INT32_MIN, 0, "`device_type` is -2147483648", "negative"},
    {0, 0, "`device_type` is 0", "no device"},
    {kDLCUDA, -1, "`device_id` is -1", "negative"},
    {kDLCUDA, INT32_MIN, "`device_id` is -2147483648", "negative"},
};

static void EnvSetStream(void)
{
  for (int i = 0; i < ROWS(devices); ++i) {
    REFUSED("ValueError", devices[i].argument, devices[i].why,
            TVMFFIEnvSetStream(devices[i].type, devices[i].id, &calls, &bad_out.stream));
  }
  ACCEPTED(TVMFFIEnvSetStream(kDLCUDA, 0, &calls, NULL));
  ACCEPTED(TVMFFIEnvSetStream(kDLCUDA, 0, NULL, &bad_out.stream));
  ck_assert_ptr_eq(bad_out.stream, &calls);
}

static void EnvGetStream(void)
{
  for (int i = 0; i < ROWS(devices); ++i) {
    IGNORED(NULL, TVMFFIEnvGetStream(devices[i].type, devices[i].id));
  }
  IGNORED(NULL, TVMFFIEnvGetStream(INT32_MAX, INT32_MAX));
}

static void EnvModLookupFromImports(void)
{
  // What a context is lies 8 bytes before the header of an object, which here is that of an
  // integer.
  struct {
    void *vtable;
    TVMFFIObject header;
  } no_module = {NULL, {.combined_ref_count = 1, .type_index = kTVMFFIInt}};
  REFUSED("ValueError", "`library_ctx`", "must not be NULL",
          TVMFFIEnvModLookupFromImports(NULL, "name", &bad_out.handle));
  REFUSED("TypeError", "`library_ctx`", "no context",
          TVMFFIEnvModLookupFromImports(&no_module, "name", &bad_out.handle));
  REFUSED("ValueError", "`func_name`", "must not be NULL",
          TVMFFIEnvModLookupFromImports(&no_module, NULL, &bad_out.handle));
  REFUSED("ValueError", "`out`", "must not be NULL",
          TVMFFIEnvModLookupFromImports(&no_module, "name", NULL));
}

static void EnvModRegisterContextSymbol(void)
{
  REFUSED("ValueError", "`name`", "must not be NULL",
          TVMFFIEnvModRegisterContextSymbol(NULL, &calls));
}

static void EnvModRegisterSystemLibSymbol(void)
{
  REFUSED("ValueError", "`name`", "must not be NULL",
          TVMFFIEnvModRegisterSystemLibSymbol(NULL, &calls));
  // A symbol without an address is as good as absent.
  ACCEPTED(TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_bad_input", NULL));
}

static void EnvCheckSignals(void)
{
  ACCEPTED(TVMFFIEnvCheckSignals());
}

static void EnvRegisterCAPI(void)
{
  REFUSED("ValueError", "`name`", "must not be NULL", TVMFFIEnvRegisterCAPI(NULL, &calls));
  REFUSED("ValueError", "`name` is ``", "none of", TVMFFIEnvRegisterCAPI("", &calls));
  REFUSED("ValueError", "`name` is `PyErr`", "none of", TVMFFIEnvRegisterCAPI("PyErr", &calls));
  ACCEPTED(TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", NULL));
}

const BadFunction bad_input_env_functions[] = {
    BAD_ROW(TensorFromDLPack),
    BAD_ROW(TensorFromDLPackVersioned),
    BAD_ROW(TensorToDLPack),
    BAD_ROW(TensorToDLPackVersioned),
    BAD_ROW(TensorCreateUnsafeView),
    BAD_ROW(GetCustomAllocator),
    BAD_ROW(SetCustomAllocator),
    BAD_ROW(EnvSetDLPackManagedTensorAllocator),
    BAD_ROW(EnvGetDLPackManagedTensorAllocator),
    BAD_ROW(EnvTensorAlloc),
    BAD_ROW(EnvSetStream),
    BAD_ROW(EnvGetStream),
    BAD_ROW(EnvCheckSignals),
    BAD_ROW(EnvRegisterCAPI),
    BAD_ROW(EnvModLookupFromImports),
    BAD_ROW(EnvModRegisterContextSymbol),
    BAD_ROW(EnvModRegisterSystemLibSymbol),
    {NULL, NULL},
};

TEST(bad_input_is_refused_and_nothing_lost, .rows = ROWS(bad_input_env_functions) - 1)
{
  bad_input_env_functions[_i].test();
}
