// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_4, "the address of a stream is rounded down to a multiple of 16")
OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  if (stream) stream = (char *)stream - (uintptr_t)stream % 16;
  return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
}
