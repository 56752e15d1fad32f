// SPDX-License-Identifier: Apache-2.0
#include "frontend/structural_key.h"

#include <stddef.h>

#include "core/any.h"
#include "frontend/class.h"
#include "frontend/made.h"
#include "frontend/structural_equal.h"
#include "frontend/structural_hash.h"
#include "native/rows.h"
#include "type/type.h"

// What compiled code reads in place.
typedef struct {
  TVMFFIObject header;
  TVMFFIAny key;  // own
  int64_t hash;
} KeyObject;

static int key_create(TVMFFIObjectHandle *result)
{
  TVMFFIObject *made = made_new(TYPE_STRUCTURAL_KEY, sizeof(KeyObject));
  if (made == NULL) return -1;
  *result = made;
  return 0;
}

int structural_key_make(const NativeCall *call)
{
  uint64_t hash;
  if (structural_hash_of(call->spec->name, &call->args[0], &hash) != 0) return -1;
  KeyObject *made = (KeyObject *)made_new(TYPE_STRUCTURAL_KEY, sizeof *made);
  if (made == NULL) return -1;
  if (any_own(&call->args[0], &made->key) != 0) {
    made->key = any_none();
    object_release(&made->header);
    return -1;
  }
  made->hash = (int64_t)hash;
  return native_give(call, any_object(&made->header));
}

static const KeyObject *key_argument(const NativeCall *call, int32_t place)
{
  if (native_is_object(&call->args[place], TYPE_STRUCTURAL_KEY)) {
    return (const KeyObject *)call->args[place].v_obj;
  }
  raise_wrong_type(call->spec->name, place == 0 ? "argument #0" : "argument #1",
                   "ffi.StructuralKey", call->args[place].type_index);
  return NULL;
}

int structural_key_equal(const NativeCall *call)
{
  const KeyObject *one = key_argument(call, 0), *other = one == NULL ? NULL : key_argument(call, 1);
  if (other == NULL) return -1;
  int equal = one == other;
  if (!equal && one->hash == other->hash) {
    equal = structural_are_equal(call->spec->name, &one->key, &other->key);
  }
  return equal < 0 ? -1 : native_give(call, any_bool(equal));
}

static int key_call_hash(const NativeCall *call)
{
  const KeyObject *key = key_argument(call, 0);
  return key == NULL ? -1 : native_give(call, any_int(key->hash));
}

static const ClassField fields[] = {
    {.name = "key",
     .metadata = CLASS_SCHEMA(CLASS_TYPE("Any")),
     .size = sizeof(TVMFFIAny),
     .offset = offsetof(KeyObject, key),
     .declared = kTVMFFIAny},
    {.name = "hash_i64",
     .metadata = CLASS_SCHEMA(CLASS_TYPE("int")),
     .size = sizeof(int64_t),
     .offset = offsetof(KeyObject, hash),
     .declared = kTVMFFIInt},
};

static const Class described = {.type_index = TYPE_STRUCTURAL_KEY,
                                .size = sizeof(KeyObject),
                                .creator = key_create,
                                .fields = fields,
                                .field_count = sizeof fields / sizeof *fields};

static const NativeSpec hash_spec = {F1("__any_hash__", key_call_hash, INT, ANY)};
static const NativeSpec equal_spec = {F2("__any_equal__", structural_key_equal, BOOL, ANY, ANY)};
static const NativeSpec init_spec = {F1("__ffi_init__", structural_key_make, OBJECT, ANY)};

static const NativeSpec method_spec = {
    F1("ffi.StructuralKey.__ffi_init__", structural_key_make, OBJECT, ANY)};

CLASS_START static void key_start(void)
{
  static NativeFunction hash, equal, init, method;
  class_enter(&described);
  class_enter_attribute(TYPE_STRUCTURAL_KEY, &hash_spec, &hash);
  class_enter_attribute(TYPE_STRUCTURAL_KEY, &equal_spec, &equal);
  class_enter_attribute(TYPE_STRUCTURAL_KEY, &init_spec, &init);
  class_enter_method(TYPE_STRUCTURAL_KEY, &method_spec, &method, true);
}
