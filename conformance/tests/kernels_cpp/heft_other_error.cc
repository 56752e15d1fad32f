// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// Another error is raised for another number of weights.
#define REFUSE_NUMBER() TVM_FFI_THROW(KeyError) << "weights"
#include "heft.h"
