// SPDX-License-Identifier: Apache-2.0
// Registering functions by a method description.
#include "cases/runtime/function_shorthand.h"

CHAPTER(function);

static const char name_text[] = "conform.method";

static const TVMFFIByteArray *the_name(void)
{
  return fenced_bytes(name_text, sizeof name_text - 1);
}

// A read-only description that ends at an unmapped page, of strings that do so too, none of them
// with a NUL.
static const TVMFFIMethodInfo *fenced_description(TVMFFIAny method)
{
  static const char doc[] = "what it does", metadata[] = "{\"args\": 1}";
  TVMFFIMethodInfo info = {.name = *the_name(),
                           .doc = *fenced_bytes(doc, sizeof doc - 1),
                           .metadata = *fenced_bytes(metadata, sizeof metadata - 1),
                           .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod,
                           .method = method};
  return fenced_copy("the method description", &info, sizeof info);
}

// The same for a function.
static const TVMFFIMethodInfo *fenced_method(Iut *iut, TVMFFIObjectHandle function)
{
  return fenced_description(view_of_object(iut, function));
}

//--------------------------------------------------------------------------------------------------
// What is accepted
//--------------------------------------------------------------------------------------------------

CASE(described_function_is_found_under_its_name, .clauses = {FUN_33},
     .title =
         "a method description adds one strong reference to its function, which is then found "
         "under the name and can be called")
{
  CallLog log = {.gives = true, .give = view_of_int(42)};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  const TVMFFIMethodInfo *info = fenced_method(iut, function);
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(info, 0)));
  expect_counts(iut, function, .strong = 2, .weak = 1);
  TVMFFIObjectHandle found = look_up(iut, the_name());
  require(expect_pointer("what the name leads to", found, function));
  TVMFFIAny result = call_without_arguments(iut, found);
  expect_same_bytes(&result, &log.give);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, found);
  release_object(iut, function);
  expect_int("calls of the deleter while the table holds the function", log.deleted, 0);
}

static const struct {
  const char *name;
  int64_t flags;
} flags[] = {
    {"none", 0},
    {"static", kTVMFFIFieldFlagBitMaskIsStaticMethod},
    {"unknown_ones", INT64_MIN | (INT64_C(1) << 40)},
};

CASE_ROWS(flags_of_a_description_do_not_matter, flags, .clauses = {FUN_33},
          .title = "a function is registered whatever the flags of its description are")
{
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIMethodInfo info = *fenced_method(iut, function);
  info.flags = row->flags;
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(
                             fenced_copy("the method description", &info, sizeof info), 0)));
  expect_counts(iut, function, .strong = 2, .weak = 1);
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
}

#define BYTES(text)          \
  {                          \
    (text), sizeof(text) - 1 \
  }

static const struct {
  const char *name;
  TVMFFIByteArray text, doc, metadata;
} strings[] = {
    {"all_there", BYTES("conform.m"), BYTES("what it does"), BYTES("{}")},
    {"no_doc", BYTES("conform.m"), {NULL, 0}, BYTES("{}")},
    {"no_metadata", BYTES("conform.m"), BYTES("what it does"), {NULL, 0}},
    {"neither", BYTES("conform.m"), {NULL, 0}, {NULL, 0}},
    {"empty_ones", BYTES("conform.m"), BYTES(""), BYTES("")},
    {"inner_nul_in_the_name", BYTES("conform\0m"), BYTES("a\0b"), BYTES("{\0}")},
    {"ill_formed_utf8", BYTES("conform\xFF"), BYTES("\xFE"), BYTES("\xC3")},
    {"short_name", BYTES("m"), BYTES("w"), BYTES("{")},
    {"metadata_that_is_no_json", BYTES("conform.m"), {NULL, 0}, BYTES("{\"a\": ")},
};

// A byte array over a fenced copy of the string, or what it is if it has no data.
static TVMFFIByteArray fenced_text(TVMFFIByteArray text)
{
  return text.data ? *fenced_bytes(text.data, text.size) : text;
}

CASE_ROWS(strings_of_a_description_are_read_up_to_their_size, strings, .clauses = {FUN_34, FUN_33},
          .title =
              "registering a method description reads no byte after it and its strings, writes "
              "none, and accepts missing doc and metadata")
{
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIMethodInfo info = *fenced_method(iut, function);
  info.name = fenced_text(row->text);
  info.doc = fenced_text(row->doc);
  info.metadata = fenced_text(row->metadata);
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(
                             fenced_copy("the method description", &info, sizeof info), 0)));
  expect_entered(iut, &row->text, function);
  expect_counts(iut, function, .strong = 2, .weak = 1);
  release_object(iut, function);
}

static char *new_copy(const char *text)
{
  char *copy = strdup(text);
  if (!copy) case_inconclusive("no memory for a string");
  return copy;
}

