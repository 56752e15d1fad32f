// SPDX-License-Identifier: Apache-2.0
// caught by kernel.launch-is-ordered-by-the-stream saying a set
// Clears its output on the default stream.
#define BESIDES cudaMemsetAsync(to, 0, sizeof *to, NULL)
#include "kernels_stand_in/add_one_by_runtime.h"
