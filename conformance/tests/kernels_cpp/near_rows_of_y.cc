// SPDX-License-Identifier: Apache-2.0
// caught by buffer.strides.rows-apart
// Rows of y are taken to lie side by side: seen only with a radius that does not leave all of them out.
#define ROW_OF_Y(stride, columns) (columns)
#include "near.h"
