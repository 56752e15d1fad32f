// SPDX-License-Identifier: Apache-2.0
// How the registered functions are called: the result that they write or leave alone, and the forms
// of their arguments.
#include "cases/runtime/container_map.h"

CHAPTER(registry);

// --- Results -------------------------------------------------------------------------------------

enum { CALLS_MAX = 16 };

typedef struct Call {
  const char *function;
  TVMFFIAny args[3];
  size_t count;
} Call;

// Calls that succeed and give a value, and calls that fail; they end where no function is named.
// Functions that the library lacks are passed over.
typedef struct Calls {
  Call good[CALLS_MAX], bad[CALLS_MAX];
} Calls;

static Calls calls_of_sequences(Iut *iut, const char *make, const char *get, const char *size,
                                const char *contains)
{
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "longer than a small one");
  TVMFFIAny all = value_of(iut, make,
                           VALUES(view_of_int(-1), any_none(), view_of_float(0.5),
                                  view_of_bool(true), view_of_small_string("abc"), text));
  return (Calls){.good = {{make, {text}, 1},
                          {make, {text}, 0},
                          {size, {all}, 1},
                          {contains, {all, view_of_int(-1)}, 2},
                          {get, {all, view_of_int(0)}, 2},
                          {get, {all, view_of_int(1)}, 2},
                          {get, {all, view_of_int(2)}, 2},
                          {get, {all, view_of_int(3)}, 2},
                          {get, {all, view_of_int(4)}, 2},
                          {get, {all, view_of_int(5)}, 2}},
                 .bad = {{get, {all, view_of_int(6)}, 2},
                         {get, {all, text}, 2},
                         {size, {text}, 1},
                         {size, {all}, 0},
                         {contains, {all}, 1}}};
}

static Calls calls_of_arrays(Iut *iut)
{
  return calls_of_sequences(iut, "ffi.Array", "ffi.ArrayGetItem", "ffi.ArraySize",
                            "ffi.ArrayContains");
}

static Calls calls_of_lists(Iut *iut)
{
  Calls calls =
      calls_of_sequences(iut, "ffi.List", "ffi.ListGetItem", "ffi.ListSize", "ffi.ListContains");
  TVMFFIAny list =
      value_of(iut, "ffi.List", VALUES(view_of_int(1), any_none(), any_none(), any_none()));
  Call pop = {"ffi.ListPop", {list, view_of_int(0)}, 2};
  Call bad[] = {{"ffi.ListPop", {list, view_of_int(9)}, 2},
                {"ffi.ListSetItem", {list, view_of_int(9), list}, 3},
                {"ffi.ListErase", {list, view_of_int(-1)}, 2}};
  calls.good[10] = pop;
  memcpy(&calls.bad[5], bad, sizeof bad);
  return calls;
}

static Calls calls_of_kind(Iut *iut, const MapKind *kind)
{
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "longer than a small one");
  TVMFFIAny all = value_of(
      iut, kind->make,
      VALUES(view_of_int(1), view_of_small(kTVMFFISmallBytes, "ab", 2), any_none(), any_none(),
             view_of_bool(true), view_of_bits(kTVMFFIDataType, 0x00012002), view_of_int(4), text));
  return (Calls){.good = {{kind->make, {text, text}, 2},
                          {kind->make, {text}, 0},
                          {kind->size, {all}, 1},
                          {kind->count, {all, view_of_int(1)}, 2},
                          {kind->count, {all, view_of_int(2)}, 2},
                          {kind->get, {all, view_of_int(1)}, 2},
                          {kind->get, {all, any_none()}, 2},
                          {kind->get, {all, view_of_bool(true)}, 2},
                          {kind->get, {all, view_of_int(4)}, 2},
                          {kind->get_or_missing, {all, any_none()}, 2},
                          {kind->walk, {all}, 1}},
                 .bad = {{kind->get, {all, view_of_int(2)}, 2},
                         {kind->get, {text, view_of_int(1)}, 2},
                         {kind->size, {text}, 1},
                         {kind->count, {all}, 1},
                         {kind->make, {all}, 1},
                         {kind->walk, {view_of_int(1)}, 1}}};
}

