// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused
// What is not a number counts as 0.
#define NUMBER(value) (value).try_cast<double>().value_or(0)
#include "dose.h"
