// SPDX-License-Identifier: Apache-2.0
#include "layer/lookups.h"

#include <string.h>

#include "layer/hooks.h"
#include "layer/shadow.h"
#include "layer/threads.h"

// --- Look-ups within look-ups --------------------------------------------------------------------

// Those that are not over. What has no room is not checked.
enum { LOOKUPS = 64 };
typedef struct Lookup {
  _Atomic uintptr_t thread;  // its threads_pointer; 0: free
  const LayerRuntime *_Atomic runtime;
} Lookup;
static Lookup lookups[LOOKUPS];

static bool is_looking_up(const LayerRuntime *runtime)
{
  for (const Lookup *lookup = lookups; lookup < lookups + LOOKUPS; ++lookup)
    if (atomic_load(&lookup->thread) == threads_pointer() &&
        atomic_load(&lookup->runtime) == runtime)
      return true;
  return false;
}

static Lookup *begin(const LayerRuntime *runtime)
{
  for (Lookup *lookup = lookups; lookup < lookups + LOOKUPS; ++lookup) {
    uintptr_t nobody = 0;
    if (!atomic_compare_exchange_strong(&lookup->thread, &nobody, threads_pointer())) continue;
    atomic_store(&lookup->runtime, runtime);
    return lookup;
  }
  return NULL;
}

static void end(Lookup *lookup)
{
  if (!lookup) return;
  atomic_store(&lookup->runtime, NULL);
  atomic_store(&lookup->thread, 0);
}

void lookups_forked(void)
{
  for (Lookup *lookup = lookups; lookup < lookups + LOOKUPS; ++lookup)
    if (atomic_load(&lookup->thread) != threads_pointer()) end(lookup);
}

// --- Names of data -------------------------------------------------------------------------------

// What libraries have under these names is never a function.
static const char *data_name(const char *name, size_t size)
{
  static const char *const names[] = {"_library_ctx", "_library_bin"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (size == strlen(names[i]) && memcmp(name, names[i], size) == 0) return names[i];
  return NULL;
}

static const char *data_name_of(const TVMFFIAny *value)
{
  const TVMFFIByteArray *bytes = NULL;
  if (value->type_index == kTVMFFIRawStr) return data_name(value->v_c_str, strlen(value->v_c_str));
  if (value->type_index == kTVMFFIStr)
    bytes = (const TVMFFIByteArray *)(value->v_obj + 1);
  else if (value->type_index == kTVMFFIByteArrayPtr)
    bytes = value->v_ptr;
  return bytes ? data_name(bytes->data, bytes->size) : NULL;
}

// The function of each runtime that looks functions up in modules.
static _Atomic uintptr_t getters[LAYER_RUNTIMES_MAX];

static void note_getter(const LayerRuntime *runtime, const TVMFFIByteArray *name,
                        const void *function)
{
  static const char getter[] = "ffi.ModuleGetFunction";
  if (name->size != sizeof getter - 1 || memcmp(name->data, getter, name->size) != 0) return;
  atomic_store(&getters[runtime - tvmffi_layer_link.runtimes], (uintptr_t)function);
}

// Its arguments were right, so they can be read.
void lookups_check_found(const void *called, const TVMFFIAny *args, int32_t num_args,
                         const LayerParties *who)
{
  bool is_getter = false;
  for (unsigned i = 0; i < LAYER_RUNTIMES_MAX; ++i)
    is_getter |= atomic_load_explicit(&getters[i], memory_order_relaxed) == (uintptr_t)called;
  if (!is_getter || num_args < 2 || args[0].type_index != kTVMFFIModule) return;
  const char *name = data_name_of(&args[1]);
  if (name) LAYER_REPORT(CHECK_FUNCTION_DATA, who, name, 0);
}

// A global function may have any name, and is found if no import has one.
static void check_imported(const LayerSite *at, const char *name, const void *found)
{
  const AbiApi *real = &at->runtime->real;
  const char *of_data = data_name(name, strlen(name));
  if (!of_data || !real->FunctionGetGlobal || !real->ObjectDecRef) return;
  const TVMFFIByteArray key = {name, strlen(name)};
  const LayerParties who = {at->caller, (uintptr_t)real->EnvModLookupFromImports, at->function,
                            at->runtime};
  TVMFFIObjectHandle global = NULL;
  if (real->FunctionGetGlobal(&key, &global) != 0) return;
  if (global != found) LAYER_REPORT(CHECK_FUNCTION_DATA, &who, of_data, 0);
  if (global) real->ObjectDecRef(global);
}

// --- Functions of the C API ----------------------------------------------------------------------

int ffi_call_lookups_FunctionGetGlobal(const LayerSite *at, const TVMFFIByteArray *name,
                                       TVMFFIObjectHandle *out)
{
  int code = at->runtime->real.FunctionGetGlobal(name, out);
  if (code == 0 && out && *out) note_getter(at->runtime, name, *out);
  return code;
}

static void check_context(const LayerSite *at, const TVMFFIObject *context)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (!context)
    LAYER_REPORT(CHECK_CONTEXT_NULL, &who, NULL, 0);
  else if (shadow_can_read(context) && context->type_index == kTVMFFIModule &&
           (uint32_t)context->combined_ref_count == 0)
    LAYER_REPORT(CHECK_CONTEXT_DEAD, &who, NULL, 0);
}

// A runtime may hold a lock while it searches, so what is found then is told before it is called.
int ffi_call_lookups_EnvModLookupFromImports(const LayerSite *at, TVMFFIObjectHandle library_ctx,
                                             const char *func_name, TVMFFIObjectHandle *out)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  check_context(at, library_ctx);
  if (is_looking_up(at->runtime)) LAYER_REPORT(CHECK_LOOKUP_NESTED, &who, NULL, 0);
  Lookup *lookup = begin(at->runtime);
  int code = at->runtime->real.EnvModLookupFromImports(library_ctx, func_name, out);
  end(lookup);
  if (code == 0 && func_name && out && *out) check_imported(at, func_name, *out);
  return code;
}
