// SPDX-License-Identifier: Apache-2.0
// What frontends ask of values with all that is in them, and of JSON. The titles begin with the
// names of the functions.
#include <stdio.h>
#include <string.h>

#include "battery/access.h"
#include "bench/bench_operations.h"

// --- Preparation ---------------------------------------------------------------------------------

// 4 Maps with 4 entries each, in an Array.
static const char entry[] =
    "{\"name\": \"a text of more than seven bytes\", \"count\": 12, "
    "\"ratio\": 0.25, \"extents\": [1, 2, 3]}";

static void write_text(BenchSubject *subject)
{
  snprintf(subject->text, sizeof subject->text, "[%s, %s, %s, %s]", entry, entry, entry, entry);
}

static TVMFFIAny make_value(BenchSubject *subject)
{
  TVMFFIAny text;
  write_text(subject);
  text = view_of_raw_string(subject->text);
  return bench_call_once(&subject->iut, "ffi.json.Parse", &text, 1);
}

// The operation calls the function whose name its title begins with, with as many arguments as its
// size says.
static bool prepare_function(BenchSubject *subject, const BenchOperation *operation)
{
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(operation->title, ","), operation->title);
  subject->arg_count = (int32_t)operation->size;
  subject->function = bench_function_of(&subject->iut, name);
  return subject->function != NULL;
}

static bool keep(BenchSubject *subject, TVMFFIAny value)
{
  if (value.type_index < kTVMFFIStaticObjectBegin) return false;
  subject->object = value.v_obj;
  return true;
}

static bool prepare_text(BenchSubject *subject, const BenchOperation *operation)
{
  write_text(subject);
  subject->args[0] = view_of_raw_string(subject->text);
  return prepare_function(subject, operation);
}

// A value, and None or false for the others.
static bool prepare_value(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny value = make_value(subject);
  if (!keep(subject, value)) return false;
  subject->args[0] = value;
  for (int i = 1; i < 4; ++i) subject->args[i] = (TVMFFIAny){.type_index = kTVMFFIBool};
  return prepare_function(subject, operation);
}

static bool prepare_value_and_none(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_value(subject, operation)) return false;
  subject->args[1] = any_none();
  return true;
}

static bool prepare_graph(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny value[2] = {make_value(subject), any_none()};
  TVMFFIAny text = bench_call_once(&subject->iut, "ffi.ToJSONGraphString", value, 2);
  bench_drop(&subject->iut, &value[0]);
  if (!keep(subject, text)) return false;
  subject->args[0] = text;
  return prepare_function(subject, operation);
}

// Two equal values, which an Array holds.
static bool prepare_two(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny values[2] = {make_value(subject), make_value(subject)};
  TVMFFIAny both = bench_call_once(&subject->iut, "ffi.Array", values, 2);
  for (int i = 0; i < 2; ++i) {
    bench_drop(&subject->iut, &values[i]);
    subject->args[i] = values[i];
    subject->args[2 + i] = (TVMFFIAny){.type_index = kTVMFFIBool};
  }
  return keep(subject, both) && prepare_function(subject, operation);
}

// A value and twice no callbacks, which an Array holds; the order is that of calls behind.
static bool prepare_walk(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny values[2] = {make_value(subject), bench_call_once(&subject->iut, "ffi.Array", NULL, 0)};
  TVMFFIAny both = bench_call_once(&subject->iut, "ffi.Array", values, 2);
  for (int i = 0; i < 2; ++i) bench_drop(&subject->iut, &values[i]);
  subject->args[0] = values[0];
  subject->args[1] = subject->args[2] = values[1];
  subject->args[3] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 1};
  return keep(subject, both) && prepare_function(subject, operation);
}

// Gives what it is called with, as callbacks of maps do that change nothing.
static int give_again(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)num_args;
  *result = args[0];
  return 0;
}

static int give_none(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args;
  *result = any_none();
  return 0;
}

// The same with a callback for the ints. Those of ffi.StructuralMutate say, too, that they are not told
// whether the value may be changed in place.
static bool prepare_called(BenchSubject *subject, const BenchOperation *operation,
                           TVMFFISafeCallType call)
{
  const Iut *iut = &subject->iut;
  TVMFFIObjectHandle function = NULL;
  bool mutates = call == give_again && operation->size == 2;
  if (iut->FunctionCreate(NULL, call, NULL, &function) != 0) return false;
  TVMFFIAny callback[] = {view_of_int(kTVMFFIInt), view_of_object(iut, function), view_of_int(0)};
  callback[2].type_index = kTVMFFIBool;
  TVMFFIAny pair = bench_call_once(iut, "ffi.Array", callback, mutates ? 3 : 2);
  TVMFFIAny parts[3] = {make_value(subject), bench_call_once(iut, "ffi.Array", &pair, 1),
                        bench_call_once(iut, "ffi.Array", NULL, 0)};
  TVMFFIAny all = bench_call_once(iut, "ffi.Array", parts, 3);
  iut->ObjectDecRef(function);
  bench_drop(iut, &pair);
  for (int i = 0; i < 3; ++i) {
    bench_drop(iut, &parts[i]);
    subject->args[i] = parts[i];
  }
  subject->args[3] = view_of_int(1);
  return keep(subject, all) && prepare_function(subject, operation);
}