static Calls calls_of_maps(Iut *iut)
{
  return calls_of_kind(iut, &the_map);
}

static Calls calls_of_dicts(Iut *iut)
{
  return calls_of_kind(iut, &the_dict);
}

static Calls calls_of_texts(Iut *iut)
{
  static const TVMFFIByteArray bytes = {"ab", 2};
  TVMFFIAny text = new_text(iut, kTVMFFIStr, "longer than a small one");
  return (Calls){
      .good = {{"ffi.String", {text}, 1},
               {"ffi.String", {view_of_raw_string("ab")}, 1},
               {"ffi.String", {view_of_small_string("")}, 1},
               {"ffi.Bytes", {view_of_byte_array(&bytes)}, 1},
               {"ffi.Shape", {view_of_int(1)}, 1},
               {"ffi.Shape", {view_of_int(1)}, 0}},
      .bad = {
          {"ffi.String", {view_of_int(1)}, 1}, {"ffi.Bytes", {text}, 1}, {"ffi.Shape", {text}, 1}}};
}

static Calls calls_of_the_registry(Iut *iut)
{
  TVMFFIAny known = view_of_raw_string("ffi.Array"),
            unknown = view_of_raw_string("conform.unknown");
  TVMFFIAny callback = view_of_bits(kTVMFFIOpaquePtr, (uintptr_t)call_log_callee_without_self);
  (void)iut;
  return (Calls){.good = {{"ffi.FunctionListGlobalNamesFunctor", {known}, 0},
                          {"ffi.GetGlobalFuncMetadata", {known}, 1},
                          {"ffi.GetRegisteredTypeKeys", {known}, 0},
                          {"ffi.GetInvalidObject", {known}, 0},
                          {"ffi.GetKwargsObject", {known}, 0},
                          {"ffi.FunctionFromExternC", {any_none(), callback, any_none()}, 3},
                          {"ffi.FunctionRemoveGlobal", {unknown}, 1}},
                 .bad = {{"ffi.GetGlobalFuncMetadata", {unknown}, 1},
                         {"ffi.GetGlobalFuncMetadata", {view_of_int(1)}, 1},
                         {"ffi.FunctionRemoveGlobal", {view_of_int(1)}, 1},
                         {"ffi.FunctionFromExternC", {any_none(), callback}, 2},
                         {"ffi.MakeObjectFromPackedArgs", {unknown}, 1}}};
}

static const struct {
  const char *name;
  const char *needs;
  Calls (*make)(Iut *iut);
} families[] = {
    {"arrays", "ffi.Array", calls_of_arrays},
    {"lists", "ffi.List", calls_of_lists},
    {"maps", "ffi.Map", calls_of_maps},
    {"dicts", "ffi.Dict", calls_of_dicts},
    {"texts", "ffi.String", calls_of_texts},
    {"registry", "ffi.GetGlobalFuncMetadata", calls_of_the_registry},
};

// What a result may hold before a call: nothing that must be released.
static TVMFFIAny result_before(int i)
{
  static const int32_t type_indices[] = {kTVMFFINone, kTVMFFIRawStr, kTVMFFISmallStr};
  TVMFFIAny result = garbage_but_none();
  result.type_index = type_indices[i];
  if (result.type_index == kTVMFFISmallStr) result.small_str_len = 7;
  return result;
}

enum { RESULTS = 3 };

// Padding and unused bytes are zero.
static bool expect_clean(const TVMFFIAny *value)
{
  static const char zero[8];
  int32_t type_index = value->type_index;
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes) {
    size_t size = value->small_str_len;
    return expect_that(size <= 7, "a length of at most 7", "%zu", size) &&
           expect_memory("unused bytes", value->v_bytes + size, 8 - size, zero, 8 - size);
  }
  size_t used = type_index == kTVMFFINone ? 0 : type_index == kTVMFFIDataType ? 4 : 8;
  return expect_hex("padding", value->zero_padding, 0) &&
         expect_memory("unused bytes", value->v_bytes + used, 8 - used, zero, 8 - used);
}

