// SPDX-License-Identifier: Apache-2.0
// passes
// As a std::string of the official headers does.
#define WRONG TAKES_BYTES
#include "text.h"
