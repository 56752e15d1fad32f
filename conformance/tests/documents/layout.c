// SPDX-License-Identifier: Apache-2.0
// The structs as the documents declare them, beside those of the header: "ABI Overview", sections "TVMFFIAny Storage
// Format", "Object Storage Format", "Error Handling" and "String and Bytes", of both generations, and "Function, Exception
// and Module", section "Layout and ABI". It compiles or it does not.
#include <stddef.h>
#include <tvm/ffi/c_api.h>

#define SAME(theirs, field) \
  _Static_assert(offsetof(theirs, field) == offsetof(TVMFFI##theirs, field), #theirs)
#define AS_LARGE(theirs) _Static_assert(sizeof(theirs) == sizeof(TVMFFI##theirs), #theirs)

typedef struct Any {
  int32_t type_index;
  union {
    uint32_t zero_padding;
    uint32_t small_str_len;
  };
  union {
    int64_t v_int64;
    double v_float64;
    void *v_ptr;
    const char *v_c_str;
    TVMFFIObject *v_obj;
    DLDataType v_dtype;
    DLDevice v_device;
    char v_bytes[8];
  };
} Any;

AS_LARGE(Any);
SAME(Any, type_index);
SAME(Any, zero_padding);
SAME(Any, small_str_len);
SAME(Any, v_int64);
SAME(Any, v_dtype);
SAME(Any, v_device);
SAME(Any, v_bytes);

#ifdef TVM_FFI_GENERATION_2025_09
typedef struct Object {
  int32_t type_index;
  uint32_t weak_ref_count;
  uint64_t strong_ref_count;
  union {
    void (*deleter)(struct Object *self, int flags);
    int64_t __ensure_align;
  };
} Object;

SAME(Object, weak_ref_count);
SAME(Object, strong_ref_count);
#else
typedef struct Object {
  uint64_t combined_ref_count;
  int32_t type_index;
  uint32_t __padding;
  union {
    void (*deleter)(struct Object *self, int flags);
    int64_t __ensure_align;
  };
} Object;

SAME(Object, combined_ref_count);
#endif

AS_LARGE(Object);
SAME(Object, type_index);
SAME(Object, deleter);

typedef struct ByteArray {
  const char *data;
  size_t size;
} ByteArray;

AS_LARGE(ByteArray);
SAME(ByteArray, data);
SAME(ByteArray, size);

// Later releases have two members more, behind these.
typedef struct ErrorCell {
  ByteArray kind;
  ByteArray message;
#ifdef TVM_FFI_GENERATION_2025_09
  ByteArray traceback;
  void (*update_traceback)(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback);
#else
  ByteArray backtrace;
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                           int32_t update_mode);
#endif
} ErrorCell;

SAME(ErrorCell, kind);
SAME(ErrorCell, message);
#ifdef TVM_FFI_GENERATION_2025_09
SAME(ErrorCell, traceback);
SAME(ErrorCell, update_traceback);
#else
SAME(ErrorCell, backtrace);
SAME(ErrorCell, update_backtrace);

// A second pointer is no part of the older generation.
typedef struct FunctionCell {
  TVMFFISafeCallType safe_call;
  void *cpp_call;
} FunctionCell;

AS_LARGE(FunctionCell);
SAME(FunctionCell, safe_call);
SAME(FunctionCell, cpp_call);
#endif
