// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_4, "a stream is looked at when it is set")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  if (stream) (void)*(volatile char *)stream;
  return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
}
