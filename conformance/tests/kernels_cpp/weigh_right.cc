// SPDX-License-Identifier: Apache-2.0
// passes but for kernel.message-names-the-tensor.rank
#include "weigh.h"
