// SPDX-License-Identifier: Apache-2.0
// Handles that are initialized once: the runtime calls the initializer through the layer.
#include "layer/once.h"

#include "layer/errors.h"
#include "layer/hooks.h"
#include "layer/memory.h"
#include "layer/threads.h"

// Calls that have not returned. What has no room is not checked.
enum { CALLS = 64 };
typedef struct OnceCall {
  _Atomic uintptr_t thread;  // its threads_pointer; 0: free
  const LayerSite *at;
  void **slot;
  int (*init)(void **result);
  bool started;
} OnceCall;
static OnceCall calls[CALLS];

// A call of this thread with this slot (NULL: any) that fits.
static OnceCall *find(void **slot, bool started)
{
  for (OnceCall *call = calls; call < calls + CALLS; ++call)
    if (atomic_load(&call->thread) == threads_pointer() && call->started == started &&
        (!slot || call->slot == slot))
      return call;
  return NULL;
}

static OnceCall *claim(void)
{
  for (OnceCall *call = calls; call < calls + CALLS; ++call) {
    uintptr_t nobody = 0;
    if (atomic_compare_exchange_strong(&call->thread, &nobody, threads_pointer())) return call;
  }
  return NULL;
}

void once_forked(void)
{
  for (OnceCall *call = calls; call < calls + CALLS; ++call)
    if (atomic_load(&call->thread) != threads_pointer()) atomic_store(&call->thread, 0);
}

// A runtime may hold a lock while it initializes a handle, so this is told before it is called.
static void check_nested(const LayerSite *at, const LayerParties *who, void **slot)
{
  if (find(slot, true)) {
    LAYER_REPORT(CHECK_ONCE_REENTERED, who, NULL, 0);
    return;
  }
  const OnceCall *outer = find(NULL, true);
  if (outer && outer->at->runtime == at->runtime && memory_is_readable(slot, sizeof *slot) &&
      !__atomic_load_n(slot, __ATOMIC_ACQUIRE))
    LAYER_REPORT(CHECK_ONCE_NESTED, who, NULL, 0);
}

static int ffi_call_initializer(void **result)
{
  OnceCall *call = find(NULL, false);
  if (!call) return -1;
  call->started = true;
  int code = call->init(result);
  const LayerParties who = {call->at->caller, (uintptr_t)call->init, call->at->function,
                            call->at->runtime};
  if (code == 0 && result && !*result)
    LAYER_REPORT(CHECK_ONCE_NOTHING, &who, NULL, 0);
  else if (code != 0 && !errors_raised())
    LAYER_REPORT(CHECK_ONCE_NO_ERROR, &who, NULL, code);
  return code;
}

int ffi_call_once_HandleInitOnce(const LayerSite *at, void **handle_addr,
                                 int (*init_func)(void **result))
{
  int (*real)(void **, int (*)(void **)) = at->runtime->real.HandleInitOnce;
  const LayerParties who = {at->caller, (uintptr_t)init_func, at->function, at->runtime};
  if (handle_addr) check_nested(at, &who, handle_addr);
  OnceCall *call = handle_addr && init_func ? claim() : NULL;
  if (!call) return real(handle_addr, init_func);
  call->at = at;
  call->slot = handle_addr;
  call->init = init_func;
  call->started = false;
  int code = real(handle_addr, ffi_call_initializer);
  call->started = false;
  call->slot = NULL;
  atomic_store(&call->thread, 0);
  return code;
}
