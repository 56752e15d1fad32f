// SPDX-License-Identifier: Apache-2.0
// caught by kernel.earlier-call-does-not-matter
// The rows of an earlier call with as many stay listed.
#define LISTED(count)                           \
  static thread_local std::vector<char> listed; \
  listed.resize(count)
#include "veil.h"
