// SPDX-License-Identifier: Apache-2.0
// Attributes of types, which stand in columns by type index.
#include "cases/runtime/string_value.h"
#include "cases/runtime/type_registering.h"

CHAPTER(type);

static const TVMFFIByteArray *the_name(void)
{
  return fenced_bytes("conform.attribute", 17);
}

static int32_t new_node(Iut *iut)
{
  return new_type(iut, "conform.Node", (TypePlan){.overflow = true});
}

static int enter_attribute(Iut *iut, int32_t index, const TVMFFIByteArray *name, TVMFFIAny value)
{
  return iut->TypeRegisterAttr(index, name, fenced_copy("the value", &value, sizeof value));
}

// Borrow: the value of a type in a column, or NULL if the column does not cover the type.
// tvm-ffi#471: data begins with the type of the begin index, which is 0 so far.
static const TVMFFIAny *value_in(Iut *iut, const TVMFFITypeAttrColumn *column, int32_t index)
{
  TVMFFITypeAttrColumn seen = column_seen(iut, column);
  int64_t place = (int64_t)index - seen.begin_index;
  return place >= 0 && place < seen.size ? &seen.data[place] : NULL;
}

// Borrow: the value of a type under a name, or the end of the case if the column does not cover it.
static const TVMFFIAny *attribute_of(Iut *iut, const TVMFFIByteArray *name, int32_t index)
{
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(name);
  require(expect_not_null("the column", column));
  const TVMFFIAny *value = value_in(iut, column, index);
  TVMFFITypeAttrColumn seen = column_seen(iut, column);
  require(expect_that(value != NULL, "a column that covers the type",
                      "it begins with %" PRId32 " and has the size %" PRId32
                      ", the type is %" PRId32,
                      seen.begin_index, seen.size, index));
  return value;
}

CASE(attribute_is_found_in_its_column, .clauses = {TYPE_43},
     .title = "attributes of several types stand in one column at type index minus begin index")
{
  enum { TYPES = 12 };
  int32_t indices[TYPES];
  const TVMFFIByteArray *name = the_name();
  for (unsigned i = 0; i < TYPES; ++i)
    indices[i] = new_numbered_type(iut, "conform.type", i, (TypePlan){.slots = 20});
  for (unsigned i = 0; i < TYPES; ++i) {
    unsigned at = i * 5 % TYPES;
    require(expect_ok(iut, enter_attribute(iut, indices[at], name, view_of_int(1000 + at))));
  }
  for (unsigned i = 0; i < TYPES; ++i) {
    TVMFFIAny expected = view_of_int(1000 + i);
    note("the attribute of the type %u of %d", i, TYPES);
    expect_same_bytes(attribute_of(iut, name, indices[i]), &expected);
  }
}

CASE(column_lies_as_the_header_says, .clauses = {TYPE_43},
     .title = "a column has its data at offset 0, and then its size and its begin index")
{
  int32_t index = new_node(iut), size, begin;
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(42))));
  const char *column = (const char *)iut->GetTypeAttrColumn(the_name());
  require(expect_not_null("the column", column));
  const TVMFFIAny *data;
  memcpy(&data, column, sizeof data);
  if (iut->version < ABI_VERSION(0, 1, 9)) {
    TVMFFITypeAttrColumn seen =
        column_seen(iut, (const TVMFFITypeAttrColumn *)(const void *)column);
    size = seen.size;
    begin = seen.begin_index;
  } else {
    memcpy(&size, column + sizeof data, sizeof size);
    memcpy(&begin, column + sizeof data + 4, sizeof begin);
  }
  require(expect_that(begin >= 0 && begin <= index && index < begin + size,
                      "a column that covers the type", "%" PRId32 " types from %" PRId32 " on",
                      size, begin));
  expect_int("the attribute", data[index - begin].v_int64, 42);
}

CASE(built_in_types_have_attributes, .clauses = {TYPE_43, TYPE_2},
     .title = "built-in types may have attributes, plain ones among them")
{
  static const int32_t indices[] = {kTVMFFIInt, kTVMFFIDevice, kTVMFFIObject, kTVMFFIMap};
  for (int i = 0; i < 4; ++i) {
    TVMFFIAny value = view_of_int(i);
    require(expect_ok(iut, enter_attribute(iut, indices[i], the_name(), value)));
    expect_same_bytes(attribute_of(iut, the_name(), indices[i]), &value);
  }
}

static const struct {
  const char *name;
  const char *key;
  size_t size;
} other_names[] = {
    {"prefix", "conform.attribut", 16},
    {"longer", "conform.attributes", 18},
    {"behind_a_nul", "conform.attribute", 18},
    {"other_case", "conform.Attribute", 17},
    {"empty", "", 0},
};

