// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call saying [\"raw\"]
// Nobody says that it takes one spelling only.
#define WRONG ONLY_RAW
#include "text.h"
