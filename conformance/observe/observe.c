// SPDX-License-Identifier: Apache-2.0
#include "observe/observe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) Observer tvmffi_observer;

void observe_enter(AbiFunctionId function)
{
  if (atomic_load_explicit(&tvmffi_observer.watching, memory_order_relaxed))
    atomic_fetch_add(&tvmffi_observer.calls[function], 1);
  if (tvmffi_observer.present[function]) return;
  if (tvmffi_observer.on_missing) tvmffi_observer.on_missing(function);
  abort();
}

ObservedCall *observe_note(AbiFunctionId function)
{
  if (!atomic_load_explicit(&tvmffi_observer.watching, memory_order_relaxed)) return NULL;
  unsigned index = atomic_fetch_add(&tvmffi_observer.noted, 1);
  if (index >= OBSERVE_LOG_MAX) return NULL;
  ObservedCall *call = &tvmffi_observer.log[index];
  memset(call, 0, sizeof *call);
  call->function = function;
  call->thread = (pid_t)syscall(SYS_gettid);
  return call;
}
