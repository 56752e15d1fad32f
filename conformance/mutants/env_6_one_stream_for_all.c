// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

#include "mutants/mutant.h"

MUTANT(ENV_6, "all threads share the stream of the first CUDA device")

static _Atomic(TVMFFIStreamHandle) shared;

OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  if (device_type != kDLCUDA || device_id != 0)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  TVMFFIStreamHandle before = atomic_exchange(&shared, stream);
  if (opt_out_original_stream) *opt_out_original_stream = before;
  return 0;
}

OVERRIDE(EnvGetStream, int32_t device_type, int32_t device_id)
{
  if (device_type == kDLCUDA && device_id == 0) return shared;
  return REFERENCE(EnvGetStream)(device_type, device_id);
}
