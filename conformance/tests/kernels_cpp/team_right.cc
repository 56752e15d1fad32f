// SPDX-License-Identifier: Apache-2.0
// passes
// A copy of the process has none of the threads that OpenMP keeps: they are ended before one is made.
#define LEAK_REFUSED 0
#include "team.h"
