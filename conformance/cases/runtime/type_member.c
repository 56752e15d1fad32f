// SPDX-License-Identifier: Apache-2.0
// Fields, methods and metadata of types.
#include "cases/runtime/function_shorthand.h"
#include "cases/runtime/string_value.h"
#include "cases/runtime/type_registering.h"

CHAPTER(type);

static int getter(__attribute__((unused)) void *field, TVMFFIAny *result)
{
  *result = view_of_int(0);
  return 0;
}

static int setter(__attribute__((unused)) void *field,
                  __attribute__((unused)) const TVMFFIAny *value)
{
  return 0;
}

static int creator(TVMFFIObjectHandle *result)
{
  *result = NULL;
  return -1;
}

static void *address_of_setter(void)
{
  TVMFFIFieldSetter function = setter;
  void *address;
  memcpy(&address, &function, sizeof address);
  return address;
}

static int32_t new_node(Iut *iut)
{
  return new_type(iut, "conform.Node", (TypePlan){.slots = 0});
}

static TVMFFIByteArray fenced_text(const char *text)
{
  return *fenced_bytes(text, strlen(text));
}

// A field of 8 bytes without default, doc or metadata.
static TVMFFIFieldInfo plain_field(const char *name)
{
  return (TVMFFIFieldInfo){.name = fenced_text(name),
                           .size = 8,
                           .alignment = 8,
                           .offset = 24,
                           .getter = getter,
                           .setter = address_of_setter(),
                           .field_static_type_index = kTVMFFIAny};
}

static TVMFFIMethodInfo method_of(const Iut *iut, const char *name, TVMFFIObjectHandle function)
{
  return (TVMFFIMethodInfo){.name = fenced_text(name), .method = view_of_object(iut, function)};
}

static int enter_field(Iut *iut, int32_t index, const TVMFFIFieldInfo *field)
{
  return iut->TypeRegisterField(index, fenced_copy("the field", field, sizeof *field));
}

static int enter_method(Iut *iut, int32_t index, const TVMFFIMethodInfo *method)
{
  return iut->TypeRegisterMethod(index, fenced_copy("the method", method, sizeof *method));
}

static bool expect_same_text(const char *what, const TVMFFIByteArray *seen,
                             const TVMFFIByteArray *given)
{
  return expect_memory(what, seen->data, seen->size, given->data, given->size);
}

//--------------------------------------------------------------------------------------------------
// Fields
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *texts[3];
  int64_t flags, size, alignment, offset;
  int32_t static_type;
  bool bare;  // without getter and setter
} fields[] = {
    {"plain", {"value", "", ""}, 0, 8, 8, 24, kTVMFFIInt, false},
    {"writable",
     {"value", "what it means", "{\"type_schema\": 1}"},
     1,
     4,
     4,
     40,
     kTVMFFIFloat,
     false},
    {"all_other_flags", {"value", "doc", ""}, 0x5FC, 1, 1, 31, kTVMFFIAny, false},
    {"flags_of_def_regions", {"value", "", ""}, 0x1210, 8, 8, 24, kTVMFFIObject, false},
    {"flags_yet_to_come", {"value", "", ""}, INT64_C(1) << 62, 16, 16, 1 << 20, kTVMFFIMap, false},
    {"without_callbacks", {"value", "", "{}"}, 0, 0, 0, 0, kTVMFFINone, true},
    {"in_front_of_the_header", {"value", "", ""}, 0, 8, 8, -64, kTVMFFIObject, false},
    {"not_utf8", {"\xFF\xFE", "\xC3", "\x80"}, 0, 8, 8, 24, kTVMFFIStr, false},
};

CASE_ROWS(field_is_described_as_it_was_given, fields, .clauses = {TYPE_32},
          .title = "a registered field has the name, texts, flags, place, callbacks and type given")
{
  int32_t index = new_node(iut);
  expect_int("the number of fields before", info_of(iut, index)->num_fields, 0);
  TVMFFIFieldInfo given = plain_field(row->texts[0]);
  given.doc = fenced_text(row->texts[1]);
  given.metadata = fenced_text(row->texts[2]);
  given.flags = row->flags, given.size = row->size, given.alignment = row->alignment;
  given.offset = row->offset, given.field_static_type_index = row->static_type;
  if (row->bare) given.getter = NULL, given.setter = NULL;
  require(expect_ok(iut, enter_field(iut, index, &given)));
  require(expect_int("the number of fields", info_of(iut, index)->num_fields, 1));
  const TVMFFIFieldInfo *seen = info_of(iut, index)->fields;
  expect_same_text("the name", &seen->name, &given.name);
  expect_same_text("the doc", &seen->doc, &given.doc);
  expect_same_text("the metadata", &seen->metadata, &given.metadata);
  expect_hex("the flags", (uint64_t)seen->flags, (uint64_t)given.flags);
  expect_int("the size", seen->size, given.size);
  expect_int("the alignment", seen->alignment, given.alignment);
  expect_int("the offset", seen->offset, given.offset);
  expect_that(seen->getter == given.getter, "the getter that was given", "another one");
  expect_pointer("the setter", seen->setter, given.setter);
  expect_int("the static type", seen->field_static_type_index, given.field_static_type_index);
}

