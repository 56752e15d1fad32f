// SPDX-License-Identifier: Apache-2.0
// A hostile library is the reference runtime and one misdeed. One file is one library. Those named
// load_*.c do it when they are loaded:
//
//   WHEN_LOADED { raise(SIGSTOP); }
//
// and those named call_*.c when TVMFFIStringFromByteArray is called, which the reference's own
// TVMFFIBytesFromByteArray does not do:
//
//   WHEN_CALLED { raise(SIGSTOP); return MAKE_STRING; }
//
// Those named ask_*.c have a TVMFFIGetVersion or a TVMFFIBacktrace of their own: what the engine
// itself calls.
#ifndef TVMFFI_CONFORMANCE_TESTS_HOSTILE_HOSTILE_H_
#define TVMFFI_CONFORMANCE_TESTS_HOSTILE_HOSTILE_H_

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#define WHEN_LOADED                                          \
  static void misdeed(void);                                 \
  __attribute__((constructor)) static void when_loaded(void) \
  {                                                          \
    misdeed();                                               \
  }                                                          \
  static void misdeed(void)

// The reference's own function, renamed by the build.
extern int reference_TVMFFIStringFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out);
#define MAKE_STRING reference_TVMFFIStringFromByteArray(input, out)

#define WHEN_CALLED                                                     \
  __attribute__((visibility("default"))) int TVMFFIStringFromByteArray( \
      __attribute__((unused)) const TVMFFIByteArray *input,             \
      __attribute__((unused)) TVMFFIAny *out)

// What the compiler must not know: that it is NULL, that it is zero.
static void *volatile nowhere;
static volatile int zero;

static inline void look_around(void)
{
  (void)nowhere;
  (void)zero;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_HOSTILE_HOSTILE_H_
