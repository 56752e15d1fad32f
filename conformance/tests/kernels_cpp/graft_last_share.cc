// SPDX-License-Identifier: Apache-2.0
// caught by kernel.output-of-shared-work-is-written
// What threads do not divide is left over.
#define SHARE(count, threads) ((count) / (threads))
#include "graft.h"