CASE(fields_stand_in_order, .clauses = {TYPE_33, TYPE_32},
     .title = "40 fields are an array of descriptions in the order of registration")
{
  int32_t index = new_node(iut);
  char name[16];
  for (unsigned i = 0; i < 40; ++i) {
    TVMFFIFieldInfo field = plain_field("");
    size_t size = (size_t)snprintf(name, sizeof name, "f%u", (i * 17) % 40);
    field.name = (TVMFFIByteArray){name, size};
    field.offset = i;
    require(expect_ok(iut, iut->TypeRegisterField(index, &field)));
  }
  const TVMFFITypeInfo *info = info_of(iut, index);
  require(expect_int("the number of fields", info->num_fields, 40));
  const size_t each = sizeof(void *) == 8 ? 120 : sizeof(TVMFFIFieldInfo);
  for (unsigned i = 0; i < 40; ++i) {
    note("the field at byte %zu", each * i);
    TVMFFIFieldInfo field;
    memcpy(&field, (const char *)info->fields + each * i, sizeof field);
    size_t size = (size_t)snprintf(name, sizeof name, "f%u", (i * 17) % 40);
    expect_memory("the name", field.name.data, field.name.size, name, size);
    expect_int("the offset", field.offset, i);
  }
}

CASE(methods_are_an_array, .clauses = {TYPE_33, TYPE_39},
     .title = "40 methods are an array of descriptions of 72 bytes, each of them once")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle function = new_single_function(iut);
  char name[16];
  for (unsigned i = 0; i < 40; ++i) {
    TVMFFIMethodInfo method = {.method = view_of_object(iut, function), .flags = i};
    method.name = (TVMFFIByteArray){name, (size_t)snprintf(name, sizeof name, "m%u", i)};
    require(expect_ok(iut, iut->TypeRegisterMethod(index, &method)));
  }
  const TVMFFITypeInfo *info = info_of(iut, index);
  require(expect_int("the number of methods", info->num_methods, 40));
  const size_t each = sizeof(void *) == 8 ? 72 : sizeof(TVMFFIMethodInfo);
  uint64_t seen = 0;
  for (unsigned i = 0; i < 40; ++i) {
    note("the method at byte %zu", each * i);
    TVMFFIMethodInfo method;
    memcpy(&method, (const char *)info->methods + each * i, sizeof method);
    require(expect_that(method.flags >= 0 && method.flags < 40, "flags of one of the methods",
                        "%" PRId64, method.flags));
    size_t size = (size_t)snprintf(name, sizeof name, "m%d", (int)method.flags);
    expect_memory("the name", method.name.data, method.name.size, name, size);
    seen |= UINT64_C(1) << method.flags;
  }
  expect_hex("the methods that are there", seen, (UINT64_C(1) << 40) - 1);
  release_object(iut, function);
}

CASE(methods_stand_in_order, .clauses = {TYPE_63},
     .title = "40 methods are an array of descriptions in the order of registration")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle function = new_single_function(iut);
  char name[16];
  for (unsigned i = 0; i < 40; ++i) {
    TVMFFIMethodInfo method = {.method = view_of_object(iut, function), .flags = i};
    method.name =
        (TVMFFIByteArray){name, (size_t)snprintf(name, sizeof name, "m%u", (i * 17) % 40)};
    require(expect_ok(iut, iut->TypeRegisterMethod(index, &method)));
  }
  const TVMFFITypeInfo *info = info_of(iut, index);
  require(expect_int("the number of methods", info->num_methods, 40));
  const size_t each = sizeof(void *) == 8 ? 72 : sizeof(TVMFFIMethodInfo);
  for (unsigned i = 0; i < 40; ++i) {
    note("the method at byte %zu", each * i);
    TVMFFIMethodInfo method;
    memcpy(&method, (const char *)info->methods + each * i, sizeof method);
    size_t size = (size_t)snprintf(name, sizeof name, "m%u", (i * 17) % 40);
    expect_memory("the name", method.name.data, method.name.size, name, size);
    expect_int("the flags", method.flags, i);
  }
  release_object(iut, function);
}

