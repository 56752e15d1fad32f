// SPDX-License-Identifier: Apache-2.0
// passes
#include "text_echo.h"

#include "text.h"
