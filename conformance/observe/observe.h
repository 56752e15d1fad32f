// SPDX-License-Identifier: Apache-2.0
// The observer: a library that exports the C API, notes what passes, and hands every call on to a
// real runtime. It is loaded between a kernel module and its runtime: the module's TVMFFI* symbols
// resolve to it, whether or not the module names libtvm_ffi.so as a library that it needs.
//
// Whoever loads it (kernel/kernel_host.c) finds `tvmffi_observer` in it, fills in the real functions,
// and reads the log afterwards. The observer itself allocates nothing, raises nothing and keeps no
// reference: what it notes are values.
#ifndef TVMFFI_CONFORMANCE_OBSERVE_OBSERVE_H_
#define TVMFFI_CONFORMANCE_OBSERVE_OBSERVE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/abi.h"

enum { OBSERVE_LOG_MAX = 1024, OBSERVE_TEXT_MAX = 80, OBSERVE_STREAMS_MAX = 8 };

// One call of a function of the C API, as it was made. Which members are filled depends on the
// function: observe_hooks.c has the list.
typedef struct ObservedCall {
  AbiFunctionId function;
  pid_t thread;
  int returned;                 // 0 for a function without a code
  int32_t first, second;        // two numbers: the device type and id of a stream query, ...
  const void *object;           // what was handed in or came out
  char text[OBSERVE_TEXT_MAX];  // the name that was looked up, the kind of a raised error; "" else
} ObservedCall;

// A stream that the observer answers with, in the place of the runtime.
typedef struct ObservedStream {
  int32_t device_type, device_id;
  TVMFFIStreamHandle stream;
} ObservedStream;

typedef struct Observer {
  AbiApi real;  // filled by the host; NULL where the runtime has no such function
  bool present[ABI_FUNCTION_COUNT];            // which of them are filled
  void (*on_missing)(AbiFunctionId function);  // the module calls what the runtime lacks; may not
                                               // return

  // While it is set, calls are counted and noted; calls that the suite makes itself are not.
  atomic_bool watching;
  atomic_uint calls[ABI_FUNCTION_COUNT];  // how often each was called while it watched
  atomic_uint noted;                      // entries of `log` that are taken, may exceed its size
  ObservedCall log[OBSERVE_LOG_MAX];

  // What EnvGetStream answers for these devices; the runtime is not asked then.
  ObservedStream streams[OBSERVE_STREAMS_MAX];
  atomic_uint stream_count;
  // The n-th allocation from here on is refused (1: the next one); 0: none is.
  atomic_uint refuse_allocation;
  // The same for a call of a function, and for a look-up of one.
  atomic_uint refuse_call, refuse_lookup;
} Observer;

// The one of this process; exported by the library.
extern Observer tvmffi_observer;

// A free entry of the log with function and thread filled in; NULL if it is full or nobody watches.
ObservedCall *observe_note(AbiFunctionId function);

// Where a call goes: to a hook of observe_hooks.c where there is one, else to the runtime. NULL: to
// the runtime.
typedef struct ObserveHooks {
#define ABI_FUNCTION(chapter, since, result, name, parameters) result(*name) parameters;
#include "abi/functions.def"
} ObserveHooks;

extern const ObserveHooks observe_hooks;

// Counts a call; ends the case where the runtime has no such function.
void observe_enter(AbiFunctionId function);

#endif  // TVMFFI_CONFORMANCE_OBSERVE_OBSERVE_H_