static bool prepare_called_walk(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_called(subject, operation, give_none);
}

static bool prepare_called_map(BenchSubject *subject, const BenchOperation *operation)
{
  return prepare_called(subject, operation, give_again);
}

static bool prepare_json_graph(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny value[2] = {make_value(subject), any_none()};
  TVMFFIAny graph = bench_call_once(&subject->iut, "ffi.ToJSONGraph", value, 2);
  bench_drop(&subject->iut, &value[0]);
  if (!keep(subject, graph)) return false;
  subject->args[0] = graph;
  return prepare_function(subject, operation);
}

// The keys of two equal values, which an Array holds.
static bool prepare_keys(BenchSubject *subject, const BenchOperation *operation)
{
  TVMFFIAny keys[2];
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny value = make_value(subject);
    keys[i] = bench_call_once(&subject->iut, "ffi.StructuralKey", &value, 1);
    bench_drop(&subject->iut, &value);
  }
  TVMFFIAny both = bench_call_once(&subject->iut, "ffi.Array", keys, 2);
  for (int i = 0; i < 2; ++i) {
    bench_drop(&subject->iut, &keys[i]);
    subject->args[i] = keys[i];
  }
  return keep(subject, both) && prepare_function(subject, operation);
}

// --- The table -----------------------------------------------------------------------------------

#define USE (NEED(FunctionGetGlobal) | NEED(FunctionCall) | NEED(ObjectDecRef))
#define CALLED (USE | NEED(FunctionCreate))

static const BenchOperation operations[] = {
    {"ffi.json.Parse, 400 bytes", USE, 1, 1, prepare_text, bench_call_and_drop},
    {"ffi.json.Stringify, 400 bytes", USE, 1, 2, prepare_value_and_none, bench_call_and_drop},
    {"ffi.ToJSONGraphString, 33 values", USE, 1, 2, prepare_value_and_none, bench_call_and_drop},
    {"ffi.FromJSONGraphString, 33 values", USE, 1, 1, prepare_graph, bench_call_and_drop},
    {"ffi.ToJSONGraph, 33 values", USE, 1, 2, prepare_value_and_none, bench_call_and_drop},
    {"ffi.FromJSONGraph, 33 values", USE, 1, 1, prepare_json_graph, bench_call_and_drop},
    {"ffi.ReprPrint, 33 values", USE, 1, 1, prepare_value, bench_call_and_drop},
    {"ffi.DeepCopy, 33 values", USE, 1, 1, prepare_value, bench_call_and_drop},
    {"ffi.RecursiveEq, 33 values", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveHash, 33 values", USE, 1, 1, prepare_value, bench_call_and_drop},
    {"ffi.RecursiveLt, 33 values", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveLe, 33 values", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveGt, 33 values", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.RecursiveGe, 33 values", USE, 1, 2, prepare_two, bench_call_and_drop},
    {"ffi.StructuralEqual, 33 values", USE, 1, 4, prepare_two, bench_call_and_drop},
    {"ffi.StructuralHash, 33 values", USE, 1, 3, prepare_value, bench_call_and_drop},
    {"ffi.GetFirstStructuralMismatch, 33 values", USE, 1, 4, prepare_two, bench_call_and_drop},
    {"ffi.StructuralKey, 33 values", USE, 1, 1, prepare_value, bench_call_and_drop},
    {"ffi.StructuralKeyEqual, 33 values", USE, 1, 2, prepare_keys, bench_call_and_drop},
    {"ffi.StructuralWalk, 33 values", USE, 1, 4, prepare_walk, bench_call_and_drop},
    {"ffi.StructuralWalk, with a callback", CALLED, 1, 4, prepare_called_walk, bench_call_and_drop},
    {"ffi.StructuralVisit, with a callback", CALLED, 1, 2, prepare_called_walk,
     bench_call_and_drop},
    {"ffi.StructuralMap, with a callback", CALLED, 1, 4, prepare_called_map, bench_call_and_drop},
    {"ffi.StructuralMutate, with a callback", CALLED, 1, 2, prepare_called_map,
     bench_call_and_drop},
    {"ffi.StructuralVisit, 33 values", USE, 1, 2, prepare_walk, bench_call_and_drop},
    {"ffi.StructuralMap, 33 values", USE, 1, 4, prepare_walk, bench_call_and_drop},
    {"ffi.StructuralMutate, 33 values", USE, 1, 2, prepare_walk, bench_call_and_drop},
    {"ffi.ContainerFindFirstNonCPUDevice, 33 values", USE, 1, 1, prepare_value,
     bench_call_and_drop},
};
const BenchGroup bench_reflection_group = {operations, sizeof operations / sizeof *operations};
