// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_5, "device ids are kept in 6 bits")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  return REFERENCE(EnvSetStream)(device_type, device_id & 63, stream, opt_out_original_stream);
}

OVERRIDE(EnvGetStream, int32_t device_type, int32_t device_id)
{
  return REFERENCE(EnvGetStream)(device_type, device_id & 63);
}
