// SPDX-License-Identifier: Apache-2.0
// Types by key and index, and data types as text.
#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "bench/bench_operations.h"

// --- Types ---------------------------------------------------------------------------------------

enum { KEYS = 8 };  // a power of two

static const struct {
  TVMFFIByteArray key;
  int32_t index;
} types[KEYS] = {
#define TYPE(key, index)          \
  {                               \
    {key, sizeof(key) - 1}, index \
  }
    TYPE("ffi.Object", kTVMFFIObject), TYPE("ffi.String", kTVMFFIStr),
    TYPE("ffi.Error", kTVMFFIError),   TYPE("ffi.Function", kTVMFFIFunction),
    TYPE("ffi.Shape", kTVMFFIShape),   TYPE("ffi.Tensor", kTVMFFITensor),
    TYPE("ffi.Array", kTVMFFIArray),   TYPE("ffi.Map", kTVMFFIMap),
};

static int run_key_to_index(BenchSubject *subject, unsigned thread, uint64_t times)
{
  int status = 0;
  for (uint64_t i = thread; times; --times, ++i) {
    int32_t index = -1;
    status |= subject->iut.TypeKeyToIndex(&types[i % KEYS].key, &index);
    status |= index ^ types[i % KEYS].index;
  }
  return status;
}

static int run_key_in_vain(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const TVMFFIByteArray key = bytes_of("bench.NoSuchType");
  for (; times; --times) {
    int32_t index = -1;
    if (subject->iut.TypeKeyToIndex(&key, &index) == 0) return 1;
    TVMFFIObjectHandle error = NULL;
    subject->iut.ErrorMoveFromRaised(&error);
    if (!error) return 1;
    subject->iut.ObjectDecRef(error);
  }
  return 0;
}

// As every compiled library does it for each of its types.
static int run_index_of_known(BenchSubject *subject, unsigned thread, uint64_t times)
{
  int status = 0;
  for (uint64_t i = thread; times; --times, ++i) {
    int32_t index = subject->iut.TypeGetOrAllocIndex(&types[i % KEYS].key, types[i % KEYS].index,
                                                     types[i % KEYS].index != kTVMFFIObject, 0, 0,
                                                     kTVMFFIObject);
    status |= index ^ types[i % KEYS].index;
  }
  return status;
}

static int run_type_info(BenchSubject *subject, unsigned thread, uint64_t times)
{
  int status = 0;
  for (uint64_t i = thread; times; --times, ++i) {
    const TVMFFITypeInfo *info = subject->iut.GetTypeInfo(types[i % KEYS].index);
    status |= info->type_index ^ types[i % KEYS].index;
  }
  return status;
}

static int run_attribute_column(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const TVMFFIByteArray name = bytes_of("__any_hash__");
  for (; times; --times)
    if (!subject->iut.GetTypeAttrColumn(&name)) return 1;
  return 0;
}

// --- Data types ----------------------------------------------------------------------------------

typedef struct BenchDtype {
  const char *text;
  DLDataType dtype;
} BenchDtype;

enum { INT32, FLOAT16_LANES, FLOAT8, BOOL, CUSTOM };
static const BenchDtype dtypes[] = {
    [INT32] = {"int32", {kDLInt, 32, 1}},
    [FLOAT16_LANES] = {"float16x4", {kDLFloat, 16, 4}},
    [FLOAT8] = {"float8_e4m3fn", {kDLFloat8_e4m3fn, 8, 1}},
    [BOOL] = {"bool", {kDLBool, 8, 1}},
    [CUSTOM] = {"custom[posit]16", {130, 16, 1}},
};

static int custom_code(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = view_of_int(dtypes[CUSTOM].dtype.code);
  return 0;
}

static int custom_name(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 5};
  memcpy(result->v_bytes, "posit", 5);
  return 0;
}

static bool register_function(const Iut *iut, const char *name, TVMFFISafeCallType call)
{
  TVMFFIByteArray bytes = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  if (iut->FunctionCreate(NULL, call, NULL, &function) != 0) return false;
  int status = iut->FunctionSetGlobal(&bytes, function, 1);
  iut->ObjectDecRef(function);
  return status == 0;
}

static bool prepare_dtype(BenchSubject *subject, const BenchOperation *operation)
{
  const BenchDtype *sample = &dtypes[operation->size];
  snprintf(subject->text, sizeof subject->text, "%s", sample->text);
  subject->bytes = bytes_of(subject->text);
  subject->dtype = sample->dtype;
  if (operation->size != CUSTOM) return true;
  return register_function(&subject->iut, "dtype.get_custom_type_code", custom_code) &&
         register_function(&subject->iut, "dtype.get_custom_type_name", custom_name);
}

static int run_parse(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    DLDataType dtype = {0, 0, 0};
    status |= subject->iut.DataTypeFromString(&subject->bytes, &dtype);
    status |= dtype.code ^ subject->dtype.code;
    status |= dtype.lanes ^ subject->dtype.lanes;
  }
  return status;
}

static int run_print(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny text = {.type_index = kTVMFFINone};
    status |= subject->iut.DataTypeToString(&subject->dtype, &text);
    status |= text.type_index == kTVMFFINone;
    status |= bench_drop(&subject->iut, &text);
  }
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define KEY NEED(TypeKeyToIndex)
#define IN_VAIN (KEY | NEED(ErrorMoveFromRaised) | NEED(ObjectDecRef))
#define PARSE NEED(DataTypeFromString)
#define PRINT (NEED(DataTypeToString) | NEED(ObjectDecRef))
#define NAMED (NEED(FunctionCreate) | NEED(FunctionSetGlobal) | NEED(ObjectDecRef))

static const BenchOperation operations[] = {
    {"index of a type by its key", KEY, 1, 0, NULL, run_key_to_index},
    {"index of a type by its key, in 2 threads", KEY, 2, 0, NULL, run_key_to_index},
    {"index of a type that is not there", IN_VAIN, 1, 0, NULL, run_key_in_vain},
    {"index of a registered type, or a new one", NEED(TypeGetOrAllocIndex), 1, 0, NULL,
     run_index_of_known},
    {"information on a type by its index", NEED(GetTypeInfo), 1, 0, NULL, run_type_info},
    {"column of an attribute by its name", NEED(GetTypeAttrColumn), 1, 0, NULL,
     run_attribute_column},

    {"data type from `int32`", PARSE, 1, INT32, prepare_dtype, run_parse},
    {"data type from `float16x4`", PARSE, 1, FLOAT16_LANES, prepare_dtype, run_parse},
    {"data type from `float8_e4m3fn`", PARSE, 1, FLOAT8, prepare_dtype, run_parse},
    {"data type from `bool`", PARSE, 1, BOOL, prepare_dtype, run_parse},
    {"data type from `custom[posit]16`", PARSE | NAMED, 1, CUSTOM, prepare_dtype, run_parse},
    {"data type to `int32`, and release", PRINT, 1, INT32, prepare_dtype, run_print},
    {"data type to `float16x4`, and release", PRINT, 1, FLOAT16_LANES, prepare_dtype, run_print},
    {"data type to `float8_e4m3fn`, and release", PRINT, 1, FLOAT8, prepare_dtype, run_print},
    {"data type to `bool`, and release", PRINT, 1, BOOL, prepare_dtype, run_print},
    {"data type to `custom[posit]16`, and release", PRINT | NAMED, 1, CUSTOM, prepare_dtype,
     run_print},
};
const BenchGroup bench_types_group = {operations, sizeof operations / sizeof *operations};
