// SPDX-License-Identifier: Apache-2.0
#define CUDA_MAJOR 13
#include "runtime_tests.h"
