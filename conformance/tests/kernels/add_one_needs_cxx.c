// SPDX-License-Identifier: Apache-2.0
// caught by load.symbols-resolve saying --runtime names one that has it
extern void _ZN3tvm3ffi4json9StringifyEv(void);

static volatile int never;

#define FIRST \
  if (never) _ZN3tvm3ffi4json9StringifyEv()
#include "add_one.h"