// A text in memory that can be written, to be overwritten later.
static TVMFFIByteArray passing_text(char **memory, const char *text)
{
  size_t size = strlen(text);
  *memory = memcpy(fenced_buffer("a text", size), text, size);
  return (TVMFFIByteArray){*memory, size};
}

CASE(
    descriptions_are_copied, .clauses = {TYPE_34},
    .title = "names, docs and metadata of members read the same after their memory was overwritten")
{
  char *memory[3];
  int32_t index = new_node(iut);
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIByteArray name = passing_text(&memory[0], "name"), doc = passing_text(&memory[1], "docs"),
                  json = passing_text(&memory[2], "json");
  TVMFFIFieldInfo field = plain_field("");
  field.name = name, field.doc = doc, field.metadata = json;
  TVMFFIMethodInfo method = {
      .name = name, .doc = doc, .metadata = json, .method = view_of_object(iut, function)};
  TVMFFITypeMetadata metadata = {.doc = doc};
  require(expect_ok(iut, enter_field(iut, index, &field)));
  require(expect_ok(iut, enter_method(iut, index, &method)));
  require(expect_ok(iut, iut->TypeRegisterMetadata(
                             index, fenced_copy("the metadata", &metadata, sizeof metadata))));
  for (int i = 0; i < 3; ++i) memset(memory[i], '?', 4);
  const TVMFFITypeInfo *info = info_of(iut, index);
  expect_text("the name of the field", info->fields->name, "name");
  expect_text("the doc of the field", info->fields->doc, "docs");
  expect_text("the metadata of the field", info->fields->metadata, "json");
  expect_text("the name of the method", info->methods->name, "name");
  expect_text("the doc of the method", info->methods->doc, "docs");
  expect_text("the metadata of the method", info->methods->metadata, "json");
  expect_text("the doc of the type", info->metadata->doc, "docs");
  release_object(iut, function);
}

CASE(texts_of_descriptions_may_be_missing, .clauses = {TYPE_34},
     .title = "members with texts that are NULL and 0 are registered, and have empty texts")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIFieldInfo field = plain_field("field");
  TVMFFIMethodInfo method = method_of(iut, "method", function);
  TVMFFITypeMetadata metadata = {.total_size = 32};
  require(expect_ok(iut, enter_field(iut, index, &field)));
  require(expect_ok(iut, enter_method(iut, index, &method)));
  require(expect_ok(iut, iut->TypeRegisterMetadata(
                             index, fenced_copy("the metadata", &metadata, sizeof metadata))));
  const TVMFFITypeInfo *info = info_of(iut, index);
  expect_text("the name of the field", info->fields->name, "field");
  expect_int("the size of the doc of the field", (int64_t)info->fields->doc.size, 0);
  expect_int("the size of the metadata of the field", (int64_t)info->fields->metadata.size, 0);
  expect_text("the name of the method", info->methods->name, "method");
  expect_int("the size of the doc of the method", (int64_t)info->methods->doc.size, 0);
  expect_int("the size of the metadata of the method", (int64_t)info->methods->metadata.size, 0);
  expect_int("the size of the doc of the type", (int64_t)info->metadata->doc.size, 0);
  expect_int("the size of the type", info->metadata->total_size, 32);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// Defaults and setters
//--------------------------------------------------------------------------------------------------

// Registers a field with this default, and returns the one that is stored.
static const TVMFFIAny *stored_default(Iut *iut, int32_t index, int64_t flags, TVMFFIAny value)
{
  TVMFFIFieldInfo field = plain_field("value");
  field.flags = flags;
  field.default_value_or_factory = value;
  require(expect_ok(iut, enter_field(iut, index, &field)));
  return &info_of(iut, index)->fields->default_value_or_factory;
}

static const struct {
  const char *name;
  const char *text;
} default_texts[] = {{"short", "text"}, {"long", "a text that fits into no small string"}};

