// SPDX-License-Identifier: Apache-2.0
// Reaches a runtime in the ways in which programs do, and makes a wrong call in each.
//
//   trace_routes RUNTIME.so MODULE.so...
#include <dlfcn.h>
#include <stdio.h>

#include "abi/abi.h"

static int anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static void bind(AbiApi *api, void *library)
{
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)api)[i] = dlsym(library, abi_functions[i].symbol);
}

// Each function makes the call itself, so that a finding names it.
#define ROUTE(name, open)                                                                          \
  __attribute__((noinline)) static int name(const char *path)                                      \
  {                                                                                                \
    AbiApi api;                                                                                    \
    void *library = open;                                                                          \
    (void)path;                                                                                    \
    TVMFFIObjectHandle function = NULL;                                                            \
    TVMFFIAny argument = {.type_index = kTVMFFIInt, .zero_padding = 1}, result = {0};              \
    bind(&api, library);                                                                           \
    if (!api.FunctionCreate || api.FunctionCreate(NULL, anything, NULL, &function) != 0) return 1; \
    return api.FunctionCall(function, &argument, 1, &result);                                      \
  }

ROUTE(by_local_handle, dlopen(path, RTLD_NOW | RTLD_LOCAL))
ROUTE(by_deep_handle, dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND))
ROUTE(by_namespace, dlmopen(LM_ID_NEWLM, path, RTLD_NOW | RTLD_LOCAL))
ROUTE(by_default, (dlopen(path, RTLD_NOW | RTLD_GLOBAL), RTLD_DEFAULT))

static int by_module(const char *path, int flags)
{
  void *module = dlopen(path, flags);
  int (*route)(void) = NULL;
  if (module) *(void **)(void *)&route = dlsym(module, "route");
  if (!route) fprintf(stderr, "%s\n", dlerror());
  return route ? route() : 1;
}

int main(int argc, char **argv)
{
  if (argc < 3) return 64;
  int bad = by_local_handle(argv[1]) | by_deep_handle(argv[1]) | by_namespace(argv[1]) |
            by_default(argv[1]);
  for (int i = 2; i < argc; ++i)
    bad |= by_module(argv[i], i % 2 ? RTLD_LAZY : RTLD_LAZY | RTLD_DEEPBIND);
  puts("end");
  return bad;
}
