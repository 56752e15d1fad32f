// SPDX-License-Identifier: Apache-2.0
// All that a file of cases includes.
#ifndef TVMFFI_CONFORMANCE_BATTERY_BATTERY_H_
#define TVMFFI_CONFORMANCE_BATTERY_BATTERY_H_

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "battery/access.h"
#include "battery/clock.h"
#include "battery/expect.h"
#include "battery/faults.h"
#include "battery/fence.h"
#include "battery/iut.h"
#include "battery/objects.h"
#include "battery/probe.h"
#include "battery/tried.h"
#include "plan/case.h"

// The payload, as a 64-bit number, of a data type or device whose fields are given by how they read
// on a little-endian machine: 0x00042002 is code 2, 32 bits, 4 lanes, and 0x300000002 is device 3
// of type 2. Constant expressions.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DTYPE_BITS(bits) ((uint64_t)(bits))
#define DEVICE_BITS(bits) ((uint64_t)(bits))
#else
#define DTYPE_BITS(bits)                                                  \
  (((uint64_t)(bits)&0xff) << 56 | ((uint64_t)(bits) >> 8 & 0xff) << 48 | \
   ((uint64_t)(bits) >> 16 & 0xffff) << 32 | (uint64_t)(bits) >> 32)
#define DEVICE_BITS(bits) ((uint64_t)(bits) << 32 | (uint64_t)(bits) >> 32)
#endif

#endif  // TVMFFI_CONFORMANCE_BATTERY_BATTERY_H_
