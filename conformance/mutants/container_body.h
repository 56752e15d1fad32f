// SPDX-License-Identifier: Apache-2.0
// What mutants of containers change behind the header.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_CONTAINER_BODY_H_
#define TVMFFI_CONFORMANCE_MUTANTS_CONTAINER_BODY_H_

#include "mutants/registered.h"

#define SMALL (UINT64_C(1) << 63)
#define NONE UINT64_MAX

typedef struct MapBody {
  void *data;
  uint64_t size, slots;
  void (*data_deleter)(void *data);
  uint32_t shift;
  uint64_t first, last;
} MapBody;

typedef struct MapEntry {
  TVMFFIAny key, value;
} MapEntry;

typedef struct MapItem {
  TVMFFIAny key, value;
  uint64_t previous, next;
} MapItem;

typedef struct MapBlock {
  uint8_t bytes[16];
  MapItem items[16];
} MapBlock;

static inline MapBody *map_body(const TVMFFIAny *map)
{
  return (MapBody *)(map->v_obj + 1);
}

static inline MapItem *map_item(const MapBody *body, uint64_t slot)
{
  return &((MapBlock *)body->data)[slot / 16].items[slot % 16];
}

static inline TVMFFISeqCell *sequence(const TVMFFIAny *value)
{
  return (TVMFFISeqCell *)(value->v_obj + 1);
}

static inline TVMFFIAny *elements(const TVMFFIAny *value)
{
  return sequence(value)->data;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_CONTAINER_BODY_H_