// apache/tvm#18185, tvm-ffi#77: what was left in unused bytes made equal values unequal.
CASE_ROWS(result_is_written_whole, families, .clauses = {REG_26},
          .title =
              "what a registered function gives has clean padding and clean unused bytes, "
              "whatever the result held before")
{
  if (!is_registered(iut, row->needs))
    case_not_applicable("no function is registered as %s", row->needs);
  Calls calls = row->make(iut);
  for (Call *call = calls.good; call->function; ++call) {
    if (!is_registered(iut, call->function)) continue;
    TVMFFIAny expected = value_of(iut, call->function, call->args, call->count);
    bool removes = strcmp(call->function, "ffi.ListPop") == 0;
    for (int i = 0; i < RESULTS; ++i) {
      TVMFFIAny *result = fenced_result(), before = result_before(i);
      *result = before;
      note("%s into a result of type index %d", call->function, before.type_index);
      if (!expect_ok(iut, call_registered(iut, result, call->function, call->args, call->count)))
        continue;
      expect_clean(result);
      if (!removes) expect_type_index(result, expected.type_index);
      if (expected.type_index < kTVMFFIStaticObjectBegin && !removes)
        expect_same_bytes(result, &expected);
      release_any(iut, result);
    }
    release_any(iut, &expected);
  }
}

CASE_ROWS(failed_call_leaves_the_result_alone, families, .clauses = {REG_27}, .wrong_call = true,
          .title = "a call that fails writes nothing to the result")
{
  if (!is_registered(iut, row->needs))
    case_not_applicable("no function is registered as %s", row->needs);
  Calls calls = row->make(iut);
  for (Call *call = calls.bad; call->function; ++call) {
    if (!is_registered(iut, call->function)) continue;
    for (int i = 0; i < 2; ++i) {
      TVMFFIAny before = result_before(i), result = before;
      note("%s into a result of type index %d", call->function, before.type_index);
      expect_error(iut, call_registered(iut, &result, call->function, call->args, call->count),
                   NULL);
      expect_same_bytes(&result, &before);
    }
  }
  note("a call that succeeds");
  TVMFFIAny result = result_before(0);
  expect_ok(iut, call_registered(iut, &result, calls.good[0].function, calls.good[0].args,
                                 calls.good[0].count));
  expect_that(result.type_index != kTVMFFINone, "a result", "None");
  release_any(iut, &result);
}

// --- Names ---------------------------------------------------------------------------------------

static const struct {
  const char *name;
  enum { RAW, SMALL, SHORT_OBJECT, LONG_OBJECT, LONG_RAW } form;
} forms[] = {{"raw", RAW},
             {"small", SMALL},
             {"short-object", SHORT_OBJECT},
             {"long-object", LONG_OBJECT},
             {"long-raw", LONG_RAW}};

#define LONG_NAME "conform.a.name.longer.than.a.small.string"

// The name of this form, `small` of at most 7 bytes or `large`, without a NUL where there need not
// be one.
static TVMFFIAny view_of_name(Iut *iut, int form, const char *small, const char *large)
{
  const char *text = form >= LONG_OBJECT ? large : small;
  if (form == SMALL) return view_of_small_string(text);
  if (form == RAW || form == LONG_RAW) return view_of_raw_string(fenced_string(text));
  TVMFFIObjectHandle object = new_probe_object_of(iut, kTVMFFIStr);
  size_t size = strlen(text);
  *(TVMFFIByteArray *)object_body(iut, object) =
      (TVMFFIByteArray){fenced_copy("the string", text, size + 1), size};
  return view_of_object(iut, object);
}

static CallLog log_of_all;

static void enter_with_metadata(Iut *iut, const char *name)
{
  TVMFFIObjectHandle function = new_function(iut, &log_of_all, call_log_callee, NULL);
  TVMFFIMethodInfo info = {.name = bytes_of(name),
                           .metadata = bytes_of("{}"),
                           .flags = kTVMFFIFieldFlagBitMaskIsStaticMethod,
                           .method = view_of_object(iut, function)};
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(&info, 1)));
  release_object(iut, function);
}

