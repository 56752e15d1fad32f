// SPDX-License-Identifier: Apache-2.0
// A stream of the kernel's own, which waits for the caller's; and how one stream waits for another.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_OWN_STREAM_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_OWN_STREAM_H_

#define CALLERS_STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#define STREAM behind(CALLERS_STREAM)

static void *behind(void *callers);
static void wait_for(void *waiting, void *on);
static void *stream, *event;

#include "kernels_device/add_one_on_device.h"

static int call(const char *name, void *first, void *second)
{
  int (*function)(void *, void *, unsigned);
  void *found = driver_symbol(name);
  memcpy(&function, &found, sizeof function);
  return found ? function(first, second, 0) : -1;
}

static inline void wait_for(void *waiting, void *on)
{
  call("cuEventRecord", event, on);
  call("cuStreamWaitEvent", waiting, event);
}

static void make(const char *name, void **out)
{
  int (*create)(void **, unsigned);
  void *found = driver_symbol(name);
  enum { NON_BLOCKING = 1 };
  memcpy(&create, &found, sizeof create);
  if (found && !*out) create(out, NON_BLOCKING);
}

static void *behind(void *callers)
{
  make("cuStreamCreate", &stream);
  make("cuEventCreate", &event);
  wait_for(stream, callers);
  return stream;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_STAND_IN_OWN_STREAM_H_
