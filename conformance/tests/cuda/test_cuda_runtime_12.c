// SPDX-License-Identifier: Apache-2.0
#define CUDA_MAJOR 12
#include "runtime_tests.h"