CASE_ROWS(default_text_becomes_a_string, default_texts, .clauses = {TYPE_35},
          .title = "a raw C string as default is kept as a string of the runtime's own")
{
  char *memory;
  size_t size = strlen(row->text) + 1;
  memory = memcpy(fenced_buffer("the C string", size), row->text, size);
  const TVMFFIAny *stored = stored_default(iut, new_node(iut), kTVMFFIFieldFlagBitMaskHasDefault,
                                           view_of_raw_string(memory));
  memset(memory, '?', size - 1);
  expect_that(stored->type_index == kTVMFFISmallStr || stored->type_index == kTVMFFIStr, "a string",
              "type index %" PRId32, stored->type_index);
  TVMFFIByteArray text = text_in(iut, stored);
  expect_text("the default", text, row->text);
}

CASE(default_object_gains_a_reference, .clauses = {TYPE_35},
     .title = "an object as default gains exactly one strong reference")
{
  TVMFFIObjectHandle object = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, object);
  const TVMFFIAny *stored =
      stored_default(iut, new_node(iut), kTVMFFIFieldFlagBitMaskHasDefault, view);
  expect_same_bytes(stored, &view);
  expect_counts(iut, object, .strong = 2, .weak = 1);
  release_object(iut, object);
  expect_deleter_calls(object, "");
}

CASE(default_number_is_kept, .clauses = {TYPE_35},
     .title = "a number as default is kept as it was given")
{
  TVMFFIAny value = view_of_int(-42);
  expect_same_bytes(stored_default(iut, new_node(iut), kTVMFFIFieldFlagBitMaskHasDefault, value),
                    &value);
}

static const struct {
  const char *name;
  int64_t flags;
} flags_without_default[] = {{"no_flag", 0}, {"all_other_flags", 0x5FD}};

static bool expect_value(const char *what, const TVMFFIAny *value)
{
  return expect_that(value->type_index > kTVMFFIAny, what, "type index %" PRId32,
                     value->type_index);
}

CASE(no_value_is_of_any_type, .clauses = {ANY_35},
     .title = "a field of any type has a default, or none, of another type index than -1")
{
  const TVMFFIAny *stored = stored_default(iut, new_node(iut), 0, any_none());
  expect_value("a type index of 0 or more for a field without a default", stored);
  int32_t sibling = new_type(iut, "conform.Sibling", (TypePlan){.slots = 0});
  stored = stored_default(iut, sibling, kTVMFFIFieldFlagBitMaskHasDefault, view_of_int(3));
  expect_value("a type index of 0 or more for a field with the default 3", stored);
}

CASE_ROWS(field_without_a_default_has_none, flags_without_default, .clauses = {TYPE_36},
          .title = "without flag 2 the stored default is None, and nothing is retained")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle object = new_probe_object(iut);
  const TVMFFIAny *stored = stored_default(iut, index, row->flags, view_of_object(iut, object));
  expect_type_index(stored, kTVMFFINone);
  expect_counts(iut, object, .strong = 1, .weak = 1);
  note("a field with a default");
  TVMFFIFieldInfo field = plain_field("other");
  field.flags = row->flags | kTVMFFIFieldFlagBitMaskHasDefault;
  field.default_value_or_factory = view_of_object(iut, object);
  require(expect_ok(iut, enter_field(iut, index, &field)));
  expect_counts(iut, object, .strong = 2, .weak = 1);
}

static void expect_zeros(const char *what, const void *bytes, size_t size)
{
  static const unsigned char zeros[sizeof(TVMFFIAny)];
  expect_memory(what, bytes, size, zeros, size);
}

CASE(stored_default_is_clean, .clauses = {TYPE_66},
     .title = "a stored default has zeros beside numbers, behind short strings and in None")
{
  TVMFFIAny garbage;
  memset(&garbage, 0xA5, sizeof garbage);
  const TVMFFIAny *stored = stored_default(iut, new_node(iut), 0, garbage);
  if (stored->type_index == kTVMFFINone)
    expect_zeros("the default of a field that has none", stored, sizeof *stored);
  note("a short text");
  int32_t index = new_type(iut, "conform.Text", (TypePlan){.slots = 0});
  stored = stored_default(iut, index, kTVMFFIFieldFlagBitMaskHasDefault, view_of_raw_string("abc"));
  if (stored->type_index == kTVMFFISmallStr)
    expect_zeros("the bytes behind the text", stored->v_bytes + 3, 5);
  else
    expect_zeros("the padding", &stored->zero_padding, 4);
  note("a truth value");
  index = new_type(iut, "conform.Bool", (TypePlan){.slots = 0});
  stored = stored_default(iut, index, kTVMFFIFieldFlagBitMaskHasDefault,
                          (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1});
  expect_zeros("the padding", &stored->zero_padding, 4);
  expect_int("the value", stored->v_int64, 1);
}

