// SPDX-License-Identifier: Apache-2.0
// The types that are there from the start, keys, and what the type information says.
#include "cases/runtime/type_registering.h"

CHAPTER(type);

static const AbiFunctionId functions[] = {
    FN_TypeKeyToIndex,     FN_TypeGetOrAllocIndex,  FN_GetTypeInfo,      FN_TypeRegisterField,
    FN_TypeRegisterMethod, FN_TypeRegisterMetadata, FN_TypeRegisterAttr, FN_GetTypeAttrColumn,
};

CASE(exports_its_functions, .clauses = {TYPE_1},
     .title = "the runtime exports the functions that register types and look them up")
{
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
    expect_that(iut_has(iut, functions[i]), abi_functions[functions[i]].symbol, "no such symbol");
}

//--------------------------------------------------------------------------------------------------
// The built-in types
//--------------------------------------------------------------------------------------------------

typedef struct BuiltIn {
  int32_t index;
  const char *key;
} BuiltIn;

// One row a clause, the first being those of the first release.
enum { BUILT_IN_MAX = 24 };
typedef const BuiltIn BuiltIns[BUILT_IN_MAX];

static BuiltIns from_the_start = {
    {0, "None"},
    {1, "int"},
    {2, "bool"},
    {3, "float"},
    {4, "void*"},
    {5, "DataType"},
    {6, "Device"},
    {8, "const char*"},
    {9, "TVMFFIByteArray*"},
    {10, "ObjectRValueRef"},
    {11, "ffi.SmallStr"},
    {12, "ffi.SmallBytes"},
    {64, "ffi.Object"},
    {65, "ffi.String"},
    {66, "ffi.Bytes"},
    {67, "ffi.Error"},
    {68, "ffi.Function"},
    {69, "ffi.Shape"},
    {70, "ffi.Tensor"},
    {71, "ffi.Array"},
    {72, "ffi.Map"},
    {73, "ffi.Module"},
    {74, "ffi.OpaquePyObject"},
};
static BuiltIns borrowed_tensor = {{7, "DLTensor*"}};
static BuiltIns mutable_containers = {{75, "ffi.List"}, {76, "ffi.Dict"}};
static BuiltIns visit_interrupt = {{77, "ffi.VisitInterrupt"}};
static BuiltIns big_integer = {{78, "ffi.BigInt"}};
static BuiltIns unchanged = {{13, "ffi.Unchanged"}};

// Every key leads to its index, and the index back to the key.
static void expect_built_in(Iut *iut, BuiltIns types)
{
  for (const BuiltIn *type = types; type < types + BUILT_IN_MAX && type->key; ++type) {
    note("%s, which is %" PRId32, type->key, type->index);
    if (expect_index(iut, fenced_bytes(type->key, strlen(type->key)), type->index))
      expect_named(iut, type->index, type->key, strlen(type->key));
  }
}

CASE(types_of_the_first_release_are_there, .clauses = {TYPE_2, TYPE_15},
     .title = "each of the 23 built-in types of the first release is found by key and by index")
{
  expect_built_in(iut, from_the_start);
}

// tvm-ffi#239: whoever wanted to say that a tensor had come found no name for it.
CASE(borrowed_tensor_is_there, .clauses = {TYPE_3},
     .title = "DLTensor* is found by key and by index")
{
  expect_built_in(iut, borrowed_tensor);
}

CASE(mutable_containers_are_there, .clauses = {TYPE_4},
     .title = "ffi.List and ffi.Dict are found by key and by index")
{
  expect_built_in(iut, mutable_containers);
}

CASE(visit_interrupt_is_there, .clauses = {TYPE_5},
     .title = "ffi.VisitInterrupt is found by key and by index")
{
  expect_built_in(iut, visit_interrupt);
}

CASE(big_integer_is_there, .clauses = {TYPE_6}, .title = "ffi.BigInt is found by key and by index")
{
  expect_built_in(iut, big_integer);
}

CASE(marker_of_structural_mutation_is_there, .clauses = {TYPE_7},
     .title = "ffi.Unchanged is found by key and by index")
{
  expect_built_in(iut, unchanged);
}

//--------------------------------------------------------------------------------------------------
// The tree of the built-in types
//--------------------------------------------------------------------------------------------------