CASE(description_is_copied, .clauses = {FUN_34, FUN_33},
     .title =
         "a function is found and callable after its description and all strings in it were "
         "overwritten and freed")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  char *texts[3] = {new_copy(name_text), new_copy("what it does"), new_copy("{}")};
  TVMFFIMethodInfo *info = malloc(sizeof *info);
  if (!info) case_inconclusive("no memory for a method description");
  *info = (TVMFFIMethodInfo){bytes_of(texts[0]), bytes_of(texts[1]), bytes_of(texts[2]), 0,
                             view_of_object(iut, function)};
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(info, 0)));
  memset(info, 0xA5, sizeof *info);
  free(info);
  for (int i = 0; i < 3; ++i) {
    memset(texts[i], '#', strlen(texts[i]));
    free(texts[i]);
  }
  release_object(iut, function);
  TVMFFIObjectHandle found = look_up(iut, the_name());
  require(expect_pointer("what the name leads to", found, function));
  call_without_arguments(iut, found);
  expect_int("calls of the callback", log.calls, 1);
  release_object(iut, found);
}

//--------------------------------------------------------------------------------------------------
// What is refused
//--------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  int32_t type_index;
  uint32_t length;
  uint64_t payload;
} plain_values[] = {
    {"int", kTVMFFIInt, 0, 1},
    {"bool", kTVMFFIBool, 0, 1},
    {"float", kTVMFFIFloat, 0, 0x3FF0000000000000},
    {"opaque_pointer", kTVMFFIOpaquePtr, 0, 0x1000},
    {"dtype", kTVMFFIDataType, 0, 0x00012002},
    {"device", kTVMFFIDevice, 0, 1},
    {"small_string", kTVMFFISmallStr, 1, 'f'},
    {"small_bytes", kTVMFFISmallBytes, 1, 'f'},
};

// The description of this value is refused, and that of a function under the same name accepted.
static void expect_no_method(Iut *iut, TVMFFIAny method)
{
  const TVMFFIMethodInfo *info = fenced_description(method);
  expect_error(iut, iut->FunctionSetGlobalFromMethodInfo(info, 0), "TypeError");
  note("the same with permission to override");
  expect_error(iut, iut->FunctionSetGlobalFromMethodInfo(info, 1), "TypeError");
  expect_entered(iut, the_name(), NULL);
  note("a function under the same name");
  TVMFFIObjectHandle function = new_single_function(iut);
  expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(fenced_method(iut, function), 0));
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
}

CASE_ROWS(plain_value_is_no_method, plain_values, .clauses = {FUN_35}, .wrong_call = true,
          .title =
              "a description whose method is a plain value is refused with a TypeError and "
              "registers nothing")
{
  TVMFFIAny value = any_none();
  value.type_index = row->type_index;
  value.small_str_len = row->length;
  value.v_uint64 = row->payload;
  expect_no_method(iut, value);
}

CASE(raw_string_is_no_method, .clauses = {FUN_35}, .wrong_call = true,
     .title =
         "a description whose method is a raw C string, even the name of a function, is refused "
         "with a TypeError")
{
  TVMFFIObjectHandle function = new_single_function(iut);
  TVMFFIByteArray name = bytes_of("conform.f");
  enter_function(iut, &name, function);
  expect_no_method(iut, view_of_raw_string(fenced_string("conform.f")));
  expect_counts(iut, function, .strong = 2, .weak = 1);
  release_object(iut, function);
}

static const ObjectKind object_types[] = {OBJECT_KINDS_BUT_FUNCTION};

// An object of this type with an empty content, which lies in bytes of ours behind the header.
CASE_ROWS(object_of_another_type_is_no_method, object_types, .clauses = {FUN_35},
          .wrong_call = true,
          .title =
              "a description whose method is an object of another type is refused with a "
              "TypeError, registers nothing and leaves the object's counts")
{
  require_type_index_of_version(iut, row->type_index);
  TVMFFIObjectHandle object = new_probe_object_of(iut, row->type_index);
  expect_no_method(iut, view_of_object(iut, object));
  expect_counts(iut, object, .strong = 1, .weak = 1);
  expect_deleter_calls(object, "");
}

CASE(description_that_is_refused_does_not_replace, .clauses = {FUN_35}, .wrong_call = true,
     .title =
         "a method that is not a function does not replace the function under the name, with or "
         "without permission")
{
  TVMFFIObjectHandle function = new_single_function(iut);
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(fenced_method(iut, function), 0)));
  const TVMFFIMethodInfo *info = fenced_description(view_of_int(1));
  expect_error(iut, iut->FunctionSetGlobalFromMethodInfo(info, 1), "TypeError");
  expect_counts(iut, function, .strong = 2, .weak = 1);
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
}