CASE(members_of_no_type_are_internal_errors, .clauses = {TYPE_60}, .wrong_call = true,
     .title = "members of a type that does not exist raise an InternalError")
{
  TVMFFIFieldInfo field = plain_field("value");
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIMethodInfo method = method_of(iut, "method", function);
  TVMFFITypeMetadata metadata = {.total_size = 24};
  expect_error(iut, enter_field(iut, NO_TYPE, &field), "InternalError");
  expect_error(iut, enter_method(iut, NO_TYPE, &method), "InternalError");
  expect_error(iut, iut->TypeRegisterMetadata(NO_TYPE, &metadata), "InternalError");
  release_object(iut, function);
}

CASE(second_metadata_are_a_runtime_error, .clauses = {TYPE_60}, .wrong_call = true,
     .title = "second metadata of a type raise a RuntimeError")
{
  int32_t index = new_node(iut);
  TVMFFITypeMetadata metadata = {.total_size = 32};
  require(expect_ok(iut, iut->TypeRegisterMetadata(index, &metadata)));
  expect_error(iut, iut->TypeRegisterMetadata(index, &metadata), "RuntimeError");
}

CASE(setter_that_is_a_function_is_retained, .clauses = {TYPE_37},
     .title = "a setter that flag 2048 calls a function gains exactly one strong reference")
{
  int32_t index = new_node(iut);
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  TVMFFIFieldInfo field = plain_field("value");
  field.flags = kTVMFFIFieldFlagBitSetterIsFunctionObj | kTVMFFIFieldFlagBitMaskWritable;
  field.setter = function;
  require(expect_ok(iut, enter_field(iut, index, &field)));
  expect_counts(iut, function, .strong = 2, .weak = 1);
  expect_pointer("the setter", info_of(iut, index)->fields->setter, function);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 0);
}

CASE(field_name_is_taken_once, .clauses = {TYPE_38}, .wrong_call = true,
     .title = "a second field of the same name is refused, and the fields stay as they were")
{
  int32_t index = new_node(iut);
  TVMFFIFieldInfo first = plain_field("value"), second = plain_field("value");
  second.offset = 32;
  require(expect_ok(iut, enter_field(iut, index, &first)));
  for (int i = 0; i < 3; ++i) expect_failure(iut, enter_field(iut, index, &second));
  require(expect_int("the number of fields", info_of(iut, index)->num_fields, 1));
  expect_int("the offset of the field", info_of(iut, index)->fields[0].offset, 24);
  note("fields of other names");
  static const char *const others[] = {"valu", "values", "Value", ""};
  for (int i = 0; i < 4; ++i) {
    TVMFFIFieldInfo other = plain_field(others[i]);
    expect_ok(iut, enter_field(iut, index, &other));
  }
  expect_int("the number of fields", info_of(iut, index)->num_fields, 5);
  note("a field of the same name in another type");
  int32_t sibling = new_type(iut, "conform.Sibling", (TypePlan){.slots = 0});
  expect_ok(iut, enter_field(iut, sibling, &second));
}

//--------------------------------------------------------------------------------------------------
// Methods and metadata
//--------------------------------------------------------------------------------------------------

CASE(method_is_described_as_it_was_given, .clauses = {TYPE_39},
     .title =
         "a registered method has the name, texts, flags and function given, which gains one "
         "reference")
{
  int32_t index = new_node(iut);
  expect_int("the number of methods before", info_of(iut, index)->num_methods, 0);
  CallLog log = {.gives = true, .give = view_of_int(7)};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  TVMFFIMethodInfo given = method_of(iut, "method", function);
  given.doc = fenced_text("what it does");
  given.metadata = fenced_text("{\"type_schema\": 1}");
  given.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
  require(expect_ok(iut, enter_method(iut, index, &given)));
  require(expect_int("the number of methods", info_of(iut, index)->num_methods, 1));
  const TVMFFIMethodInfo *seen = info_of(iut, index)->methods;
  expect_same_text("the name", &seen->name, &given.name);
  expect_same_text("the doc", &seen->doc, &given.doc);
  expect_same_text("the metadata", &seen->metadata, &given.metadata);
  expect_hex("the flags", (uint64_t)seen->flags, (uint64_t)given.flags);
  expect_same_bytes(&seen->method, &given.method);
  expect_counts(iut, function, .strong = 2, .weak = 1);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 0);
  TVMFFIAny result = call_without_arguments(iut, seen->method.v_obj);
  expect_same_bytes(&result, &log.give);
}

