// SPDX-License-Identifier: Apache-2.0
// caught by kernel.other-keys-are-ignored
#include "parts.h"
