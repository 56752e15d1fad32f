// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_5, "ROCm devices share the streams of CUDA devices")

static int32_t table_of(int32_t device_type)
{
  return device_type == kDLROCM ? kDLCUDA : device_type;
}

OVERRIDE(EnvSetStream, int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
         TVMFFIStreamHandle *opt_out_original_stream)
{
  return REFERENCE(EnvSetStream)(table_of(device_type), device_id, stream, opt_out_original_stream);
}

OVERRIDE(EnvGetStream, int32_t device_type, int32_t device_id)
{
  return REFERENCE(EnvGetStream)(table_of(device_type), device_id);
}
