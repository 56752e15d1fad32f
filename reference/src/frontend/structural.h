// SPDX-License-Identifier: Apache-2.0
// What walks that follow the structure of values share: which fields belong to it, and where
// variables are defined.
#ifndef REFERENCE_SRC_FRONTEND_STRUCTURAL_H_
#define REFERENCE_SRC_FRONTEND_STRUCTURAL_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

#include "frontend/field.h"
#include "type/type.h"

// Whether variables that are met are defined there: not at all; they and all in their own fields; or
// they alone. This is TVMFFIDefRegionKind as an int32_t, as arguments and hooks have it.
typedef int32_t Region;

// Returns the region of a field of an object that is itself met in a region.
static inline Region structural_region(Region region, TVMFFISEqHashKind kind,
                                       const TVMFFIFieldInfo *field)
{
  if (region == kTVMFFIDefRegionKindPattern) return region;
  if (field->flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) return kTVMFFIDefRegionKindPattern;
  if (field->flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) return kTVMFFIDefRegionKindSimple;
  return kind == kTVMFFISEqHashKindFreeVar ? kTVMFFIDefRegionKindNone : region;
}

// Returns the next field that belongs to the structure; NULL behind the last.
static inline const TVMFFIFieldInfo *structural_next(FieldWalk *walk)
{
  const TVMFFIFieldInfo *field;
  do {
    field = field_next(walk);
  } while (field != NULL && (field->flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore));
  return field;
}

// Returns how a type takes part; Unsupported if it says nothing.
static inline TVMFFISEqHashKind structural_kind(int32_t type_index)
{
  const Type *type = type_find(type_index);
  const TVMFFITypeMetadata *metadata = type == NULL ? NULL : field_metadata(&type->info);
  return metadata == NULL ? kTVMFFISEqHashKindUnsupported : metadata->structural_eq_hash_kind;
}

// Tells whether equality and hash follow what an object stands for: variables, and nodes of graphs.
static inline bool structural_is_mapped(int32_t type_index)
{
  if (type_index < kTVMFFIStaticObjectBegin) return false;
  TVMFFISEqHashKind kind = structural_kind(type_index);
  return kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode;
}

// Raises TypeError: objects of this type have no structure. Returns -1.
int structural_refuse(const char *function, int32_t type_index);

// Returns the bytes of a tensor's elements, which are on the CPU and in a row without gaps.
// size: written on success. Returns NULL with RuntimeError otherwise; not NULL if there are none.
const void *structural_tensor(const char *function, TVMFFIObject *tensor, size_t *size);

#endif  // REFERENCE_SRC_FRONTEND_STRUCTURAL_H_
