// SPDX-License-Identifier: Apache-2.0
// The current stream of each device, a small hash table per thread. Streams are neither followed
// nor owned.
#include <stdlib.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "core/raise.h"
#include "core/thread.h"

typedef struct {
  int32_t type;  // 0 for an empty place
  int32_t id;
  TVMFFIStreamHandle stream;
} EnvStream;

typedef struct {
  uint32_t mask;  // number of places, a power of two, less one
  uint32_t used;
  EnvStream places[];
} EnvStreams;

enum { ENV_FIRST_PLACES = 8 };

// Returns where the stream of a device is or would be. At least one place is empty.
static EnvStream *env_place(EnvStreams *streams, int32_t type, int32_t id)
{
  uint32_t place = (uint32_t)id + 3 * (uint32_t)type;
  for (;; ++place) {
    EnvStream *stream = &streams->places[place & streams->mask];
    if (stream->type == 0 || (stream->type == type && stream->id == id)) return stream;
  }
}

// Returns a table with room for one more; NULL if there is no memory.
static EnvStreams *env_grow(EnvStreams *streams)
{
  if (streams != NULL && streams->used <= streams->mask / 2) return streams;
  size_t count = streams == NULL ? ENV_FIRST_PLACES : 2 * ((size_t)streams->mask + 1);
  EnvStreams *larger = calloc(1, sizeof *larger + count * sizeof *larger->places);
  if (larger == NULL) return NULL;
  larger->mask = (uint32_t)(count - 1);
  for (uint32_t i = 0; streams != NULL && i <= streams->mask; ++i) {
    const EnvStream *old = &streams->places[i];
    if (old->type == 0) continue;
    *env_place(larger, old->type, old->id) = *old;
    ++larger->used;
  }
  free(streams);
  thread_keep_streams(larger);
  return larger;
}

static int env_check_device(const char *function, int32_t device_type, int32_t device_id)
{
  if (device_type < 0) return raise_negative(function, "device_type", device_type);
  if (device_id < 0) return raise_negative(function, "device_id", device_id);
  if (device_type != 0) return 0;
  return raise_error("ValueError", function, ": `device_type` is 0, which is no device", NULL);
}

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream,
                       TVMFFIStreamHandle *opt_out_original_stream)
{
  if (env_check_device(__func__, device_type, device_id) != 0) return -1;
  EnvStreams *streams = thread_streams();  // ENV-6
  EnvStream *place = streams == NULL ? NULL : env_place(streams, device_type, device_id);
  if (place == NULL || place->type == 0) {
    if (stream != NULL) {
      streams = env_grow(streams);
      if (streams == NULL) return raise_out_of_memory();
      *env_place(streams, device_type, device_id) = (EnvStream){device_type, device_id, stream};
      ++streams->used;
    }
    if (opt_out_original_stream != NULL) *opt_out_original_stream = NULL;
    return 0;
  }
  if (opt_out_original_stream != NULL) *opt_out_original_stream = place->stream;  // ENV-7, ENV-8
  place->stream = stream;  // ENV-4, ENV-5, ENV-9
  return 0;
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id)
{
  EnvStreams *streams = thread_streams();
  if (streams == NULL || device_type <= 0) return NULL;       // ENV-3
  return env_place(streams, device_type, device_id)->stream;  // an empty place holds NULL
}
