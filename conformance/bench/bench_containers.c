// SPDX-License-Identifier: Apache-2.0
// Containers, through the functions that a runtime registers for its frontends.
#include <stdio.h>

#include "battery/access.h"
#include "bench/bench_operations.h"

// --- Preparation ---------------------------------------------------------------------------------

// Lets the operation call this function with the container first.
static bool prepare_access(BenchSubject *subject, TVMFFIAny container, const char *function)
{
  if (container.type_index < kTVMFFIStaticObjectBegin) return false;
  subject->object = container.v_obj;
  subject->args[0] = container;
  subject->function = bench_function_of(&subject->iut, function);
  return subject->function != NULL;
}

// Makes an array or list of `count` ints, each as large as its place.
enum { ELEMENTS_MAX = 200 };

static TVMFFIAny make_sequence(const Iut *iut, const char *maker, size_t count)
{
  TVMFFIAny elements[ELEMENTS_MAX];
  for (size_t i = 0; i < count; ++i) elements[i] = view_of_int((int64_t)i);
  return bench_call_once(iut, maker, elements, (int32_t)count);
}

// Makes a map or dict from texts to ints. The key of the entry in the middle is kept as the text of
// the subject, and is the second argument of the operation.
static TVMFFIAny make_map(BenchSubject *subject, const char *maker, size_t count)
{
  TVMFFIAny entries[2 * ELEMENTS_MAX];
  char keys[ELEMENTS_MAX][40];
  for (size_t i = 0; i < count; ++i) {
    snprintf(keys[i], sizeof keys[i], "a key of the map, %zu", i);
    entries[2 * i] = view_of_raw_string(keys[i]);
    entries[2 * i + 1] = view_of_int((int64_t)i);
  }
  snprintf(subject->text, sizeof subject->text, "%s", keys[count / 2]);
  subject->args[1] = view_of_raw_string(subject->text);
  return bench_call_once(&subject->iut, maker, entries, (int32_t)(2 * count));
}

static bool prepare_map(BenchSubject *subject, const BenchOperation *operation, const char *maker,
                        const char *function)
{
  subject->arg_count = 2;
  subject->args[2] = view_of_int(7);
  return prepare_access(subject, make_map(subject, maker, operation->size), function);
}

static bool prepare_map_get(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_map(subject, operation, "ffi.Map", "ffi.MapGetItem");
}

static bool prepare_map_get_or_missing(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_map(subject, operation, "ffi.Map", "ffi.MapGetItemOrMissing");
}

static bool prepare_map_walk(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_map(subject, operation, "ffi.Map", "ffi.MapForwardIterFunctor")) return false;
  subject->arg_count = 1;
  return true;
}

static bool prepare_map_count(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_map(subject, operation, "ffi.Map", "ffi.MapCount")) return false;
  subject->args[1] = view_of_raw_string("no key of the map");
  return true;
}

static bool prepare_dict_get(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_map(subject, operation, "ffi.Dict", "ffi.DictGetItem");
}

static bool prepare_dict_set(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_map(subject, operation, "ffi.Dict", "ffi.DictSetItem")) return false;
  subject->arg_count = 3;
  return true;
}

static bool prepare_dict_erase(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_map(subject, operation, "ffi.Dict", "ffi.DictErase");
}

static bool prepare_sequence(BenchSubject *subject, const char *maker, const char *function,
                             int32_t arg_count)
{
  subject->arg_count = arg_count;
  subject->args[1] = view_of_int(5);
  subject->args[2] = view_of_int(7);
  return prepare_access(subject, make_sequence(&subject->iut, maker, 10), function);
}

static bool prepare_array_get(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.Array", "ffi.ArrayGetItem", 2);
}

static bool prepare_array_size(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.Array", "ffi.ArraySize", 1);
}

static bool prepare_array_contains(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.Array", "ffi.ArrayContains", 2);
}

static bool prepare_list_get(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.List", "ffi.ListGetItem", 2);
}

static bool prepare_list_set(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.List", "ffi.ListSetItem", 3);
}

static bool prepare_list_append(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.List", "ffi.ListAppend", 2);
}

static bool prepare_list_insert(BenchSubject *subject, const BenchOperation *operation)
{
  (void)operation;
  return prepare_sequence(subject, "ffi.List", "ffi.ListInsert", 3);
}

// Lets the operation call a maker with as many ints as its size says.
static bool prepare_maker(BenchSubject *subject, const BenchOperation *operation, const char *maker)
{
  subject->arg_count = (int32_t)operation->size;
  for (int32_t i = 0; i < subject->arg_count; ++i) subject->args[i] = view_of_int(i + 1);
  subject->function = bench_function_of(&subject->iut, maker);
  return subject->function != NULL;
}

static bool prepare_array(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_maker(subject, operation, "ffi.Array");
}

static bool prepare_list(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_maker(subject, operation, "ffi.List");
}

static bool prepare_shape(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_maker(subject, operation, "ffi.Shape");
}

static bool prepare_map_of(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_maker(subject, operation, "ffi.Map");
}

static bool prepare_dict_of(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_maker(subject, operation, "ffi.Dict");
}

static bool prepare_string(BenchSubject *subject, const BenchOperation *operation)
{
  snprintf(subject->text, sizeof subject->text, "%0*d", (int)operation->size, 0);
  subject->arg_count = 1;
  subject->args[0] = view_of_raw_string(subject->text);
  subject->function = bench_function_of(&subject->iut, "ffi.String");
  return subject->function != NULL;
}

