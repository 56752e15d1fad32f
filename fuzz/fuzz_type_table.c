// SPDX-License-Identifier: Apache-2.0
// Registration of types, fields, methods and attributes, in any order and with odd numbers. The
// table forgets nothing for the life of the process, so each input registers under a prefix of its
// own; what it may expect is in a model that begins empty.
#include <string.h>

#include "producer.h"
#include "runtime.h"

enum { TYPES_MAX = 32, FIELDS_MAX = 8, TOTAL_MAX = 1000000, COLUMNS = 4 };

typedef struct {
  char key[32];
  int32_t index, depth, parent, fields, methods;
  int32_t last_slot;  // the last index that is reserved for children
  bool has_metadata, has_attribute[COLUMNS];
} Type;

static Type types[TYPES_MAX];  // the input's; the first one is ffi.Object
static size_t type_count, total;
static int32_t highest;  // of all indices that were given out

static TVMFFIByteArray text_of(const char *text)
{
  return (TVMFFIByteArray){text, strlen(text)};
}

static void check_type(const Type *type)
{
  TVMFFIByteArray key = text_of(type->key);
  int32_t index = -7;
  FUZZ_CHECK(TVMFFITypeKeyToIndex(&key, &index) == 0 && index == type->index);
  FUZZ_CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2) == index);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  FUZZ_CHECK(info != NULL && info->type_index == index && info->type_depth == type->depth);
  FUZZ_CHECK(info->type_key.size == key.size &&
             memcmp(info->type_key.data, key.data, key.size) == 0);
  FUZZ_CHECK(info->num_fields == type->fields || type == types);
  FUZZ_CHECK(info->num_methods == type->methods || type == types);
  FUZZ_CHECK((info->metadata != NULL) == type->has_metadata || type == types);
  for (int32_t i = 0; i < info->type_depth; ++i)
    FUZZ_CHECK(info->type_ancestors[i]->type_depth == i);
  if (type->depth == 0) return;
  FUZZ_CHECK(info->type_ancestors[type->depth - 1]->type_index == types[type->parent].index);
}

// The type, if any, in whose slots an index is.
static const Type *owner_of(int32_t index)
{
  const Type *owner = NULL;
  for (size_t i = 1; i < type_count; ++i) {
    if (types[i].index < index && index <= types[i].last_slot) owner = &types[i];
  }
  return owner;
}

static bool descends(const Type *type, const Type *from)
{
  while (type != from && type->depth != 0) type = &types[type->parent];
  return type == from;
}

static void register_type(Producer *producer)
{
  if (type_count == TYPES_MAX || total == TOTAL_MAX) return;
  Type *type = &types[type_count], *parent;
  *type = (Type){.parent = (int32_t)producer_below(producer, (unsigned)type_count)};
  parent = &types[type->parent];
  snprintf(type->key, sizeof type->key, "fuzz.%zu.%zu", total, type_count);
  bool odd = producer_below(producer, 8) == 7, overflow = producer_flag(producer);
  int64_t depth = odd ? producer_integer(producer) : parent->depth + 1;
  int64_t slots = producer_below(producer, 8) == 7 ? producer_integer(producer) % 40
                                                   : producer_below(producer, 4);
  TVMFFIByteArray key = text_of(type->key);
  FUZZ_CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2) == -2);
  int32_t index =
      TVMFFITypeGetOrAllocIndex(&key, -1, (int32_t)depth, (int32_t)slots, overflow, parent->index);
  if (index < 0) {
    FUZZ_CHECK(index == -1);
    runtime_has_raised("InternalError");
    FUZZ_CHECK(TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2) == -2);
    return;
  }
  FUZZ_CHECK((int32_t)depth == parent->depth + 1 && slots >= 0);
  const Type *owner = owner_of(index);
  FUZZ_CHECK(owner == NULL ? index > highest : descends(parent, owner));
  type->index = index;
  type->depth = parent->depth + 1;
  type->last_slot = index + (int32_t)slots;
  FUZZ_CHECK(owner == NULL || type->last_slot <= owner->last_slot);
  if (type->last_slot > highest) highest = type->last_slot;
  ++type_count, ++total;
  check_type(type);
}