static void expect_place_in_tree(Iut *iut, const BuiltIn *type)
{
  note("%s", type->key);
  const TVMFFITypeInfo *info = info_of(iut, type->index);
  int32_t depth = type->index > kTVMFFIObject ? 1 : 0;
  require(expect_int("the depth", info->type_depth, depth));
  if (depth == 0) return;
  require(expect_not_null("the ancestors", info->type_ancestors));
  expect_pointer("the only ancestor, ffi.Object", info->type_ancestors[0],
                 info_of(iut, kTVMFFIObject));
}

// Types that this release does not have yet are passed over.
static void expect_places_of_known(Iut *iut, BuiltIns types)
{
  for (const BuiltIn *type = types; type < types + BUILT_IN_MAX && type->key; ++type) {
    TVMFFIByteArray key = bytes_of(type->key);
    int32_t index = -1;
    if (iut->TypeKeyToIndex(&key, &index) == 0 && index == type->index)
      expect_place_in_tree(iut, type);
  }
}

CASE(plain_types_are_roots_and_objects_descend_from_object, .clauses = {TYPE_8},
     .title = "built-in types up to ffi.Object have no ancestor, the others ffi.Object alone")
{
  for (const BuiltIn *type = from_the_start; type->key; ++type) expect_place_in_tree(iut, type);
  expect_places_of_known(iut, borrowed_tensor);
  expect_places_of_known(iut, mutable_containers);
  expect_places_of_known(iut, visit_interrupt);
  expect_places_of_known(iut, big_integer);
  expect_places_of_known(iut, unchanged);
}

CASE(object_says_how_large_its_header_is, .clauses = {TYPE_9},
     .title = "the metadata of ffi.Object has a size of 24 bytes")
{
  const TVMFFITypeMetadata *metadata = info_of(iut, kTVMFFIObject)->metadata;
  require(expect_not_null("the metadata", metadata));
  expect_int("the total size", metadata->total_size, 24);
}

// Borrow: the field of this name, or the end of the case.
static const TVMFFIFieldInfo *field_of(Iut *iut, int32_t type_index, const char *name)
{
  const TVMFFITypeInfo *info = info_of(iut, type_index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIByteArray *seen = &info->fields[i].name;
    if (seen->size == strlen(name) && memcmp(seen->data, name, seen->size) == 0)
      return &info->fields[i];
  }
  expect_that(false, "a field of the right name", "none of %" PRId32 " fields is %s",
              info->num_fields, name);
  case_end_unsatisfied();
}

CASE(module_has_its_imports_as_a_field, .clauses = {TYPE_10},
     .title = "ffi.Module has the field imports_, which can be read")
{
  const TVMFFIFieldInfo *field = field_of(iut, kTVMFFIModule, "imports_");
  expect_that(field->getter != NULL, "a getter", "none");
}

CASE(visit_interrupt_has_its_value_as_a_field, .clauses = {TYPE_11},
     .title = "ffi.VisitInterrupt has the field value, which can be read")
{
  const TVMFFIFieldInfo *field = field_of(iut, kTVMFFIVisitInterrupt, "value");
  expect_that(field->getter != NULL, "a getter", "none");
}

static bool has_visit_interrupt(Iut *iut)
{
  return iut->version >= ABI_VERSION(0, 1, 13);
}

CASE(fields_have_static_types, .clauses = {TYPE_61},
     .title = "imports_ is an array that cannot be written, and value is any value")
{
  const TVMFFIFieldInfo *imports = field_of(iut, kTVMFFIModule, "imports_");
  expect_int("the static type", imports->field_static_type_index, kTVMFFIArray);
  expect_hex("the flag of a field that can be written",
             (uint64_t)imports->flags & kTVMFFIFieldFlagBitMaskWritable, 0);
  if (!has_visit_interrupt(iut)) return;
  note("value of ffi.VisitInterrupt");
  expect_int("the static type",
             field_of(iut, kTVMFFIVisitInterrupt, "value")->field_static_type_index, kTVMFFIAny);
}

static int set_field(const TVMFFIFieldInfo *field, void *place, const TVMFFIAny *value)
{
  TVMFFIFieldSetter set;
  memcpy(&set, &field->setter, sizeof set);
  return set(place, value);
}

// The place of the field alone is there: a setter is given nothing else.
static void expect_set(Iut *iut, const TVMFFIFieldInfo *field, void *place, const TVMFFIAny *value)
{
  TVMFFIAny seen = any_none();
  require(expect_not_null("the setter", field->setter));
  require(expect_that(field->getter != NULL, "a getter", "none"));
  require(expect_ok(iut, set_field(field, place, value)));
  require(expect_ok(iut, field->getter(place, &seen)));
  expect_same_bytes(&seen, value);
  release_any(iut, &seen);
}

