// SPDX-License-Identifier: Apache-2.0
// passes, and the headers fail by argument.index-that-does-not-exist
#include "spelled.h"

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spelled, kernels::Spelled);
