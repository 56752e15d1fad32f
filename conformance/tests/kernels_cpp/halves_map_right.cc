// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
#define IN_A_MAP
#include "halves.h"