CASE(setters_of_own_fields_have_an_effect, .clauses = {TYPE_65},
     .title = "what the setter of a field of the runtime's own stores the getter gives")
{
  TVMFFIObjectHandle array = new_probe_object_of(iut, kTVMFFIArray), **imports;
  TVMFFIAny given = view_of_object(iut, array), number = view_of_int(42);
  imports = fenced_buffer("the field", sizeof(void *));
  memset(imports, 0, sizeof(void *));
  expect_set(iut, field_of(iut, kTVMFFIModule, "imports_"), imports, &given);
  expect_counts(iut, array, .strong = 2, .weak = 1);
  if (!has_visit_interrupt(iut)) return;
  note("value of ffi.VisitInterrupt");
  TVMFFIAny *value = fenced_buffer("the field", sizeof *value);
  *value = any_none();
  expect_set(iut, field_of(iut, kTVMFFIVisitInterrupt, "value"), value, &number);
  TVMFFIObjectHandle object = new_probe_object(iut);
  given = view_of_object(iut, object);
  expect_set(iut, field_of(iut, kTVMFFIVisitInterrupt, "value"), value, &given);
  expect_counts(iut, object, .strong = 2, .weak = 1);
}

//--------------------------------------------------------------------------------------------------
// Keys
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *key;
  size_t size;
} unknown_keys[] = {
    {"empty", "", 0},
    {"empty_without_data", NULL, 0},
    {"other_case", "Int", 3},
    {"with_blank", "int ", 4},
    {"with_nul", "int", 4},
    {"shortened", "ffi.Objec", 9},
    {"never_registered", "conform.unknown", 15},
};

CASE_ROWS(unknown_key_is_refused, unknown_keys, .clauses = {TYPE_12},
          .title = "asking for an unknown key raises an error")
{
  int32_t known = new_type(iut, "conform.known", (TypePlan){.slots = 0});
  TVMFFIByteArray without_data = {NULL, 0};
  const TVMFFIByteArray *key =
      row->key ? fenced_bytes(row->key, row->size)
               : fenced_copy("the byte array", &without_data, sizeof without_data);
  int32_t *index = fenced_buffer("the index", sizeof *index);
  expect_failure(iut, iut->TypeKeyToIndex(key, index));
  note("a key that is known");
  require(expect_ok(iut, iut->TypeKeyToIndex(fenced_bytes("conform.known", 13), index)));
  expect_int("the output", *index, known);
}

CASE(unknown_key_is_an_internal_error, .clauses = {TYPE_60}, .wrong_call = true,
     .title = "asking for an unknown key raises an InternalError")
{
  int32_t index = 0;
  expect_error(iut, iut->TypeKeyToIndex(fenced_bytes("conform.unknown", 15), &index),
               "InternalError");
}

CASE(unknown_key_writes_no_index, .clauses = {TYPE_62}, .wrong_call = true,
     .title = "asking for an unknown key writes no index")
{
  int32_t *index = fenced_buffer("the index", sizeof *index);
  *index = 0x5A5A5A5A;
  expect_failure(iut, iut->TypeKeyToIndex(fenced_bytes("conform.unknown", 15), index));
  expect_hex("the output", (uint32_t)*index, 0x5A5A5A5A);
}

static const struct {
  const char *key;
  size_t size;
} relatives[] = {
    {"conform.Node", 12},    {"conform.Nod", 11},    {"conform.Node1", 13},
    {"conform.node", 12},    {"conform.Node\0", 13}, {"conform.Node\0x", 14},
    {"conform.Node\0y", 14}, {"\0conform.Node", 13}, {"conform.\xFF\xFE", 10},
};
enum { RELATIVES = sizeof relatives / sizeof relatives[0] };

CASE(key_is_all_of_its_bytes, .clauses = {TYPE_13, TYPE_19},
     .title = "keys that differ in a last byte, in case or after a NUL are different types")
{
  int32_t indices[RELATIVES];
  for (int i = 0; i < RELATIVES; ++i) {
    note("key %d", i);
    const TVMFFIByteArray *key = fenced_bytes(relatives[i].key, relatives[i].size);
    expect_unknown(iut, key);
    indices[i] = register_key(iut, key, (TypePlan){.slots = 0});
    for (int j = 0; j < i; ++j)
      expect_that(indices[i] != indices[j], "an index of its own", "the same as key %d", j);
  }
  for (int i = 0; i < RELATIVES; ++i) {
    note("key %d, when all are registered", i);
    expect_index(iut, fenced_bytes(relatives[i].key, relatives[i].size), indices[i]);
    expect_named(iut, indices[i], relatives[i].key, relatives[i].size);
  }
}

