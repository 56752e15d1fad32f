// SPDX-License-Identifier: Apache-2.0
// Attributes of types, a column of values for each. A column begins at index 0: only so can its
// values move to a larger array under readers who take no lock.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/integer.h"
#include "core/memory.h"
#include "core/raise.h"
#include "type/type.h"

typedef struct {
  TableEntry name;              // its entry, whose value is the column
  TVMFFITypeAttrColumn column;  // what the world sees
  TypeList values;
} TypeColumn;

// The columns that exist from the start: C++ code looks them up and doesn't expect to find nothing.
#define NAME(literal) .name.name = (literal), .name.size = sizeof(literal) - 1
#define COLUMN(literal) \
  {                     \
    NAME(literal)       \
  }
#define COLUMN_OF(literal, values)                                            \
  {                                                                           \
    NAME(literal), .column.data = (values), .column.size = INTEGER_ATTRIBUTES \
  }
static TypeColumn builtins[] = {
    COLUMN_OF("__any_equal__", integer_equal),
    COLUMN_OF("__any_hash__", integer_hash),
    COLUMN("__data_from_json__"),
    COLUMN("__data_to_json__"),
    COLUMN("__ffi_compare__"),
    COLUMN("__ffi_convert__"),
    COLUMN("__ffi_enum__"),
    COLUMN("__ffi_eq__"),
    COLUMN("__ffi_hash__"),
    COLUMN("__ffi_init__"),
    COLUMN("__ffi_new__"),
    COLUMN("__ffi_repr__"),
    COLUMN("__ffi_shallow_copy__"),
    COLUMN("__ffi_type_final__"),
    COLUMN("__s_equal__"),
    COLUMN("__s_hash__"),
    COLUMN("__s_maybe_inplace_mutate__"),
    COLUMN("__s_mutate__"),
    COLUMN("__s_visit__"),
};

static TableSlot first_names[64];
static TableSlots first_slots = {.mask = 63, .slots = first_names};
static Table columns;

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static atomic_bool started;

// As `type_start`: cannot fail, and may begin anew.
static void type_attr_start(void)
{
  first_slots.used = 0;
  atomic_store_explicit(&columns.newest, &first_slots, memory_order_relaxed);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; ++i) {
    builtins[i].name.value = &builtins[i];
    table_insert(&columns, &builtins[i].name);
  }
  atomic_store_explicit(&started, true, memory_order_release);
}

static TypeColumn *type_attr_find(const TVMFFIByteArray *name)
{
  TableEntry *entry = table_find(&columns, name->data, name->size);
  if (entry == NULL && !atomic_load_explicit(&started, memory_order_acquire)) {
    pthread_once(&start_once, type_attr_start);
    entry = table_find(&columns, name->data, name->size);
  }
  return entry == NULL ? NULL : entry->value;
}

const TVMFFITypeAttrColumn *TVMFFIGetTypeAttrColumn(const TVMFFIByteArray *attr_name)
{
  if (attr_name == NULL || !raise_can_read(attr_name)) return NULL;
  const TypeColumn *column = type_attr_find(attr_name);
  return column == NULL ? NULL : &column->column;  // TYPE-44, TYPE-50
}

//--------------------------------------------------------------------------------------------------
// Registration
//--------------------------------------------------------------------------------------------------

typedef enum { ATTR_SET, ATTR_TAKEN, ATTR_NO_MEMORY } AttrStatus;

static TypeColumn *type_attr_new_column(const TVMFFIByteArray *name)
{
  size_t size = sizeof(TypeColumn) + 1;
  TypeColumn *column = memory_add(&size, name->size) ? calloc(1, size) : NULL;
  if (column == NULL) return NULL;
  char *copy = (char *)(column + 1);
  if (name->size != 0) memcpy(copy, name->data, name->size);
  column->name.name = copy;
  column->name.size = name->size;
  column->name.value = column;
  return column;
}

// Makes the column cover the type. Returns 0; -1 if there is no memory.
static int type_attr_cover(TypeColumn *self, int32_t type_index)
{
  TVMFFITypeAttrColumn *column = &self->column;
  int32_t size = type_index + 1;
  if (size <= column->size) return 0;
  // The types that are there from the start need no second array.
  int32_t room = size < TYPE_DYNAMIC ? TYPE_DYNAMIC : size;
  TVMFFIAny *data =
      type_list_reserve(&self->values, column->data, column->size, room, sizeof *data);
  if (data == NULL) return -1;
  __atomic_store_n(&column->data, data, __ATOMIC_RELEASE);
  __atomic_store_n(&column->size, size, __ATOMIC_RELEASE);  // TYPE-43, TYPE-46
  return 0;
}

// Sets a value. A reader sees the type index, without which the payload means nothing, last.
static void type_attr_store(TVMFFIAny *place, const TVMFFIAny *value)
{
  place->v_uint64 = value->v_uint64;
  place->zero_padding = value->zero_padding;
  __atomic_store_n(&place->type_index, value->type_index, __ATOMIC_RELEASE);
}

// value: own, if it is set. With the lock.
static AttrStatus type_attr_set(const TVMFFIByteArray *name, int32_t type_index,
                                const TVMFFIAny *value)
{
  TypeColumn *known = type_attr_find(name), *column = known;
  if (known == NULL) {
    if (table_reserve(&columns) != 0) return ATTR_NO_MEMORY;
    column = type_attr_new_column(name);
    if (column == NULL) return ATTR_NO_MEMORY;
  }
  if (type_index != kTVMFFINone) {
    if (type_attr_cover(column, type_index) != 0) {
      if (known == NULL) free(column);
      return ATTR_NO_MEMORY;
    }
    TVMFFIAny *place = (TVMFFIAny *)&column->column.data[type_index];
    if (place->type_index != kTVMFFINone) return ATTR_TAKEN;
    type_attr_store(place, value);  // TYPE-48
  }
  if (known == NULL) table_insert(&columns, &column->name);  // TYPE-49, TYPE-51
  return ATTR_SET;
}

static int type_attr_check(const char *function, int32_t type_index, const TVMFFIByteArray *name,
                           const TVMFFIAny *value)
{
  if (raise_unless_bytes(function, "attr_name", name) != 0) return -1;
  if (value == NULL) return raise_null(function, "attr_value");
  if (type_find(type_index) == NULL) {
    return raise_no_type(function, "type_index", type_index);
  }
  if (type_index == kTVMFFINone && value->type_index != kTVMFFINone) {
    return raise_error("ValueError", function, ": the type `None` can have no attribute; with it, ",
                       "`attr_value` must be None, to make the column `", raise_name(name).text,
                       "`", NULL);
  }
  return 0;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray *attr_name,
                           const TVMFFIAny *attr_value)
{
  TVMFFIAny owned;
  if (type_attr_check(__func__, type_index, attr_name, attr_value) != 0) return -1;
  if (any_own_argument(__func__, "attr_value", attr_value, &owned) != 0) return -1;  // TYPE-45
  type_lock();
  AttrStatus status = type_attr_set(attr_name, type_index, &owned);
  type_unlock();
  if (status == ATTR_SET) return 0;
  if (status == ATTR_NO_MEMORY) {
    raise_out_of_memory();
  } else {  // TYPE-47
    raise_error("RuntimeError", __func__, ": `attr_name` is `", raise_name(attr_name).text,
                "`, an attribute that the type `",
                raise_name(&type_find(type_index)->info.type_key).text, "` has already", NULL);
  }
  any_release(&owned);
  return -1;
}
