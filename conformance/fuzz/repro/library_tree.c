// SPDX-License-Identifier: Apache-2.0
#ifndef PAYLOAD
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static void *runtime;
#define API(name) ((__typeof__(&TVMFFI##name))dlsym(runtime, "TVMFFI" #name))
typedef int Register(const char *name, void *address);
typedef int LookUp(void *context, const char *name, TVMFFIObjectHandle *out);

static void **context, **symbol;  // variables of the library
enum { CALLS_MAX = 1024 };
static int called;  // loaders of the payload, with what, and what they gave
static const char *called_kind[CALLS_MAX];
static unsigned long long called_value[CALLS_MAX];
static TVMFFIObject *called_gave[CALLS_MAX];

// Own: what a module imports; None if that is nothing.
static TVMFFIAny imports_of(TVMFFIObject *module)
{
  const TVMFFITypeInfo *info = API(GetTypeInfo)(kTVMFFIModule);
  TVMFFIAny imports = {.type_index = kTVMFFINone};
  for (int i = 0; info && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo *field = &info->fields[i];
    if (field->name.size == 8 && memcmp(field->name.data, "imports_", 8) == 0)
      field->getter((char *)module + field->offset, &imports);
  }
  return imports;
}

// The loader of each entry was called with its value, and nothing else was.
static int calls_are_due(void)
{
  int next = 0;
  for (int i = 0; i < ENTRIES; ++i) {
    if (entries[i].is_library) continue;
    if (next == called || strlen(called_kind[next]) != entries[i].size ||
        memcmp(called_kind[next], entries[i].kind, entries[i].size) != 0 ||
        called_value[next] != entries[i].value)
      return 0;
    ++next;
  }
  return next == called;
}

// Each module that is met imports what its entry says, in this order.
static int tree_is_due(TVMFFIObject *root)
{
  static TVMFFIObject *module_of_entry[ENTRIES + 1];
  static int queue[ENTRIES + 1], first[ENTRIES + 1];
  int end = 0, due = 1, next = 0, at = 0;
  for (int i = 0; i < ENTRIES; at += entries[i++].imports) {
    module_of_entry[i] = entries[i].is_library ? NULL : called_gave[next++];
    first[i] = at;
  }
  if (module_of_entry[0] ? module_of_entry[0] != root : called && root == called_gave[0]) return 0;
  module_of_entry[0] = root;
  queue[end++] = 0;
  for (int i = 0; i < end && due; ++i) {
    int entry = queue[i];
    TVMFFIAny array = imports_of(module_of_entry[entry]);
    const TVMFFISeqCell *cell = array.type_index == kTVMFFIArray ? (void *)(array.v_obj + 1) : NULL;
    due = (cell ? cell->size : 0) == entries[entry].imports;
    for (int k = 0; due && k < entries[entry].imports; ++k) {
      int child = children[first[entry] + k], known = 0;
      TVMFFIObject *import = ((TVMFFIAny *)cell->data)[k].v_obj;
      if (!module_of_entry[child]) module_of_entry[child] = import;
      due = module_of_entry[child] == import;
      for (int q = 0; q < end; ++q) known |= queue[q] == child;
      if (!known) queue[end++] = child;
    }
    if (cell) API(ObjectDecRef)(array.v_obj);
  }
  return due;
}

// The functions of the first modules of a load, each of which gives its number.
#define MINE(n)                                                                            \
  static int mine_##n(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result) \
  {                                                                                        \
    (void)self, (void)args, (void)count;                                                   \
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = n};                         \
    return 0;                                                                              \
  }
MINE(0)
MINE(1)
MINE(2)
MINE(3)

static void name_modules(int made)
{
  static int (*const mine[])(void *, const TVMFFIAny *, int32_t, TVMFFIAny *) = {mine_0, mine_1,
                                                                                 mine_2, mine_3};
  Register *enter = (Register *)dlsym(runtime, "TVMFFIEnvModRegisterSystemLibSymbol");
  char name[64];
  for (int i = 0; i < 4; ++i) {
    snprintf(name, sizeof name, "__tvm_ffi_repro_%d_mine", made + i);
    enter(strdup(name), (void *)mine[i]);
  }
}

// A look-up by the context finds what the library imports first.
static int context_is_due(void)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  LookUp *look_up_in = (LookUp *)dlsym(runtime, "TVMFFIEnvModLookupFromImports");
  if (!*context) return 0;
  int code = look_up_in(*context, "mine", &function);
  if (code == 0 && function) code = API(FunctionCall)(function, NULL, 0, &result);
  if (code != 0) API(ErrorMoveFromRaised)(&function);
  return FIRST < 0 ? code != 0 : code == 0 && result.v_int64 == FIRST;
}
#endif
