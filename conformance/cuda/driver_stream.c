// SPDX-License-Identifier: Apache-2.0
// The stand-in for the driver: streams and events. Everything is done at once, so all are always
// done; who waits for whom is noted.
#include <time.h>

#include "cuda/driver.h"
#include "cuda/state.h"

// Handles that mean the default stream.
static const uintptr_t legacy = 1, per_thread = 2;

int check_stream(const void *handle, int *device)
{
  *device = current_device();
  if (!handle || (uintptr_t)handle == legacy || (uintptr_t)handle == per_thread) return OK;
  if (!object_is(handle, OBJECT_STREAM)) return INVALID_HANDLE;
  *device = ((const Object *)handle)->device;
  return OK;
}

// --- Streams -------------------------------------------------------------------------------------

CUDA_EXPORT int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
  if (need_context() != OK) return need_context();
  if (!stream || flags > 1) return INVALID_VALUE;
  CudaWork work = {.device = current_device()};
  Object *made = account_refuses(CUDA_STREAM) ? NULL : object_new(OBJECT_STREAM);
  work.stream = made;
  work.error = made ? OK : OUT_OF_MEMORY;
  account_note(CUDA_STREAM, &work);
  if (!made) return OUT_OF_MEMORY;
  made->device = current_device();
  made->context = current_context();
  made->flags = flags;
  made->priority = priority;
  account_gain(CUDA_STREAM);
  *stream = made;
  return OK;
}

CUDA_EXPORT int cuStreamCreate(void **stream, unsigned flags)
{
  return cuStreamCreateWithPriority(stream, flags, 0);
}

CUDA_EXPORT int cuStreamDestroy_v2(void *stream)
{
  if (!object_is(stream, OBJECT_STREAM)) return INVALID_HANDLE;
  object_free(stream);
  account_lose(CUDA_STREAM);
  return OK;
}

// What a function of a stream begins with.
static int need_stream(const void *stream, int *device)
{
  return need_context() != OK ? need_context() : check_stream(stream, device);
}

CUDA_EXPORT int cuStreamSynchronize(void *stream)
{
  int device = 0, error = need_stream(stream, &device);
  CudaWork work = {.device = device, .stream = stream, .waits = true};
  if (error == OK) account_note(CUDA_SYNCHRONIZE, &work);
  return error;
}

CUDA_EXPORT int cuStreamQuery(void *stream)
{
  int device;
  return need_stream(stream, &device);
}

CUDA_EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
  int device = 0, error = need_stream(stream, &device);
  (void)flags;
  if (error != OK) return error;
  if (!object_is(event, OBJECT_EVENT)) return INVALID_HANDLE;
  CudaWork work = {.device = device, .stream = stream, .event = event};
  account_note(CUDA_WAIT, &work);
  return OK;
}

CUDA_EXPORT int cuStreamGetFlags(void *stream, unsigned *flags)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK) *flags = object_is(stream, OBJECT_STREAM) ? ((const Object *)stream)->flags : 0;
  return error;
}

CUDA_EXPORT int cuStreamGetPriority(void *stream, int *priority)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK)
    *priority = object_is(stream, OBJECT_STREAM) ? ((const Object *)stream)->priority : 0;
  return error;
}

CUDA_EXPORT int cuStreamGetCtx(void *stream, void **context)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK)
    *context =
        object_is(stream, OBJECT_STREAM) ? ((const Object *)stream)->context : current_context();
  return error;
}

CUDA_EXPORT int cuStreamGetDevice(void *stream, int *device)
{
  return need_stream(stream, device);
}

CUDA_EXPORT int cuStreamGetId(void *stream, unsigned long long *id)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK) *id = (unsigned long long)(uintptr_t)stream;
  return error;
}

CUDA_EXPORT int cuStreamIsCapturing(void *stream, int *status)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK) *status = 0;
  return error;
}

CUDA_EXPORT int cuStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id,
                                          void **graph, const void ***nodes, size_t *count)
{
  (void)id, (void)graph, (void)nodes, (void)count;
  return cuStreamIsCapturing(stream, status);
}

CUDA_EXPORT int cuThreadExchangeStreamCaptureMode(int *mode)
{
  (void)mode;
  return OK;
}

CUDA_EXPORT int cuLaunchHostFunc(void *stream, void (*function)(void *), void *context)
{
  int device = 0, error = need_stream(stream, &device);
  if (error == OK) function(context);
  return error;
}

CUDA_EXPORT int cuStreamAddCallback(void *stream, void (*function)(void *, int, void *),
                                    void *context, unsigned flags)
{
  int device = 0, error = need_stream(stream, &device);
  (void)flags;
  if (error == OK) function(stream, OK, context);
  return error;
}

// --- Events --------------------------------------------------------------------------------------

CUDA_EXPORT int cuEventCreate(void **event, unsigned flags)
{
  if (need_context() != OK) return need_context();
  if (!event) return INVALID_VALUE;
  CudaWork work = {.device = current_device()};
  Object *made = account_refuses(CUDA_EVENT) ? NULL : object_new(OBJECT_EVENT);
  work.event = made;
  work.error = made ? OK : OUT_OF_MEMORY;
  account_note(CUDA_EVENT, &work);
  if (!made) return OUT_OF_MEMORY;
  made->device = current_device();
  made->context = current_context();
  made->flags = flags;
  account_gain(CUDA_EVENT);
  *event = made;
  return OK;
}

CUDA_EXPORT int cuEventDestroy_v2(void *event)
{
  if (!object_is(event, OBJECT_EVENT)) return INVALID_HANDLE;
  object_free(event);
  account_lose(CUDA_EVENT);
  return OK;
}

CUDA_EXPORT int cuEventRecord(void *event, void *stream)
{
  int device = 0, error = need_stream(stream, &device);
  struct timespec now;
  if (error != OK) return error;
  if (!object_is(event, OBJECT_EVENT)) return INVALID_HANDLE;
  Object *object = event;
  clock_gettime(CLOCK_MONOTONIC, &now);
  object->recorded = true;
  object->time_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  CudaWork work = {.device = device, .stream = stream, .event = event};
  account_note(CUDA_RECORD, &work);
  return OK;
}

CUDA_EXPORT int cuEventRecordWithFlags(void *event, void *stream, unsigned flags)
{
  (void)flags;
  return cuEventRecord(event, stream);
}

CUDA_EXPORT int cuEventQuery(void *event)
{
  return object_is(event, OBJECT_EVENT) ? OK : INVALID_HANDLE;
}

CUDA_EXPORT int cuEventSynchronize(void *event)
{
  if (!object_is(event, OBJECT_EVENT)) return INVALID_HANDLE;
  CudaWork work = {.device = current_device(), .event = event, .waits = true};
  account_note(CUDA_SYNCHRONIZE, &work);
  return OK;
}

CUDA_EXPORT int cuEventElapsedTime(float *ms, void *from, void *to)
{
  if (!object_is(from, OBJECT_EVENT) || !object_is(to, OBJECT_EVENT)) return INVALID_HANDLE;
  const Object *first = from, *last = to;
  if (!first->recorded || !last->recorded) return INVALID_HANDLE;
  *ms = (float)(last->time_ns - first->time_ns) / 1e6f;
  return OK;
}

CUDA_EXPORT int cuEventElapsedTime_v2(float *ms, void *from, void *to)
{
  return cuEventElapsedTime(ms, from, to);
}
