// SPDX-License-Identifier: Apache-2.0
// Arguments that are none, results, and what a failed load leaves behind.
#include "cases/runtime/library_bin_tree.h"

CHAPTER(module);

// What a function takes: m a module, s a string, b a bool.
typedef struct Takes {
  const char *name, *registered, *takes;
} Takes;

static const Takes signatures[] = {
    {"load_from_file_so", "ffi.Module.load_from_file.so", "ss"},
    {"load_from_file", "ffi.ModuleLoadFromFile", "s"},
    {"get_function", "ffi.ModuleGetFunction", "msb"},
    {"implements_function", "ffi.ModuleImplementsFunction", "msb"},
    {"get_function_metadata", "ffi.ModuleGetFunctionMetadata", "msb"},
    {"get_function_doc", "ffi.ModuleGetFunctionDoc", "msb"},
    {"get_kind", "ffi.ModuleGetKind", "m"},
    {"get_property_mask", "ffi.ModuleGetPropertyMask", "m"},
    {"inspect_source", "ffi.ModuleInspectSource", "ms"},
    {"get_write_formats", "ffi.ModuleGetWriteFormats", "m"},
    {"write_to_file", "ffi.ModuleWriteToFile", "mss"},
    {"import_module", "ffi.ModuleImportModule", "mm"},
    {"clear_imports", "ffi.ModuleClearImports", "m"},
};

static const Takes keepers[] = {{"globals_add", "ffi.ModuleGlobalsAdd", "m"},
                                {"globals_remove", "ffi.ModuleGlobalsRemove", "m"}};

// Own: arguments that the function takes, modules of nodes among them.
static void make_arguments(Iut *iut, const char *takes, TVMFFIAny args[4])
{
  for (int i = 0; takes[i]; ++i)
    args[i] = takes[i] == 'm'   ? view_of_object(iut, load_node(iut, 1 + i))
              : takes[i] == 'b' ? view_of_bool(false)
                                : view_of_raw_string("kernel.conform");
  args[strlen(takes)] = view_of_int(1);
}

static void release_arguments(Iut *iut, const char *takes, TVMFFIAny args[4])
{
  for (int i = 0; takes[i]; ++i)
    if (takes[i] == 'm') release_any(iut, &args[i]);
}

static void expect_type_error(Iut *iut, const Takes *row, TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none();
  expect_error(iut, call_registered(iut, &result, row->registered, args, count), "TypeError");
}

static void expect_wrong_arguments_refused(Iut *iut, const Takes *row)
{
  size_t count = strlen(row->takes);
  TVMFFIAny args[4];
  TVMFFIObjectHandle object = new_probe_object_of(iut, kTVMFFIObject);
  make_arguments(iut, row->takes, args);
  note("with one argument more");
  expect_type_error(iut, row, args, count + 1);
  note("with one argument less");
  expect_type_error(iut, row, args, count - 1);
  for (size_t i = 0; i < count; ++i) {
    TVMFFIAny right = args[i];
    note("with an integer as argument %zu", i);
    args[i] = view_of_int(1);
    if (row->takes[i] != 'b') expect_type_error(iut, row, args, count);
    note("with None as argument %zu", i);
    args[i] = any_none();
    if (row->takes[i] == 'm') expect_type_error(iut, row, args, count);
    note("with an object that is not a module as argument %zu", i);
    args[i] = view_of_object(iut, object);
    if (row->takes[i] == 'm') expect_type_error(iut, row, args, count);
    args[i] = right;
  }
  expect_counts(iut, object, .strong = 1, .weak = 1);
  for (size_t i = 0; i < count; ++i)
    if (row->takes[i] == 'm') expect_counts(iut, args[i].v_obj, .strong = 1, .weak = 1);
  release_arguments(iut, row->takes, args);
}

CASE_ROWS(wrong_arguments_are_refused, signatures, .clauses = {MOD_78}, .wrong_call = true,
          .title = "arguments of another number or type are a TypeError")
{
  expect_wrong_arguments_refused(iut, row);
}

CASE_ROWS(wrong_arguments_of_keepers_are_refused, keepers, .clauses = {MOD_78}, .wrong_call = true,
          .title = "arguments of another number or type are a TypeError where modules are kept")
{
  expect_wrong_arguments_refused(iut, row);
}

CASE(prefix_has_to_be_a_string, .clauses = {MOD_78}, .wrong_call = true,
     .title = "an integer as prefix of a system library is a TypeError")
{
  expect_refused(iut, "TypeError", "ffi.SystemLib", VALUES(view_of_int(1)));
  release_object(iut, object_of(iut, "ffi.SystemLib", VALUES()));
}

// --- Results -------------------------------------------------------------------------------------

static const struct {
  const char *name, *registered, *takes, *text;
} documented[] = {{"load_from_file_so", "ffi.Module.load_from_file.so", "ss", "node_2.so"},
                  {"get_function", "ffi.ModuleGetFunction", "msb", "self"},
                  {"get_function_absent", "ffi.ModuleGetFunction", "msb", "absent"}};