CASE(key_ends_where_its_size_says, .clauses = {TYPE_13},
     .title = "a key is found with anything, with nothing and with an unmapped page after it")
{
  int32_t index = new_type(iut, "conform.Node", (TypePlan){.slots = 0});
  const char *surrounded = "conform.Nodes and more";
  expect_index(iut, &(TVMFFIByteArray){surrounded, 12}, index);
  expect_index(iut, fenced_bytes("conform.Node", 12), index);
  expect_unknown(iut, &(TVMFFIByteArray){surrounded, 13});
}

// Keys of many lengths that begin alike, each longer than the one before it: were one found by a
// part of itself, or by the length that it has in common with another, this would show.
CASE(key_is_not_found_by_a_part, .clauses = {TYPE_13},
     .title = "among 600 keys that begin alike no other key is found, be it shorter or longer")
{
  enum { LENGTHS = 300, PREFIX = 8 };
  char text[PREFIX + LENGTHS + 2];
  int32_t ends[2][LENGTHS + 1];
  memcpy(text, "conform.", PREFIX);
  memset(text + PREFIX, 'k', LENGTHS + 2);
  for (size_t size = 2; size <= LENGTHS; size += 2)
    for (int end = 0; end < 2; ++end) {
      TVMFFIByteArray key = {text, PREFIX + size};
      text[PREFIX + size - 1] = (char)('A' + end);
      ends[end][size] = register_key(iut, &key, (TypePlan){.slots = 0});
      text[PREFIX + size - 1] = 'k';
    }
  for (size_t size = 1; size <= LENGTHS + 1; ++size) {
    TVMFFIByteArray key = {text, PREFIX + size};
    note("a key of %zu bytes", key.size);
    if (!expect_unknown(iut, &key)) return;
    for (int end = 0; end < 3; ++end) {
      text[PREFIX + size - 1] = (char)('A' + end);
      bool known = end < 2 && size % 2 == 0;
      bool right = known ? expect_index(iut, &key, ends[end][size]) : expect_unknown(iut, &key);
      text[PREFIX + size - 1] = 'k';
      if (!right) return;
    }
  }
}

CASE(key_is_copied, .clauses = {TYPE_14},
     .title = "a registered key is found and reads the same after its memory was overwritten")
{
  char *memory = fenced_buffer("the key", 12);
  memcpy(memory, "conform.Node", 12);
  TVMFFIByteArray *key = fenced_buffer("the byte array", sizeof *key);
  *key = (TVMFFIByteArray){memory, 12};
  int32_t index = register_key(iut, key, (TypePlan){.slots = 0});
  expect_memory("the key after the call", memory, 12, "conform.Node", 12);
  expect_pointer("the data of the byte array", key->data, memory);
  expect_int("the size in the byte array", (int64_t)key->size, 12);
  memset(memory, '?', 12);
  *key = (TVMFFIByteArray){NULL, 0};
  expect_index(iut, fenced_bytes("conform.Node", 12), index);
  expect_named(iut, index, "conform.Node", 12);
  expect_unknown(iut, fenced_bytes("????????????", 12));
}

CASE(keys_are_only_read, .clauses = {TYPE_14},
     .title = "keys and names of attributes may be in read-only memory")
{
  int32_t index = new_type(iut, "conform.Node", (TypePlan){.slots = 0});
  const TVMFFIByteArray *key = fenced_bytes("conform.Node", 12);
  const TVMFFIByteArray *attribute = fenced_bytes("conform.attribute", 17);
  TVMFFIAny value = view_of_int(1);
  expect_int("the index of the same key again", register_key(iut, key, (TypePlan){.slots = 0}),
             index);
  expect_index(iut, key, index);
  expect_pointer("the column before", iut->GetTypeAttrColumn(attribute), NULL);
  require(expect_ok(iut, iut->TypeRegisterAttr(index, attribute, &value)));
  expect_not_null("the column", iut->GetTypeAttrColumn(attribute));
}

//--------------------------------------------------------------------------------------------------
// Type information
//--------------------------------------------------------------------------------------------------

