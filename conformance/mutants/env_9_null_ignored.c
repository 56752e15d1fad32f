// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_9, "setting the stream NULL changes nothing")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  if (stream)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  if (opt_out_original_stream)
    *opt_out_original_stream = TVMFFIEnvGetStream(device_type, device_id);
  return 0;
}