CASE_ROWS(names_are_taken_in_every_form, forms, .clauses = {REG_28},
          .title = "a name of a function may be a raw C string, a small string or a string object")
{
  enter_with_metadata(iut, "cf.name");
  enter_with_metadata(iut, LONG_NAME);
  TVMFFIAny name = view_of_name(iut, row->form, "cf.name", LONG_NAME);
  expect_gives(iut, view_of_small_string("{}"), "ffi.GetGlobalFuncMetadata", VALUES(name));
  expect_gives(iut, view_of_bool(true), "ffi.FunctionRemoveGlobal", VALUES(name));
  expect_refused(iut, "RuntimeError", "ffi.GetGlobalFuncMetadata", VALUES(name));
  expect_gives(iut, view_of_bool(false), "ffi.FunctionRemoveGlobal", VALUES(name));
}

static const Iut *library;
static int32_t made_type;
static int64_t set_value;

static int create(TVMFFIObjectHandle *result)
{
  *result = new_probe_object_of(library, made_type);
  return 0;
}

static int set(void *field, const TVMFFIAny *value)
{
  (void)field;
  set_value = value->v_int64;
  return 0;
}

static void new_type(Iut *iut, const char *key, const char *field)
{
  TVMFFIByteArray text = bytes_of(key);
  TVMFFIFieldSetter setter = set;
  TVMFFITypeMetadata metadata = {.creator = create};
  TVMFFIFieldInfo info = {.name = bytes_of(field), .size = 8, .alignment = 8, .offset = 24};
  memcpy(&info.setter, &setter, sizeof setter);
  info.field_static_type_index = kTVMFFIInt;
  library = iut;
  made_type = iut->TypeGetOrAllocIndex(&text, -1, 1, 0, 1, kTVMFFIObject);
  require(expect_ok(iut, iut->TypeRegisterMetadata(made_type, &metadata)));
  require(expect_ok(iut, iut->TypeRegisterField(made_type, &info)));
}

CASE_ROWS(keys_are_taken_in_every_form, forms, .clauses = {REG_28},
          .title =
              "a type key and the name of a field may be a raw C string, a small string or a "
              "string object")
{
  bool is_long = row->form >= LONG_OBJECT;
  new_type(iut, is_long ? LONG_NAME : "cf.type", is_long ? LONG_NAME : "field");
  TVMFFIAny key = view_of_name(iut, row->form, "cf.type", LONG_NAME);
  TVMFFIAny field = view_of_name(iut, row->form, "field", LONG_NAME);
  TVMFFIObjectHandle made =
      object_of(iut, "ffi.MakeObjectFromPackedArgs", VALUES(key, field, view_of_int(12)));
  expect_int("type index of the object", object_type_index(iut, made), made_type);
  expect_int("value that the setter saw", set_value, 12);
  release_object(iut, made);
}

static const struct {
  const char *name;
  const char *function;
} takers[] = {{"remove-global", "ffi.FunctionRemoveGlobal"},
              {"get-metadata", "ffi.GetGlobalFuncMetadata"}};

// tvm-ffi#56: the message about an object of a Python frontend ended the process.
CASE_ROWS(what_is_no_name_is_refused, takers, .clauses = {REG_29}, .wrong_call = true,
          .title =
              "an argument that is not a string, or a number of arguments other than one, raises "
              "a TypeError")
{
  static const TVMFFIByteArray bytes = {"cf.name", 7};
  enter_with_metadata(iut, "cf.name");
  TVMFFIAny good = view_of_small_string("cf.name");
  TVMFFIObjectHandle probe = new_probe_object_of(iut, kTVMFFIOpaquePyObject);
  const TVMFFIAny others[] = {any_none(),
                              view_of_int(1),
                              view_of_bool(true),
                              view_of_float(1),
                              view_of_bits(kTVMFFIOpaquePtr, (uintptr_t) "cf.name"),
                              view_of_small(kTVMFFISmallBytes, "cf.name", 7),
                              view_of_byte_array(&bytes),
                              view_of_object(iut, probe)};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("an argument of type index %d", others[i].type_index);
    expect_refused(iut, "TypeError", row->function, VALUES(others[i]));
  }
  note("no argument, and two");
  expect_refused(iut, "TypeError", row->function, VALUES());
  expect_refused(iut, "TypeError", row->function, VALUES(good, good));
  TVMFFIAny result = value_of(iut, row->function, VALUES(good));
  release_any(iut, &result);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}