CASE(information_names_the_type, .clauses = {TYPE_15, TYPE_22},
     .title = "the information about a registered type has its index, depth and key")
{
  int32_t parent = kTVMFFIObject;
  for (unsigned depth = 1; depth <= 6; ++depth) {
    note("a type of depth %u", depth);
    char key[32];
    size_t size = (size_t)snprintf(key, sizeof key, "conform.depth.%u", depth);
    int32_t index = new_type(iut, key, (TypePlan){.parent = parent, .overflow = true});
    expect_named(iut, index, key, size);
    expect_int("the depth", info_of(iut, index)->type_depth, depth);
    parent = index;
  }
}

// A wrong call: a runtime need not have each of these types.
CASE(key_in_the_information_ends_with_a_nul, .clauses = {TYPE_16}, .wrong_call = true,
     .title = "a NUL follows the key in the type information, which its size does not count")
{
  for (const BuiltIn *type = from_the_start; type->key; ++type) {
    const TVMFFIByteArray *key = &info_of(iut, type->index)->type_key;
    note("%s", type->key);
    if (expect_int("the size of the key", (int64_t)key->size, (int64_t)strlen(type->key)))
      expect_hex("the byte behind the key", (unsigned char)key->data[key->size], 0);
  }
  for (int i = 0; i < RELATIVES; ++i) {
    note("a key of %zu bytes, registered with an `x` behind it", relatives[i].size);
    char text[16];
    memset(text, 'x', sizeof text);
    memcpy(text, relatives[i].key, relatives[i].size);
    TVMFFIByteArray given = {text, relatives[i].size};
    const TVMFFIByteArray *key =
        &info_of(iut, register_key(iut, &given, (TypePlan){.slots = 0}))->type_key;
    if (expect_int("the size of the key", (int64_t)key->size, (int64_t)given.size))
      expect_hex("the byte behind the key", (unsigned char)key->data[key->size], 0);
  }
}

CASE(ancestors_stand_root_first, .clauses = {TYPE_17, TYPE_22},
     .title = "the ancestor at each depth is the information of the type of that depth")
{
  enum { DEPTH = 40 };
  const TVMFFITypeInfo *line[DEPTH + 1] = {info_of(iut, kTVMFFIObject)};
  for (int depth = 1; depth <= DEPTH; ++depth) {
    int32_t parent = line[depth - 1]->type_index;
    int32_t index = new_numbered_type(iut, "conform.line", (unsigned)depth,
                                      (TypePlan){.parent = parent, .overflow = true});
    line[depth] = info_of(iut, index);
  }
  for (int depth = 1; depth <= DEPTH; ++depth) {
    note("the type of depth %d", depth);
    require(expect_int("the depth", line[depth]->type_depth, depth));
    require(expect_not_null("the ancestors", line[depth]->type_ancestors));
    for (int i = 0; i < depth; ++i)
      expect_pointer("an ancestor", line[depth]->type_ancestors[i], line[i]);
  }
}

static void register_many(Iut *iut, unsigned count)
{
  for (unsigned i = 0; i < count; ++i) {
    int32_t index = new_numbered_type(iut, "conform.many", i, (TypePlan){.slots = (int32_t)i % 3});
    TVMFFIFieldInfo field = {.name = {"field", 5}, .size = 8, .alignment = 8, .offset = 24};
    if (i % 16 == 0 && iut->TypeRegisterField(index, &field) != 0) return;
  }
}

CASE(information_stays_where_it_is, .clauses = {TYPE_18},
     .title = "the information about a type is at the same address after 3000 further types")
{
  enum { OWN = 8 };
  const TVMFFITypeInfo *object = info_of(iut, kTVMFFIObject), *own[OWN];
  for (unsigned i = 0; i < OWN; ++i)
    own[i] = info_of(iut, new_numbered_type(iut, "conform.own", i, (TypePlan){.slots = 1}));
  register_many(iut, 3000);
  for (unsigned i = 0; i < OWN; ++i) {
    TVMFFIFieldInfo field = {.name = {"field", 5}, .size = 8, .alignment = 8, .offset = 24};
    require(expect_ok(iut, iut->TypeRegisterField(own[i]->type_index, &field)));
    expect_pointer("the information of a type of ours", info_of(iut, own[i]->type_index), own[i]);
  }
  expect_pointer("the information of a built-in type", info_of(iut, kTVMFFIObject), object);
}
