// SPDX-License-Identifier: Apache-2.0
// passes but for load.two-copies
#include "bell.h"
