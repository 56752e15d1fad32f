// SPDX-License-Identifier: Apache-2.0
// caught by argument.string-spellings.raw
#define LETTERS 1
#include "text_echo.h"

#include "text.h"