static const struct {
  const char *name;
  TVMFFITypeMetadata metadata;
} metadatas[] = {
    {"full", {{"what it is", 10}, creator, 48, kTVMFFISEqHashKindTreeNode}},
    {"without_creator", {{"", 0}, NULL, 24, kTVMFFISEqHashKindUniqueInstance}},
    {"free_variable", {{"", 0}, NULL, 24, kTVMFFISEqHashKindFreeVar}},
    {"dag_node", {{"", 0}, NULL, 24, kTVMFFISEqHashKindDAGNode}},
    {"constant_tree_node", {{"", 0}, NULL, 24, kTVMFFISEqHashKindConstTreeNode}},
    {"nothing_known", {{NULL, 0}, NULL, 0, kTVMFFISEqHashKindUnsupported}},
};

CASE_ROWS(metadata_is_what_was_given, metadatas, .clauses = {TYPE_40},
          .title = "a type has no metadata, and then those that were registered")
{
  int32_t index = new_node(iut);
  expect_pointer("the metadata before", info_of(iut, index)->metadata, NULL);
  require(expect_ok(iut,
                    iut->TypeRegisterMetadata(
                        index, fenced_copy("the metadata", &row->metadata, sizeof row->metadata))));
  const TVMFFITypeMetadata *seen = info_of(iut, index)->metadata;
  require(expect_not_null("the metadata", seen));
  expect_same_text("the doc", &seen->doc, &row->metadata.doc);
  expect_that(seen->creator == row->metadata.creator, "the creator that was given", "another one");
  expect_int("the total size", seen->total_size, row->metadata.total_size);
  expect_int("the kind of structural equality", (int64_t)seen->structural_eq_hash_kind,
             (int64_t)row->metadata.structural_eq_hash_kind);
}

CASE(metadata_is_given_once, .clauses = {TYPE_41}, .wrong_call = true,
     .title = "second metadata of a type are refused, and the first stay")
{
  int32_t index = new_node(iut);
  TVMFFITypeMetadata first = {.doc = {"first", 5}, .creator = creator, .total_size = 32};
  TVMFFITypeMetadata second = {.doc = {"second", 6}, .total_size = 64};
  require(expect_ok(iut, iut->TypeRegisterMetadata(index, &first)));
  expect_failure(iut, iut->TypeRegisterMetadata(index, &second));
  expect_failure(iut, iut->TypeRegisterMetadata(index, &first));
  const TVMFFITypeMetadata *seen = info_of(iut, index)->metadata;
  require(expect_not_null("the metadata", seen));
  expect_text("the doc", seen->doc, "first");
  expect_int("the total size", seen->total_size, 32);
  expect_that(seen->creator == creator, "the creator that was given first", "another one");
}

//--------------------------------------------------------------------------------------------------
// Types that do not exist
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int32_t index;
} no_types[] = {{"minus_one", -1},
                {"smallest", INT32_MIN},
                {"hole", 63},
                {"far_away", NO_TYPE},
                {"largest", INT32_MAX}};

CASE_ROWS(type_that_does_not_exist_gets_no_members, no_types, .clauses = {TYPE_42},
          .title =
              "fields, methods and metadata of a type that does not exist are refused, and "
              "nothing is retained")
{
  TVMFFIObjectHandle object = new_probe_object(iut), function = new_single_function(iut);
  TVMFFIFieldInfo field = plain_field("value");
  field.flags = kTVMFFIFieldFlagBitMaskHasDefault;
  field.default_value_or_factory = view_of_object(iut, object);
  TVMFFIMethodInfo method = method_of(iut, "method", function);
  TVMFFITypeMetadata metadata = {.total_size = 24};
  note("a field");
  expect_failure(iut, enter_field(iut, row->index, &field));
  expect_counts(iut, object, .strong = 1, .weak = 1);
  note("a method");
  expect_failure(iut, enter_method(iut, row->index, &method));
  expect_counts(iut, function, .strong = 1, .weak = 1);
  note("metadata");
  expect_failure(iut, iut->TypeRegisterMetadata(row->index, &metadata));
  note("a type that exists");
  int32_t index = new_node(iut);
  expect_ok(iut, enter_field(iut, index, &field));
  expect_ok(iut, enter_method(iut, index, &method));
  expect_ok(iut, iut->TypeRegisterMetadata(index, &metadata));
}
