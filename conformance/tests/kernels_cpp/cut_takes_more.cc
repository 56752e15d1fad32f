// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying 101 for lengths[0], and extents of it
#define IS_LENGTH(length) ((length) >= 0 && (length) <= 128)
#include "cut.h"