static const struct {
  const char *name, *registered, *takes, *text;
} results[] = {{"load_from_file", "ffi.ModuleLoadFromFile", "s", "node_2.so"},
               {"implements_function", "ffi.ModuleImplementsFunction", "msb", "self"},
               {"get_function_doc", "ffi.ModuleGetFunctionDoc", "msb", "only_1"},
               {"get_function_metadata_absent", "ffi.ModuleGetFunctionMetadata", "msb", "absent"},
               {"get_kind", "ffi.ModuleGetKind", "m", ""},
               {"get_property_mask", "ffi.ModuleGetPropertyMask", "m", ""},
               {"inspect_source", "ffi.ModuleInspectSource", "ms", "so"},
               {"get_write_formats", "ffi.ModuleGetWriteFormats", "m", ""},
               {"system_lib", "ffi.SystemLib", "s", "conform_"}};

// A value that is clean: no bytes that its type does not use.
static void expect_clean(const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallStr) {
    char text[8];
    memcpy(text, value->v_bytes, 8);
    require(expect_that(value->small_str_len <= 7, "at most 7 bytes", "%u", value->small_str_len));
    expect_small_string(value, text, value->small_str_len);
    return;
  }
  expect_int("padding", value->zero_padding, 0);
  if (value->type_index == kTVMFFINone) expect_hex("unused bytes", value->v_uint64, 0);
  if (value->type_index == kTVMFFIBool)
    expect_that(value->v_uint64 <= 1, "0 or 1 in 64 bits", "%" PRIx64, value->v_uint64);
}

static void expect_result_written(Iut *iut, const char *name, const char *takes, const char *text)
{
  const TVMFFIAny before[] = {garbage_but_none(), view_of_bits(kTVMFFIInt, UINT64_MAX),
                              view_of_bits(kTVMFFIBool, UINT64_MAX),
                              view_of_bits(kTVMFFIOpaquePtr, UINT64_MAX)};
  for (int i = 0; i < 4; ++i) {
    note("with a result of type index %" PRId32 " before", before[i].type_index);
    TVMFFIAny args[4], *result = fenced_result();
    make_arguments(iut, takes, args);
    const char *path = strstr(text, ".so") ? library_path_of(text) : text;
    for (int j = 0; takes[j]; ++j)
      if (takes[j] == 's') args[j] = view_of_raw_string(j ? "so" : path);
    if (takes[0] == 'm' && takes[1] == 's') args[1] = view_of_raw_string(text);
    *result = before[i];
    result->zero_padding = 0xA5A5A5A5;
    require(expect_ok(iut, call_registered(iut, result, name, args, strlen(takes))));
    expect_clean(result);
    release_any(iut, result);
    release_arguments(iut, takes, args);
  }
}

CASE_ROWS(
    module_and_function_are_written_whole, documented, .clauses = {MOD_79},
    .title = "loading and searching define all bytes of the result, whatever was there before")
{
  expect_result_written(iut, row->registered, row->takes, row->text);
}

CASE_ROWS(result_is_written_whole, results, .clauses = {MOD_102},
          .title = "a call defines all bytes of its result, whatever was there before")
{
  expect_result_written(iut, row->registered, row->takes, row->text);
}

static const struct {
  const char *name, *registered, *takes;
} failures[] = {{"load_from_file", "ffi.ModuleLoadFromFile", "s"},
                {"load_from_file_so", "ffi.Module.load_from_file.so", "ss"},
                {"write_to_file", "ffi.ModuleWriteToFile", "mss"},
                {"import_module", "ffi.ModuleImportModule", "mm"}};

CASE_ROWS(failed_call_leaves_its_result, failures, .clauses = {MOD_90}, .wrong_call = true,
          .title = "a call that fails does not write to its result")
{
  TVMFFIAny args[4], *result = fenced_result(), before;
  make_arguments(iut, row->takes, args);
  if (strcmp(row->takes, "mm") == 0) {
    release_any(iut, &args[1]);
    args[1] = args[0];
    iut->ObjectIncRef(args[0].v_obj);
  }
  *result = view_of_int(42);
  result->zero_padding = 0xA5A5A5A5;
  before = *result;
  expect_error(iut, call_registered(iut, result, row->registered, args, strlen(row->takes)), NULL);
  expect_same_bytes(result, &before);
  release_arguments(iut, row->takes, args);
}

// --- Loads that fail -----------------------------------------------------------------------------

typedef enum Trouble { NO_LOADER, ERROR, NO_MODULE, CUT_SHORT } Trouble;

static const struct {
  const char *name, *tree;
  Trouble trouble;  // of the node f
} troubles[] = {{"no_loader", "L:12 1 f", NO_LOADER},
                {"no_loader_at_once", "f:1 L", NO_LOADER},
                {"loader_fails", "L:12 1 f", ERROR},
                {"loader_of_the_root_fails", "f:12 1 L", ERROR},
                {"no_module", "L:12 1 f", NO_MODULE}};

static unsigned loads_in_trouble;