static void register_field(Producer *producer, Type *type)
{
  char name[8];
  int number = (int)producer_below(producer, FIELDS_MAX);
  snprintf(name, sizeof name, "f%d", number);
  ProducerBytes doc = producer_bytes(producer);
  TVMFFIFieldInfo field = {
      .name = text_of(name),
      .doc = {doc.data, doc.size},
      .flags = producer_byte(producer) & ~kTVMFFIFieldFlagBitSetterIsFunctionObj,
      .offset = producer_integer(producer),
      .default_value_or_factory = {.type_index = kTVMFFIRawStr, .v_c_str = name}};
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(type->index);
  bool taken = false;
  for (int32_t i = 0; i < info->num_fields; ++i)
    taken |= info->fields[i].name.size == 2 && memcmp(info->fields[i].name.data, name, 2) == 0;
  int code = TVMFFITypeRegisterField(type->index, &field);
  FUZZ_CHECK((code != 0) == taken);
  if (code != 0) {
    runtime_has_raised(NULL);
    return;
  }
  ++type->fields;
  const TVMFFIFieldInfo *made = &info->fields[type->fields - 1];
  FUZZ_CHECK(made->offset == field.offset && made->doc.size == doc.size);
  FUZZ_CHECK(doc.size == 0 || memcmp(made->doc.data, doc.data, doc.size) == 0);
  bool has_default = (field.flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
  FUZZ_CHECK(made->default_value_or_factory.type_index ==
             (has_default ? kTVMFFISmallStr : kTVMFFINone));
}

static void register_method(Producer *producer, Type *type)
{
  ProducerBytes name = producer_bytes(producer);
  TVMFFIMethodInfo method = {.name = {name.data, name.size}};
  method.method.type_index = producer_below(producer, 4) == 3 ? kTVMFFIInt : kTVMFFINone;
  int code = TVMFFITypeRegisterMethod(type->index, &method);
  FUZZ_CHECK((code != 0) == (method.method.type_index == kTVMFFIInt));
  if (code != 0)
    runtime_has_raised("TypeError");
  else
    ++type->methods;
}

static void register_metadata(Producer *producer, Type *type)
{
  TVMFFITypeMetadata metadata = {.total_size = (int32_t)producer_integer(producer)};
  int code = TVMFFITypeRegisterMetadata(type->index, &metadata);
  FUZZ_CHECK((code != 0) == (type->has_metadata || metadata.total_size < 0));
  if (code != 0)
    runtime_has_raised(NULL);
  else
    type->has_metadata = true;
}

static void register_attribute(Producer *producer, Type *type)
{
  unsigned column = producer_below(producer, COLUMNS);
  char name[16];
  snprintf(name, sizeof name, "fuzz.%u", column);
  TVMFFIByteArray text = text_of(name);
  TVMFFIAny value = {.type_index = kTVMFFIInt, .v_int64 = type->index};
  int code = TVMFFITypeRegisterAttr(type->index, &text, &value);
  FUZZ_CHECK((code != 0) == type->has_attribute[column]);
  if (code != 0) runtime_has_raised("RuntimeError");
  type->has_attribute[column] = true;
  const TVMFFITypeAttrColumn *found = TVMFFIGetTypeAttrColumn(&text);
  FUZZ_CHECK(found != NULL && type->index - found->begin_index < found->size);
  FUZZ_CHECK(runtime_same(&found->data[type->index - found->begin_index], &value));
}

static void step(Producer *producer)
{
  unsigned action = producer_below(producer, 8);
  if (action < 4 || type_count == 1) {
    register_type(producer);
    return;
  }
  Type *type = &types[1 + producer_below(producer, (unsigned)type_count - 1)];
  if (action == 4) register_field(producer, type);
  if (action == 5) register_method(producer, type);
  if (action == 6) register_metadata(producer, type);
  if (action == 7) register_attribute(producer, type);
  check_type(type);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Producer producer;
  if (highest == 0) highest = kTVMFFIDynObjectBegin - 1;
  producer_start(&producer, data, size);
  types[0] = (Type){.key = "ffi.Object", .index = kTVMFFIObject};
  type_count = 1;
  while (producer_has_more(&producer)) step(&producer);
  for (size_t i = 0; i < type_count; ++i) check_type(&types[i]);
  producer_end(&producer);
  runtime_has_raised_nothing();
  return 0;
}
