// SPDX-License-Identifier: Apache-2.0
// passes
#include "kernels_stand_in/add_one_by_runtime.h"