static int load_with_trouble(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Iut *iut = self;
  (void)args, (void)num_args;
  ++loads_in_trouble;
  *result = view_of_int(0);
  return iut->ErrorSetRaisedFromCStr("ConformError", "no device"), -1;
}

static int load_no_module(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  ++loads_in_trouble;
  *result = view_of_int(0);
  return 0;
}

// The payload of the tree: with a kind of its own for the node f, or cut short within the length of
// its last value.
static Payload troubled_payload(Iut *iut, const char *tree, Trouble trouble)
{
  Payload payload = payload_of(tree);
  if (trouble == CUT_SHORT) {
    payload.size = at_value(&payload, payload.modules - 1) + 4;
    put_number(&payload, AT_NBYTES, payload.size - 8);
    return payload;
  }
  for (size_t entry = 0; entry < payload.modules; ++entry) {
    unsigned char *kind = payload.bytes + at_kind(&payload, entry) + 8;
    if (memcmp(kind, "_lib", 4) != 0 && kind[20] == 'f') memcpy(kind, "conform_odd_", 12);
  }
  if (trouble == ERROR)
    enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", iut, load_with_trouble);
  if (trouble == NO_MODULE)
    enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", iut, load_no_module);
  return payload;
}

// Loads what should fail. That a payload is refused which is cut short (BIN-22), or whose loader gives
// no module (BIN-19), is advice: where it is not, there is no failed load to be judged.
static void fail_with_trouble(Iut *iut, const char *path, Trouble trouble)
{
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, path, &module);
  if (code == 0 && trouble == CUT_SHORT)
    case_not_applicable("the library loads a payload that is cut short");
  if (code == 0 && trouble == NO_MODULE)
    case_not_applicable("the library loads a tree whose loader gives no module");
  require(expect_that(code != 0, "a code other than 0", "%d", code));
  if (trouble == ERROR || trouble == NO_MODULE)
    require(
        expect_that(loads_in_trouble > 0, "a call of the loader that caused the failure", "none"));
  TVMFFIObjectHandle error = take_error(iut);
  if (error) release_object(iut, error);
}

static void fail_and_expect_nothing_open(Iut *iut, const char *tree, Trouble trouble)
{
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = troubled_payload(iut, tree, trouble);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  for (int i = 0; i < 3; ++i) fail_with_trouble(iut, carrier.path, trouble);
  carrier_close(&carrier);
  expect_loads_released(iut, loads);
  expect_unmapped("carrier.so");
  note("with a payload as it should be");
  release_object(iut, load_payload(iut, payload_of("L:12 1 2")));
}

CASE_ROWS(failed_load_leaves_nothing_open, troubles, .clauses = {MOD_80}, .wrong_call = true,
          .title = "a failed load leaves the library unmapped and its modules released")
{
  fail_and_expect_nothing_open(iut, row->tree, row->trouble);
}

CASE(refused_payload_leaves_nothing_open, .clauses = {BIN_22},
     .title = "a payload that is refused leaves the library unmapped and its modules released")
{
  fail_and_expect_nothing_open(iut, "L:12 1 f", CUT_SHORT);
}

static void fail_and_load(Iut *iut, const char *tree, Trouble trouble)
{
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = troubled_payload(iut, tree, trouble), good = payload_of("L:12 1:3 2:3 3");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle found = NULL;
  fail_with_trouble(iut, carrier.path, trouble);
  forget_loads(iut, loads);
  carrier_place(&carrier, good.bytes, good.size);
  TVMFFIObjectHandle root = load_path(iut, carrier.path);
  expect_tree(iut, root, "L:12 1:3 2:3 3");
  void *context = *(void **)carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  require(expect_ok(iut, iut->EnvModLookupFromImports(context, "only_3", &found)));
  expect_int("only_3", integer_of(iut, found), 3);
  release_object(iut, root);
  carrier_close(&carrier);
}

CASE_ROWS(failed_load_does_not_stand_in_the_way, troubles, .clauses = {MOD_81},
          .title = "a library loads and works normally after a failed load")
{
  fail_and_load(iut, row->tree, row->trouble);
}

CASE(refused_payload_does_not_stand_in_the_way, .clauses = {BIN_22},
     .title = "a library loads and works normally after a payload that was refused")
{
  fail_and_load(iut, "L:12 1 f", CUT_SHORT);
}

static const struct {
  const char *name, *file;
} files[] = {
    {"missing", "there_is_no_such.so"}, {"text", "text.so"}, {"unresolved", "unresolved.so"}};

CASE_ROWS(file_that_failed_does_not_stand_in_the_way, files, .clauses = {MOD_81},
          .title = "a library loads and works after files that failed to load")
{
  TVMFFIObjectHandle module = NULL;
  for (int i = 0; i < 3; ++i) {
    int code = try_to_load(iut, library_path_of(row->file), &module);
    require(expect_that(code != 0, "a code other than 0", "%d", code));
    release_object(iut, take_error(iut));
  }
  module = load_node(iut, 1);
  expect_function(iut, module, "self", false, 1);
  release_object(iut, module);
}
