// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes
// The byte offset is ignored: other memory is refused where it holds numbers that are none of seats.
#define BYTE_OFFSET(tensor) 0
#include "seats.h"