CASE_ROWS(
    column_that_nobody_registered_is_null, other_names, .clauses = {TYPE_44},
    .title = "a name under which nothing was registered has no column, and no error is raised")
{
  int32_t index = new_node(iut);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(1))));
  const TVMFFIByteArray *other = fenced_bytes(row->key, row->size);
  expect_pointer("the column of another name", iut->GetTypeAttrColumn(other), NULL);
  expect_no_error(iut);
  note("the other name, registered");
  require(expect_ok(iut, enter_attribute(iut, index, other, view_of_int(2))));
  expect_int("the attribute", attribute_of(iut, other, index)->v_int64, 2);
  expect_int("the first attribute", attribute_of(iut, the_name(), index)->v_int64, 1);
}

//--------------------------------------------------------------------------------------------------
// Values
//--------------------------------------------------------------------------------------------------

CASE(attribute_text_becomes_a_string, .clauses = {TYPE_45},
     .title = "raw C strings as attributes are kept as strings of the runtime's own")
{
  static const char *const texts[] = {"text", "a text that fits into no small string"};
  for (int i = 0; i < 2; ++i) {
    int32_t index = new_numbered_type(iut, "conform.type", (unsigned)i, (TypePlan){.slots = 0});
    size_t size = strlen(texts[i]) + 1;
    char *memory = memcpy(fenced_buffer("the C string", size), texts[i], size);
    require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_raw_string(memory))));
    memset(memory, '?', size - 1);
    const TVMFFIAny *kept = attribute_of(iut, the_name(), index);
    expect_that(kept->type_index == kTVMFFISmallStr || kept->type_index == kTVMFFIStr, "a string",
                "type index %" PRId32, kept->type_index);
    expect_text("the attribute", text_in(iut, kept), texts[i]);
  }
}

CASE(attribute_object_gains_a_reference, .clauses = {TYPE_45},
     .title = "an object as attribute gains exactly one strong reference")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle object = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, object);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view)));
  expect_counts(iut, object, .strong = 2, .weak = 1);
  expect_same_bytes(attribute_of(iut, the_name(), index), &view);
  release_object(iut, object);
  expect_deleter_calls(object, "");
}

CASE(types_without_the_attribute_read_none, .clauses = {TYPE_46},
     .title = "types between, below and above those with an attribute read None, all 16 bytes")
{
  int32_t low = new_node(iut);
  int32_t middle = new_type(iut, "conform.Child", (TypePlan){.parent = low, .overflow = true});
  int32_t below = new_type(iut, "conform.Grandchild", (TypePlan){.parent = middle});
  int32_t high = new_type(iut, "conform.Other", (TypePlan){.slots = 30});
  require(expect_ok(iut, enter_attribute(iut, low, the_name(), view_of_int(1))));
  require(expect_ok(iut, enter_attribute(iut, high, the_name(), view_of_int(2))));
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(the_name());
  require(expect_not_null("the column", column));
  const TVMFFITypeAttrColumn seen = column_seen(iut, column);
  const TVMFFIAny none = any_none();
  for (int32_t i = 0; i < seen.size; ++i) {
    int32_t index = i + seen.begin_index;
    note("the type %" PRId32, index);
    if (index != low && index != high) expect_same_bytes(&seen.data[i], &none);
  }
  note("descendants, which the column may not even cover");
  const TVMFFIAny *values[] = {value_in(iut, column, middle), value_in(iut, column, below)};
  for (int i = 0; i < 2; ++i)
    if (values[i]) expect_same_bytes(values[i], &none);
  expect_int("the attribute", attribute_of(iut, the_name(), low)->v_int64, 1);
}

CASE(ancestors_do_not_hand_attributes_down, .clauses = {TYPE_46},
     .title = "an attribute of ffi.Object is not that of its descendants")
{
  int32_t index = new_node(iut);
  require(expect_ok(iut, enter_attribute(iut, kTVMFFIObject, the_name(), view_of_int(1))));
  const TVMFFIAny *value = value_in(iut, iut->GetTypeAttrColumn(the_name()), index);
  TVMFFIAny none = any_none();
  if (value) expect_same_bytes(value, &none);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(2))));
  expect_int("the attribute of the descendant", attribute_of(iut, the_name(), index)->v_int64, 2);
  const TVMFFIAny *object = attribute_of(iut, the_name(), kTVMFFIObject);
  expect_int("the attribute of ffi.Object", object->v_int64, 1);
}

//--------------------------------------------------------------------------------------------------
// Once
//--------------------------------------------------------------------------------------------------

