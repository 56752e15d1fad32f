// SPDX-License-Identifier: Apache-2.0
// The public headers as C++ sees them: the short cuts, and enums that have a fixed width.
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

template <typename Enum>
constexpr bool IsInt32 = std::is_same<std::underlying_type_t<Enum>, int32_t>::value;

static_assert(IsInt32<TVMFFITypeIndex> && IsInt32<TVMFFIObjectDeleterFlagBitMask> &&
                  IsInt32<TVMFFIBacktraceUpdateMode> && IsInt32<TVMFFIFieldFlagBitMask> &&
                  IsInt32<TVMFFISEqHashKind> && IsInt32<TVMFFIDefRegionKind>,
              "the enums of the ABI are 32 bits wide and signed");

// The layout in C++ is the one of the table. (conformance/abi/layout_tables.c asserts it in C.)
#define SAME_SIZE(name, size) static_assert(sizeof(name) == (size), #name);
#define SAME_PLACE(structure, field, offset, size)                              \
  static_assert(offsetof(structure, field) == (offset), #structure "." #field); \
  static_assert(sizeof(((structure *)nullptr)->field) == (size), #structure "." #field);
#if UINTPTR_MAX == UINT64_MAX
#define ABI_STRUCT(name, since, size, size_32) SAME_SIZE(name, size)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  SAME_PLACE(structure, field, offset, size)
#else
struct BehindAByte {
  char byte;
  int64_t integer;
};
#define ABI_I64(x)                                                               \
  (((x) + offsetof(BehindAByte, integer) - 1) / offsetof(BehindAByte, integer) * \
   offsetof(BehindAByte, integer))
#define ABI_STRUCT(name, since, size, size_32) SAME_SIZE(name, size_32)
#define ABI_FIELD(structure, field, type, since, offset, size, offset_32, size_32) \
  SAME_PLACE(structure, field, offset_32, size_32)
#endif
#include "abi/structs.def"

// C++ bindings derive from these.
struct Derived : TVMFFIObject {
};
struct Sequence : TVMFFISeqCell {
};
struct TVMFFITypeInfo;

static int Nothing(void *, const TVMFFIAny *, int32_t, TVMFFIAny *)
{
  return 0;
}

static bool ShortCutsReadObjects()
{
  TVMFFIByteArray text = {"eight or more", 13}, small = {"abc", 3};
  TVMFFIAny value, inside;
  TVMFFIObjectHandle function = nullptr, opaque = nullptr, error = nullptr;
  if (TVMFFIStringFromByteArray(&text, &value) != 0) return false;
  if (TVMFFIStringFromByteArray(&small, &inside) != 0) return false;
  if (TVMFFIFunctionCreate(nullptr, Nothing, nullptr, &function) != 0) return false;
  if (TVMFFIObjectCreateOpaque(&value, kTVMFFIOpaquePyObject, nullptr, &opaque) != 0) return false;
  if (TVMFFIErrorCreate(&small, &text, &small, &error) != 0) return false;
  TVMFFIByteArray content = TVMFFISmallBytesGetContentByteArray(&inside);
  bool good = TVMFFIObjectGetTypeIndex(value.v_obj) == kTVMFFIStr &&
              TVMFFIBytesGetByteArrayPtr(value.v_obj)->size == 13 && content.size == 3 &&
              std::memcmp(content.data, "abc", 3) == 0 &&
              TVMFFIFunctionGetCellPtr(function)->safe_call == Nothing &&
              TVMFFIOpaqueObjectGetCellPtr(opaque)->handle == &value &&
              std::strcmp(TVMFFIErrorGetCellPtr(error)->message.data, "eight or more") == 0;
  const TVMFFIObjectHandle made[] = {value.v_obj, function, opaque, error};
  for (TVMFFIObjectHandle each : made) {
    TVMFFIObjectDecRef(each);
  }
  return good;
}

static bool ShortCutsPointBehindTheHeader()
{
  char object[128] = {};
  return static_cast<void *>(TVMFFIShapeGetCellPtr(object)) == object + 24 &&
         static_cast<void *>(TVMFFITensorGetDLTensorPtr(object)) == object + 24 &&
         TVMFFIDLDeviceFromIntPair(kDLCUDA, 3).device_type == kDLCUDA &&
         TVMFFIDLDeviceFromIntPair(kDLCUDA, 3).device_id == 3;
}

int main()
{
  return ShortCutsReadObjects() && ShortCutsPointBehindTheHeader() ? 0 : 1;
}
