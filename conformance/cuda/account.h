// SPDX-License-Identifier: Apache-2.0
// What the stand-ins for CUDA note of what passes, and how they are told to fail.
//
// The stand-ins are two libraries that a kernel module finds in the place of NVIDIA's: the driver
// (libcuda.so.1) and the dynamic runtime (libcudart.so.12, .13), which is a layer above the driver
// here, too. They keep account of contexts, memory, modules, streams, events and launches as the
// real ones do, refuse what the real ones refuse, copy and set memory of the device, and compute
// nothing: a kernel that is launched is noted, and does not run. Memory of the device has addresses
// that the host can't touch.
//
// Whoever loads them (kernel/kernel_cuda.c) finds `tvmffi_cuda_account` in the driver. The stand-ins
// take no memory by malloc(): what a module requests is told apart from what they do.
#ifndef TVMFFI_CONFORMANCE_CUDA_ACCOUNT_H_
#define TVMFFI_CONFORMANCE_CUDA_ACCOUNT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  CUDA_DEVICES = 2,
  CUDA_WORK_MAX = 512,
  CUDA_NAME_MAX = 128,
  CUDA_ARGUMENTS_MAX = 64,
  CUDA_ARGUMENT_BYTES = 1024,
};

typedef enum CudaKind {
  CUDA_LAUNCH,
  CUDA_COPY,
  CUDA_SET,
  CUDA_ALLOCATION,
  CUDA_STREAM,  // creating one
  CUDA_EVENT,
  CUDA_MODULE,
  // What puts streams in order; nothing of it can be told to fail.
  CUDA_RECORD,       // an event is recorded on a stream
  CUDA_WAIT,         // a stream waits for an event
  CUDA_SYNCHRONIZE,  // the host waits for a stream, an event or a whole device
  CUDA_KIND_COUNT
} CudaKind;

// One thing that was asked for, done or refused.
typedef struct CudaWork {
  CudaKind kind;
  int error;  // what it was refused with; 0: it was done
  int device;
  pid_t thread;
  const void *stream;          // NULL: the default stream
  const void *event;           // CUDA_RECORD, CUDA_WAIT
  bool waits;                  // the host waits for its end, whatever the stream
  char name[CUDA_NAME_MAX];    // CUDA_LAUNCH: of the kernel; CUDA_MODULE: ""
  unsigned grid[3], block[3];  // CUDA_LAUNCH
  size_t shared;               // CUDA_LAUNCH: bytes of dynamic shared memory
  uintptr_t to, from;          // CUDA_COPY, CUDA_SET, CUDA_ALLOCATION: addresses
  size_t size;                 // the same: bytes
  // CUDA_LAUNCH: the arguments, one behind the other, as far as the image says how large they are.
  bool has_arguments;
  unsigned argument_count;
  uint16_t argument_at[CUDA_ARGUMENTS_MAX], argument_size[CUDA_ARGUMENTS_MAX];
  unsigned char arguments[CUDA_ARGUMENT_BYTES];
} CudaWork;

typedef struct CudaAccount {
  // While it is set, what passes is noted and may be told to fail; what the suite does itself is
  // not.
  atomic_bool watching;
  atomic_uint asked[CUDA_KIND_COUNT];  // how often each was asked for while it watched
  atomic_uint done[CUDA_KIND_COUNT];   // and was not refused
  atomic_uint noted;                   // entries of `work` that are taken, may exceed its size
  CudaWork work[CUDA_WORK_MAX];

  // From the n-th request of a kind on (1: the next) each is refused; 0: none is.
  atomic_uint refuse[CUDA_KIND_COUNT];

  // What there is now, whoever made it: pieces and bytes of memory, streams, events, modules.
  atomic_uint live[CUDA_KIND_COUNT];
  atomic_size_t live_bytes;

  // A function is called that the stand-ins lack: what the module does from here on says nothing.
  // May not return; while it is NULL the call is refused as not supported.
  void (*on_lacking)(const char *what);
} CudaAccount;

#define CUDA_ACCOUNT_SYMBOL "tvmffi_cuda_account"

// The one of this process; exported by the stand-in for the driver.
extern CudaAccount tvmffi_cuda_account;

#endif  // TVMFFI_CONFORMANCE_CUDA_ACCOUNT_H_