// tilelang#2367, sglang#34858, vllm#45169: two copies of one library register the same attribute
// from their constructors.
CASE(attribute_is_given_once, .clauses = {TYPE_47}, .wrong_call = true,
     .title = "a second value for the same attribute of a type is refused, and the old one stays")
{
  int32_t index = new_node(iut);
  TVMFFIObjectHandle first = new_probe_object(iut), second = new_probe_object(iut);
  TVMFFIAny view = view_of_object(iut, first);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view)));
  for (int i = 0; i < 3; ++i) {
    note("another object, the %d. time", i + 1);
    expect_failure(iut, enter_attribute(iut, index, the_name(), view_of_object(iut, second)));
    expect_counts(iut, second, .strong = 1, .weak = 1);
  }
  note("the same object");
  expect_failure(iut, enter_attribute(iut, index, the_name(), view));
  note("None");
  expect_failure(iut, enter_attribute(iut, index, the_name(), any_none()));
  expect_counts(iut, first, .strong = 2, .weak = 1);
  expect_same_bytes(attribute_of(iut, the_name(), index), &view);
  note("another type");
  int32_t other = new_type(iut, "conform.Other", (TypePlan){.slots = 0});
  expect_ok(iut, enter_attribute(iut, other, the_name(), view_of_object(iut, second)));
}

CASE(second_attribute_is_a_runtime_error, .clauses = {TYPE_60}, .wrong_call = true,
     .title = "a second value for the same attribute of a type raises a RuntimeError")
{
  int32_t index = new_node(iut);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(1))));
  expect_error(iut, enter_attribute(iut, index, the_name(), view_of_int(2)), "RuntimeError");
}

CASE(none_does_not_take_the_place_of_an_attribute, .clauses = {TYPE_48}, .wrong_call = true,
     .title = "after None another value can be registered, once")
{
  int32_t index = new_node(iut);
  for (int i = 0; i < 3; ++i)
    require(expect_ok(iut, enter_attribute(iut, index, the_name(), any_none())));
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(42))));
  expect_int("the attribute", attribute_of(iut, the_name(), index)->v_int64, 42);
}

//--------------------------------------------------------------------------------------------------
// Columns
//--------------------------------------------------------------------------------------------------

CASE(column_can_be_made_before_it_has_values, .clauses = {TYPE_49},
     .title = "registering None for the type index 0 makes the column, again and again")
{
  expect_pointer("the column before", iut->GetTypeAttrColumn(the_name()), NULL);
  for (int i = 0; i < 3; ++i) {
    require(expect_ok(iut, enter_attribute(iut, kTVMFFINone, the_name(), any_none())));
    expect_not_null("the column", iut->GetTypeAttrColumn(the_name()));
  }
  int32_t index = new_node(iut);
  require(expect_ok(iut, enter_attribute(iut, index, the_name(), view_of_int(42))));
  expect_int("the attribute", attribute_of(iut, the_name(), index)->v_int64, 42);
}

CASE(columns_of_key_equality_are_there_from_the_start, .clauses = {TYPE_59},
     .title =
         "__any_hash__ and __any_equal__ have columns before any attribute is registered, and "
         "keep them afterwards")
{
  static const char *const names[] = {"__any_hash__", "__any_equal__"};
  const TVMFFITypeAttrColumn *first[2];
  for (int i = 0; i < 2; ++i) {
    first[i] = iut->GetTypeAttrColumn(fenced_bytes(names[i], strlen(names[i])));
    require(expect_not_null(names[i], first[i]));
  }
  require(expect_ok(iut, enter_attribute(iut, new_node(iut), the_name(), view_of_int(1))));
  for (int i = 0; i < 2; ++i)
    expect_pointer(names[i], iut->GetTypeAttrColumn(fenced_bytes(names[i], strlen(names[i]))),
                   first[i]);
}

CASE(column_stays_where_it_is, .clauses = {TYPE_50},
     .title = "a column is at the same address after it has grown and 500 others were made")
{
  require(expect_ok(iut, enter_attribute(iut, kTVMFFIInt, the_name(), view_of_int(1))));
  const TVMFFITypeAttrColumn *column = iut->GetTypeAttrColumn(the_name());
  require(expect_not_null("the column", column));
  char text[32];
  for (unsigned i = 0; i < 500; ++i) {
    int32_t index = new_numbered_type(iut, "conform.type", i, (TypePlan){.slots = 1});
    TVMFFIByteArray other = {text, (size_t)snprintf(text, sizeof text, "conform.other.%u", i)};
    TVMFFIAny value = view_of_int(i);
    require(expect_ok(iut, iut->TypeRegisterAttr(kTVMFFIInt, &other, &value)));
    require(expect_ok(
        iut, iut->TypeRegisterAttr(index, &(TVMFFIByteArray){"conform.attribute", 17}, &value)));
  }
  expect_pointer("the column", iut->GetTypeAttrColumn(the_name()), column);
  expect_int("the attribute of int", attribute_of(iut, the_name(), kTVMFFIInt)->v_int64, 1);
}
