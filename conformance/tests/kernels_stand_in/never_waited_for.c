// SPDX-License-Identifier: Apache-2.0
// caught by kernel.launch-is-ordered-by-the-stream saying the caller's stream waits
// A stream of its own, which waits for the caller's; but the caller's does not wait for it.
#include "kernels_stand_in/own_stream.h"
