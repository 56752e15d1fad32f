// SPDX-License-Identifier: Apache-2.0
// What the files of the stand-in for the driver share: objects behind handles, the memory of the
// devices, and the account.
#ifndef TVMFFI_CONFORMANCE_CUDA_STATE_H_
#define TVMFFI_CONFORMANCE_CUDA_STATE_H_

#include <pthread.h>

#include "cuda/account.h"
#include "cuda/image.h"

#define CUDA_EXPORT __attribute__((visibility("default")))

// Numbers of the driver's errors, as its documentation has them.
enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  LAUNCH_OUT_OF_RESOURCES = 701,
  NOT_SUPPORTED = 801,
  UNKNOWN = 999,
};

typedef enum ObjectKind {
  OBJECT_FREE = 0,
  OBJECT_CONTEXT,
  OBJECT_STREAM,
  OBJECT_EVENT,
  OBJECT_MODULE,    // a library, too
  OBJECT_FUNCTION,  // a kernel, too
  OBJECT_POOL,
} ObjectKind;

// What a handle points to.
typedef struct Object {
  ObjectKind kind;
  int device;
  unsigned flags, references;
  int priority;
  const void *image;       // OBJECT_MODULE: borrowed, or NULL where it can't be read
  struct Object *module;   // OBJECT_FUNCTION
  struct Object *next;     // OBJECT_MODULE: its first function; OBJECT_FUNCTION: the next
  struct Object *context;  // OBJECT_STREAM, OBJECT_EVENT
  bool recorded;           // OBJECT_EVENT
  int64_t time_ns;         // OBJECT_EVENT
  int shared_most;         // OBJECT_FUNCTION: bytes of dynamic shared memory
  ImageKernel kernel;      // OBJECT_FUNCTION
} Object;

extern pthread_mutex_t cuda_lock;

// A new object; NULL if there is no room. Call with the lock not held. Own: object_free.
Object *object_new(ObjectKind kind);
void object_free(Object *object);
// Whether the handle is of a living object of this kind.
bool object_is(const void *handle, ObjectKind kind);

// --- The account ---------------------------------------------------------------------------------

// Whether a request of this kind is to be refused by order of the suite; counts it.
bool account_refuses(CudaKind kind);
// Notes a request that came to `work->error`; kind, device and thread are filled in here.
void account_note(CudaKind kind, CudaWork *work);
void account_gain(CudaKind kind);
void account_lose(CudaKind kind);

// --- Contexts ------------------------------------------------------------------------------------

bool is_initialized(void);
// OK, or what a call that needs a context fails with.
int need_context(void);
// The device of the current context; 0 if there is none.
int current_device(void);
Object *current_context(void);
// OK if `handle` names a stream, a default one included; `device` becomes that of it.
int check_stream(const void *handle, int *device);

// --- Memory --------------------------------------------------------------------------------------

// Memory of the device, or of the host where `on_host`; 0 if there is none.
uintptr_t memory_new(size_t size, int device, bool on_host);
bool memory_free(uintptr_t address);
// The piece that holds an address.
typedef struct MemoryFacts {
  uintptr_t address;
  size_t size;
  int device;
  bool on_host;
} MemoryFacts;
bool memory_find(uintptr_t address, MemoryFacts *facts);
// Copies, whatever the two addresses are. False if one of them can't be reached.
bool memory_copy(uintptr_t to, uintptr_t from, size_t size);
// Sets `count` elements of `width` bytes.
bool memory_set(uintptr_t to, unsigned value, size_t width, size_t count);
// Copies from any address of this process; false where nothing can be read.
bool read_safely(void *to, uintptr_t from, size_t size);

#endif  // TVMFFI_CONFORMANCE_CUDA_STATE_H_
