// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying -1 for lengths
#define IS_LENGTH(length) ((length) <= 100)
#include "cut.h"