//--------------------------------------------------------------------------------------------------
// The rules of names
//--------------------------------------------------------------------------------------------------

// Registers the function under the name that all of these cases use, by description or by name.
static int register_by(Iut *iut, bool description, TVMFFIObjectHandle function, int permission)
{
  return description
             ? iut->FunctionSetGlobalFromMethodInfo(fenced_method(iut, function), permission)
             : iut->FunctionSetGlobal(the_name(), function, permission);
}

static const struct {
  const char *name;
  bool first, second;  // by description
} orders[] = {
    {"description_after_description", true, true},
    {"description_after_name", false, true},
    {"name_after_description", true, false},
};

CASE_ROWS(taken_name_is_refused_for_descriptions_too, orders, .clauses = {FUN_36},
          .title =
              "a description for a taken name, and a taken description's name, are refused, and "
              "nothing changes")
{
  TVMFFIObjectHandle first = new_single_function(iut), second = new_single_function(iut);
  require(expect_ok(iut, register_by(iut, row->first, first, 0)));
  for (int i = 0; i < 2; ++i) expect_error(iut, register_by(iut, row->second, second, 0), NULL);
  expect_error(iut, register_by(iut, row->second, first, 0), NULL);
  expect_counts(iut, first, .strong = 2, .weak = 1);
  expect_counts(iut, second, .strong = 1, .weak = 1);
  expect_entered(iut, the_name(), first);
  release_object(iut, second);
  release_object(iut, first);
}

CASE_ROWS(taken_name_is_a_runtime_error_for_descriptions_too, orders, .clauses = {FUN_45},
          .wrong_call = true,
          .title =
              "a description for a taken name, and a taken description's name, raise a "
              "RuntimeError")
{
  TVMFFIObjectHandle first = new_single_function(iut), second = new_single_function(iut);
  require(expect_ok(iut, register_by(iut, row->first, first, 0)));
  expect_error(iut, register_by(iut, row->second, second, 0), "RuntimeError");
}

CASE_ROWS(permission_replaces_for_descriptions_too, orders, .clauses = {FUN_36},
          .title =
              "with permission a description replaces what a name or description registered, and "
              "is replaced; the old function is released")
{
  static const int permissions[] = {1, -1, 2, 256, 65536, INT32_MIN};
  CallLog logs[6] = {{.deleted = 0}};
  TVMFFIObjectHandle old = new_single_function(iut);
  require(expect_ok(iut, register_by(iut, row->first, old, 0)));
  for (unsigned i = 0; i < 6; ++i) {
    note("permission %d", permissions[i]);
    TVMFFIObjectHandle new = new_logged_function(iut, &logs[i]);
    require(
        expect_ok(iut, register_by(iut, i % 2 ? row->first : row->second, new, permissions[i])));
    expect_counts(iut, old, .strong = 1, .weak = 1);
    expect_counts(iut, new, .strong = 2, .weak = 1);
    expect_entered(iut, the_name(), new);
    release_object(iut, old);
    if (i > 0) expect_int("calls of the old function's deleter", logs[i - 1].deleted, 1);
    old = new;
  }
  release_object(iut, old);
  expect_int("calls of the last function's deleter", logs[5].deleted, 0);
}

CASE(description_may_replace_itself, .clauses = {FUN_36, FUN_34},
     .title =
         "registering one description over and over, with permission, leaves the function "
         "registered and its counts as they were")
{
  CallLog log = {0};
  TVMFFIObjectHandle function = new_logged_function(iut, &log);
  const TVMFFIMethodInfo *info = fenced_method(iut, function);
  for (int i = 0; i < 10; ++i) {
    require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(info, 1)));
    require(expect_counts(iut, function, .strong = 2, .weak = 1));
  }
  expect_entered(iut, the_name(), function);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 0);
}

//--------------------------------------------------------------------------------------------------
// The heap
//--------------------------------------------------------------------------------------------------

static CallLog replaced_log;

static void replace_by_description(Iut *iut, void *context)
{
  TVMFFIMethodInfo *info = context;
  TVMFFIObjectHandle function = NULL;
  if (iut->FunctionCreate(&replaced_log, call_log_callee, call_log_delete, &function) != 0) return;
  info->method.v_ptr = function;
  iut->FunctionSetGlobalFromMethodInfo(info, 1);
  iut->ObjectDecRef(function);
}

CASE(describing_over_and_over_does_not_grow, .clauses = {OBJ_19, FUN_36},
     .title =
         "functions that are made, registered by description in place of others and released, "
         "over and over, do not make the process grow")
{
  TVMFFIMethodInfo info = *fenced_description(any_none());
  info.method.type_index = kTVMFFIFunction;
  expect_no_heap_growth(iut, 300, replace_by_description, &info);
  expect_int("functions that ended", replaced_log.deleted, 363);
}
