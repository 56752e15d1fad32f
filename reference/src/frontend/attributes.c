// SPDX-License-Identifier: Apache-2.0
// The attributes that built-in types have from the start, and that are of this room. They are
// entered when the library is loaded; without memory an attribute is missing.
#include "native/native.h"
#include "native/rows.h"

typedef struct {
  int32_t type_index;
  TVMFFIByteArray name;
  TVMFFIAny value;  // unless it is a function
  NativeSpec spec;  // of the function
} AttributeRow;

#define NAME(literal)              \
  {                                \
    (literal), sizeof(literal) - 1 \
  }
#define FLAG(type, name) type, NAME(name), .value.type_index = kTVMFFIBool, .value.v_int64 = 1

static const AttributeRow rows[] = {
    // No class in another language may derive from it.
    {FLAG(kTVMFFIModule, "__ffi_type_final__")},
};
static NativeFunction functions[sizeof rows / sizeof *rows];

__attribute__((constructor(102))) static void attributes_start(void)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    TVMFFIAny value = rows[i].value;
    if (rows[i].spec.name != NULL) {
      native_init(&functions[i], &rows[i].spec);
      value = any_object(&functions[i].header);
    }
    TVMFFITypeRegisterAttr(rows[i].type_index, &rows[i].name, &value);
  }
}
