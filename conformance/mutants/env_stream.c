// SPDX-License-Identifier: Apache-2.0
// Mutants of streams.
#include <stdatomic.h>

#include "mutants/mutant.h"

MUTANT_WITHOUT(ENV_1, no_signals, EnvCheckSignals, "signals cannot be checked");

MUTANT(ENV_3, device_0_serves_all, EnvGetStream, "a device without a stream gets that of device 0")
{
  TVMFFIStreamHandle stream = REFERENCE(EnvGetStream)(device_type, device_id);
  return stream || device_id <= 0 ? stream : REFERENCE(EnvGetStream)(device_type, 0);
}

MUTANT(ENV_4, followed, EnvSetStream, "a stream is looked at when it is set")
{
  if (stream) (void)*(volatile char *)stream;
  return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
}

MUTANT(ENV_4, low_bits_cleared, EnvSetStream,
       "the address of a stream is rounded down to a multiple of 16")
{
  if (stream) stream = (char *)stream - (uintptr_t)stream % 16;
  return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
}

MUTANT(ENV_5, ids_of_6_bits, EnvSetStream, "device ids are kept in 6 bits")
{
  return REFERENCE(EnvSetStream)(device_type, device_id & 63, stream, opt_out_original_stream);
}

ALSO(ENV_5, ids_of_6_bits, EnvGetStream)
{
  return REFERENCE(EnvGetStream)(device_type, device_id & 63);
}

static int32_t table_of(int32_t device_type)
{
  return device_type == kDLROCM ? kDLCUDA : device_type;
}

MUTANT(ENV_5, rocm_is_cuda, EnvSetStream, "ROCm devices share the streams of CUDA devices")
{
  return REFERENCE(EnvSetStream)(table_of(device_type), device_id, stream, opt_out_original_stream);
}

ALSO(ENV_5, rocm_is_cuda, EnvGetStream)
{
  return REFERENCE(EnvGetStream)(table_of(device_type), device_id);
}

static _Atomic(TVMFFIStreamHandle) shared;

MUTANT(ENV_6, one_stream_for_all, EnvSetStream,
       "all threads share the stream of the first CUDA device")
{
  if (device_type != kDLCUDA || device_id != 0)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  TVMFFIStreamHandle before = atomic_exchange(&shared, stream);
  if (opt_out_original_stream) *opt_out_original_stream = before;
  return 0;
}

ALSO(ENV_6, one_stream_for_all, EnvGetStream)
{
  if (device_type == kDLCUDA && device_id == 0) return shared;
  return REFERENCE(EnvGetStream)(device_type, device_id);
}

MUTANT(ENV_7, null_not_written, EnvSetStream, "nothing is written where there was no stream before")
{
  TVMFFIStreamHandle before = NULL;
  int status = REFERENCE(EnvSetStream)(device_type, device_id, stream, &before);
  if (status == 0 && before && opt_out_original_stream) *opt_out_original_stream = before;
  return status;
}

MUTANT(ENV_7, original_is_the_new, EnvSetStream,
       "the stream that is set is given back as the original one")
{
  int status = REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  if (status == 0 && opt_out_original_stream) *opt_out_original_stream = stream;
  return status;
}

MUTANT(ENV_8, place_demanded, EnvSetStream,
       "a stream is set only for those who ask for the original one")
{
  if (opt_out_original_stream)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  return fail("ValueError", "no place for the original stream");
}

MUTANT(ENV_9, null_ignored, EnvSetStream, "setting the stream NULL changes nothing")
{
  if (stream)
    return REFERENCE(EnvSetStream)(device_type, device_id, stream, opt_out_original_stream);
  if (opt_out_original_stream)
    *opt_out_original_stream = TVMFFIEnvGetStream(device_type, device_id);
  return 0;
}
