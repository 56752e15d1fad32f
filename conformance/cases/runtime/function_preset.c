// SPDX-License-Identifier: Apache-2.0
// The runtime as a caller: what is in the result when it calls a function of ours.
#include "cases/runtime/library_bin_tree.h"

CHAPTER(function);

// A function of ours that the runtime calls: what it gives, and what it found in its result at the
// first call, or at the first that found anything but None.
typedef struct Called {
  Iut *iut;
  unsigned calls;
  TVMFFIAny found;
  TVMFFIAny give;  // own; given once if it is an object
} Called;

static void note_result(Called *called, const TVMFFIAny *result)
{
  static const TVMFFIAny none;
  if (called->calls++ == 0 || memcmp(&called->found, &none, sizeof none) == 0)
    called->found = *result;
}

static int give_value(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  Called *called = self;
  note_result(called, result);
  *result = called->give;
  return 0;
}

static void expect_found_none(const Called *called, const char *who)
{
  if (called->calls == 0) case_not_applicable("the library does not call %s", who);
  static const TVMFFIAny none;
  note("what %s found in its result", who);
  expect_memory("the result before the call", &called->found, sizeof none, &none, sizeof none);
}

CASE(loader_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of a loader of modules is None, all zero, when it is called")
{
  Called called = {.iut = iut, .give = view_of_object(iut, load_node(iut, 1))};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", &called, give_value);
  release_object(iut, load_payload(iut, payload_of("L:1 1")));
  expect_found_none(&called, "the loader of a kind");
}

CASE(function_for_codes_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of the function for codes of data types is None when it is called")
{
  Called called = {.iut = iut, .give = view_of_int(130)};
  enter_function(iut, "dtype.get_custom_type_code", &called, give_value);
  TVMFFIByteArray text = bytes_of("custom[conform]8");
  DLDataType dtype = {0, 0, 0};
  if (iut->DataTypeFromString(&text, &dtype) != 0) release_object(iut, take_raised_error(iut));
  expect_found_none(&called, "the function for codes");
}

CASE(function_for_names_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of the function for names of data types is None when it is called")
{
  Called called = {.iut = iut, .give = view_of_small_string("conform")};
  enter_function(iut, "dtype.get_custom_type_name", &called, give_value);
  DLDataType dtype = {130, 8, 1};
  TVMFFIAny text = any_none();
  if (iut->DataTypeToString(&dtype, &text) == 0)
    release_any(iut, &text);
  else
    release_object(iut, take_raised_error(iut));
  expect_found_none(&called, "the function for names");
}

// --- Functions of a type -------------------------------------------------------------------------

static int32_t new_type(Iut *iut, const char *name)
{
  TVMFFIByteArray key = bytes_of(name);
  return iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
}

static void add_attribute(Iut *iut, int32_t type_index, const char *name, Called *called)
{
  TVMFFIByteArray text = bytes_of(name);
  TVMFFIAny function = view_of_object(iut, new_function(iut, called, give_value, NULL));
  require(expect_ok(iut, iut->TypeRegisterAttr(type_index, &text, &function)));
}

static const struct {
  const char *name, *maker;
} maps[] = {{"map", "ffi.Map"}, {"dict", "ffi.Dict"}};

CASE_ROWS(functions_of_keys_find_none_in_their_results, maps, .clauses = {FUN_46},
          .title = "the results of a key's functions are None when they are called")
{
  int32_t type_index = new_type(iut, "conform.PresetKey");
  Called equal = {.iut = iut, .give = view_of_int(0)}, hash = {.iut = iut, .give = view_of_int(7)};
  equal.give.type_index = kTVMFFIBool;
  add_attribute(iut, type_index, "__any_equal__", &equal);
  add_attribute(iut, type_index, "__any_hash__", &hash);
  TVMFFIAny args[24];
  for (int i = 0; i < 12; ++i) {  // more than fit where keys are not hashed
    args[2 * i] = view_of_object(iut, new_probe_object_of(iut, type_index));
    args[2 * i + 1] = view_of_int(i);
  }
  TVMFFIAny map = value_of(iut, row->maker, args, 24);
  release_any(iut, &map);
  expect_found_none(&hash, "the function for hashes");
  expect_found_none(&equal, "the function for equality");
}

// --- Functions of a field ------------------------------------------------------------------------

static Iut *library;
static int32_t made_type;

static int create(TVMFFIObjectHandle *result)
{
  *result = new_probe_object_of(library, made_type);
  return 0;
}

static int set_nothing(void *field, const TVMFFIAny *value)
{
  (void)field, (void)value;
  return 0;
}

static void add_field(Iut *iut, const char *name, int64_t offset, void *setter, int64_t flags,
                      TVMFFIAny standard)
{
  TVMFFIFieldInfo info = {.name = bytes_of(name),
                          .flags = flags | kTVMFFIFieldFlagBitMaskHasDefault,
                          .size = 8,
                          .alignment = 8,
                          .offset = offset,
                          .setter = setter,
                          .default_value_or_factory = standard,
                          .field_static_type_index = kTVMFFIAny};
  require(expect_ok(iut, iut->TypeRegisterField(made_type, &info)));
}

static void make_type_with_creator(Iut *iut)
{
  library = iut;
  made_type = new_type(iut, "conform.PresetField");
  TVMFFITypeMetadata metadata = {.creator = create, .total_size = 64};
  require(expect_ok(iut, iut->TypeRegisterMetadata(made_type, &metadata)));
}

static void make_object(Iut *iut)
{
  TVMFFIAny made = value_of(iut, "ffi.MakeObjectFromPackedArgs", VALUES(view_of_int(made_type)));
  release_any(iut, &made);
}

CASE(function_for_defaults_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of a function that makes a default is None when it is called")
{
  if (iut->version < ABI_VERSION(0, 1, 9))
    case_not_applicable("this version takes no function for a default");  // REG-34
  Called makes = {.iut = iut, .give = view_of_int(5)};
  TVMFFIFieldSetter setter = set_nothing;
  void *address;
  memcpy(&address, &setter, sizeof setter);
  make_type_with_creator(iut);
  add_field(iut, "made", 24, address, kTVMFFIFieldFlagBitMaskDefaultFromFactory,
            view_of_object(iut, new_function(iut, &makes, give_value, NULL)));
  make_object(iut);
  expect_found_none(&makes, "the function that makes a default");
}

CASE(function_that_sets_a_field_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of a function that sets a field is None when it is called")
{
  if (iut->version < ABI_VERSION(0, 1, 10))
    case_not_applicable("this version takes no function as setter");  // REG-35
  Called sets = {.iut = iut};
  make_type_with_creator(iut);
  add_field(iut, "set", 32, new_function(iut, &sets, give_value, NULL),
            kTVMFFIFieldFlagBitSetterIsFunctionObj, view_of_int(6));
  make_object(iut);
  expect_found_none(&sets, "the function that sets a field");
}
