// SPDX-License-Identifier: Apache-2.0
// passes
// The workspace is used from the next address that is aligned.
#include <stdint.h>
#define BESIDES to = (float *)(((uintptr_t)to + 255) & ~(uintptr_t)255)
#include "kernels_device/add_one_on_device.h"
