// SPDX-License-Identifier: Apache-2.0
#include "module_node.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/c_module.h>

#include "call.h"
#include "probe.h"

atomic_int nodes_living;
static atomic_int next_number;
static TVMFFIObject *_Atomic last;  // borrow

typedef struct {
  int64_t number;
  size_t size;
  char name[];
} Node;

static int give_number(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = view_int((intptr_t)self - 1);
  return 0;
}

static int node_get_function(void *self, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  const Node *node = self;
  if (name->size != node->size || memcmp(name->data, node->name, node->size) != 0) return 0;
  return TVMFFIFunctionCreate((void *)(intptr_t)(node->number + 1), give_number, NULL, out);
}

static void node_delete(void *self)
{
  --nodes_living;
  free(self);
}

static const tvmffi_module_kind node_kind = {.size = sizeof node_kind,
                                             .name = "node",
                                             .property_mask = TVMFFI_MODULE_RUNNABLE,
                                             .get_function = node_get_function,
                                             .deleter = node_delete};

TVMFFIObject *node_new(const char *name, size_t size)
{
  Node *node = malloc(sizeof *node + size);
  TVMFFIObjectHandle module = NULL;
  if (node == NULL) {
    TVMFFIErrorSetRaisedFromCStr("InternalError", "no memory for a node");
    return NULL;
  }
  node->number = next_number++;
  node->size = size;
  if (size != 0) memcpy(node->name, name, size);
  if (tvmffi_module_create(&node_kind, node, &module) != 0) {
    free(node);
    return NULL;
  }
  ++nodes_living;
  last = module;
  return module;
}

static bool is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

// A node that imports another one, which imports the last one.
static TVMFFIObject *node_to_last(void)
{
  TVMFFIObject *to = last, *middle = node_new("middle", 6), *top = node_new("top", 3);
  (void)call("ffi.ModuleImportModule", ARGS(view_object(middle), view_object(to)));
  (void)call("ffi.ModuleImportModule", ARGS(view_object(top), view_object(middle)));
  TVMFFIObjectDecRef(middle);
  return top;
}

static int load_node(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)num_args;
  TVMFFIByteArray text = {args[0].v_bytes, args[0].small_str_len};
  if (args[0].type_index == kTVMFFIBytes)
    text = *(TVMFFIByteArray *)((TVMFFIObject *)args[0].v_obj + 1);
  TVMFFIObject *module;
  if (is(&text, "none")) return 0;
  if (is(&text, "silent")) return -1;
  if (is(&text, "raise")) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the loader had to");
    return -1;
  }
  if (is(&text, "error")) {
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorCreate(BYTES("k"), BYTES("m"), BYTES(""), &error);
    *result = view_object(error);
    return 0;
  }
  if (is(&text, "loop")) {
    TVMFFIObjectHandle function = NULL;
    TVMFFIAny prefix = view_str("loop");
    TVMFFIFunctionGetGlobal(BYTES("ffi.SystemLib"), &function);
    int code = TVMFFIFunctionCall(function, &prefix, 1, result);
    TVMFFIObjectDecRef(function);
    return code;
  }
  if (is(&text, "again")) {
    module = last;
    TVMFFIObjectIncRef(module);
  } else {
    module = is(&text, "twice") ? node_to_last() : node_new(text.data, text.size);
  }
  if (module == NULL) return -1;
  *result = view_object(module);
  return 0;
}

void nodes_start(void)
{
  TVMFFIObjectHandle function = NULL;
  nodes_living = 0;
  next_number = 0;
  ck_assert_int_eq(TVMFFIFunctionCreate(NULL, load_node, NULL, &function), 0);
  ck_assert_int_eq(TVMFFIFunctionSetGlobal(BYTES("ffi.Module.load_from_bytes.node"), function, 1),
                   0);
  TVMFFIObjectDecRef(function);
}

TVMFFIObject *function_of(TVMFFIObject *module, const char *name)
{
  TVMFFIAny function =
      call("ffi.ModuleGetFunction", ARGS(view_object(module), view_str(name), view_bool(false)));
  if (function.type_index == kTVMFFINone) return NULL;
  ck_assert_int_eq(function.type_index, kTVMFFIFunction);
  return function.v_obj;
}

void load_start(void)
{
  static bool done;
  nodes_start();
  if (done) return;
  done = true;
#define REGISTER(name) \
  ck_assert_int_eq(TVMFFIEnvModRegisterContextSymbol("__" #name, __extension__(void *) name), 0)
  REGISTER(TVMFFIEnvModLookupFromImports);
  REGISTER(TVMFFIFunctionCall);
  REGISTER(TVMFFIErrorSetRaisedFromCStr);
}

int64_t call_one(TVMFFIObject *module, const char *name, TVMFFIAny argument)
{
  TVMFFIObject *function = function_of(module, name);
  ck_assert_ptr_nonnull(function);
  TVMFFIAny result = call_function(function, &argument, 1);
  TVMFFIObjectDecRef(function);
  ck_assert_int_eq(result.type_index, kTVMFFIInt);
  return result.v_int64;
}

int64_t call_in(TVMFFIObject *module, const char *name)
{
  TVMFFIAny function =
      call("ffi.ModuleGetFunction", ARGS(view_object(module), view_str(name), view_bool(true)));
  if (function.type_index == kTVMFFINone) return -1;
  TVMFFIAny number = call_function(function.v_obj, NO_ARGS);
  drop(function);
  ck_assert_int_eq(number.type_index, kTVMFFIInt);
  return number.v_int64;
}

const char *path_of(const char *name)
{
  static _Thread_local char path[4096];
  snprintf(path, sizeof path, "%s/%s.so", TEST_MODULES, name);
  return path;
}

TVMFFIObject *load(const char *name)
{
  return call_object("ffi.ModuleLoadFromFile", ARGS(view_str(path_of(name))));
}

bool is_mapped(const char *name)
{
  void *file = dlopen(path_of(name), RTLD_LAZY | RTLD_NOLOAD);
  if (file != NULL) dlclose(file);
  return file != NULL;
}

bool linker_unmaps(void)
{
  void *file = dlopen(path_of("long_symbol"), RTLD_LAZY | RTLD_LOCAL);
  ck_assert_ptr_nonnull(file);
  dlclose(file);
  return !is_mapped("long_symbol");
}