// --- Operations ----------------------------------------------------------------------------------

// A list that is appended to forever would end the measurement: it is emptied when it is long.
static int run_append(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  enum { LONG = 1024 };
  const Iut *iut = &subject->iut;
  TVMFFIObjectHandle clear = bench_function_of(iut, "ffi.ListClear");
  if (!clear) return 1;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny result = {.type_index = kTVMFFINone};
    if (times % LONG == 0) status |= iut->FunctionCall(clear, subject->args, 1, &result);
    status |= iut->FunctionCall(subject->function, subject->args, subject->arg_count, &result);
  }
  iut->ObjectDecRef(clear);
  return status;
}

// Calls the function, and then another one with the first `count` arguments, so that the container
// is what it was.
static int run_back_and_forth(BenchSubject *subject, const char *back, int32_t count,
                              uint64_t times)
{
  const Iut *iut = &subject->iut;
  TVMFFIObjectHandle function = bench_function_of(iut, back);
  if (!function) return 1;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny result = {.type_index = kTVMFFINone};
    status |= iut->FunctionCall(subject->function, subject->args, subject->arg_count, &result);
    status |= bench_drop(iut, &result);
    result.type_index = kTVMFFINone;
    status |= iut->FunctionCall(function, subject->args, count, &result);
    status |= bench_drop(iut, &result);
  }
  iut->ObjectDecRef(function);
  return status;
}

static int run_insert_and_pop(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return run_back_and_forth(subject, "ffi.ListPop", 2, times);
}

static int run_erase_and_set(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  return run_back_and_forth(subject, "ffi.DictSetItem", 3, times);
}

// Walks over a map as bindings do: the iterator is a function that gives the key for 0, the value
// for 1, and for 2 whether there is another entry, to which it goes.
static int run_map_walk(BenchSubject *subject, unsigned thread, uint64_t times)
{
  (void)thread;
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times) {
    TVMFFIAny iterator = {.type_index = kTVMFFINone}, more;
    status |= iut->FunctionCall(subject->function, subject->args, 1, &iterator);
    if (iterator.type_index != kTVMFFIFunction) return 1;
    do {
      for (int what = 0; what < 3; ++what) {
        TVMFFIAny step = view_of_int(what);
        more = any_none();
        status |= iut->FunctionCall(iterator.v_obj, &step, 1, &more);
        status |= bench_drop(iut, &more);
      }
    } while (status == 0 && more.v_int64);
    status |= bench_drop(iut, &iterator);
  }
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define USE (NEED(FunctionGetGlobal) | NEED(FunctionCall) | NEED(ObjectDecRef))

static const BenchOperation operations[] = {
    {"ffi.Array of 3 ints, and release", USE, 1, 3, prepare_array, bench_call_and_drop},
    {"ffi.ArrayGetItem", USE, 1, 0, prepare_array_get, bench_call_and_drop},
    {"ffi.ArrayContains, 1 of 10 ints", USE, 1, 0, prepare_array_contains, bench_call_and_drop},
    {"ffi.ArraySize", USE, 1, 0, prepare_array_size, bench_call_and_drop},
    {"ffi.List of 3 ints, and release", USE, 1, 3, prepare_list, bench_call_and_drop},
    {"ffi.ListGetItem", USE, 1, 0, prepare_list_get, bench_call_and_drop},
    {"ffi.ListSetItem", USE, 1, 0, prepare_list_set, bench_call_and_drop},
    {"ffi.ListAppend", USE, 1, 0, prepare_list_append, run_append},
    {"ffi.ListInsert, and ffi.ListPop", USE, 1, 0, prepare_list_insert, run_insert_and_pop},
    {"ffi.Map of 2 ints to ints, and release", USE, 1, 4, prepare_map_of, bench_call_and_drop},
    {"ffi.MapGetItem, 1 of 4 texts", USE, 1, 4, prepare_map_get, bench_call_and_drop},
    {"ffi.MapGetItem, 1 of 200 texts", USE, 1, 200, prepare_map_get, bench_call_and_drop},
    {"ffi.MapGetItemOrMissing, 1 of 200 texts", USE, 1, 200, prepare_map_get_or_missing,
     bench_call_and_drop},
    {"ffi.MapForwardIterFunctor, over 200 texts", USE, 1, 200, prepare_map_walk, run_map_walk},
    {"ffi.MapCount, none of 200 texts", USE, 1, 200, prepare_map_count, bench_call_and_drop},
    {"ffi.Dict of 2 ints to ints, and release", USE, 1, 4, prepare_dict_of, bench_call_and_drop},
    {"ffi.DictGetItem, 1 of 200 texts", USE, 1, 200, prepare_dict_get, bench_call_and_drop},
    {"ffi.DictSetItem, 1 of 200 texts", USE, 1, 200, prepare_dict_set, bench_call_and_drop},
    {"ffi.DictErase, and ffi.DictSetItem", USE, 1, 200, prepare_dict_erase, run_erase_and_set},
    {"ffi.Shape of 4 extents, and release", USE, 1, 4, prepare_shape, bench_call_and_drop},
    {"ffi.String of 64 bytes, and release", USE, 1, 64, prepare_string, bench_call_and_drop},
};
const BenchGroup bench_containers_group = {operations, sizeof operations / sizeof *operations};
