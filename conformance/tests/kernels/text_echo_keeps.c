// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arguments-keep-their-counts
#define REFERENCES 2
#include "text_echo.h"

#include "text.h"
