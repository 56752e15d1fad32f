// SPDX-License-Identifier: Apache-2.0
// Functions of libraries: how they are found, called and described.
#include "cases/runtime/module_loading.h"

CHAPTER(module);

static const struct {
  const char *name, *function;
  int64_t gives;
} found[] = {{"self", "self", CARRIER_SELF},
             {"main", "main", 4711},
             {"longer", "of_carrier", 1000},
             {"described", "described", 1},
             {"called_as_the_older_context", "library_ctx", 17}};

CASE_ROWS(function_is_found_under_its_name, found, .clauses = {MOD_22},
          .title = "a function is found under its name, with a reference for the caller")
{
  Carrier carrier = carrier_open(NULL, 0);
  TVMFFIObjectHandle module = load_path(iut, carrier.path);
  TVMFFIObjectHandle function = find_function(iut, module, row->function, false);
  require(expect_not_null("the function", function));
  expect_int("type index", object_type_index(iut, function), kTVMFFIFunction);
  expect_that(object_strong(iut, function) >= 1, "a reference", "none");
  expect_int(row->function, integer_of(iut, function), row->gives);
  release_object(iut, function);
  release_object(iut, module);
  carrier_close(&carrier);
}

// Own: the module of the carrier, without a payload.
static TVMFFIObjectHandle load_carrier(Iut *iut, Carrier *carrier)
{
  *carrier = carrier_open(NULL, 0);
  return load_path(iut, carrier->path);
}

// The carrier has no function of this name, but it has functions.
static void expect_absent(Iut *iut, const char *name, size_t size)
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  TVMFFIAny view = view_of_byte_array(fenced_bytes(name, size));
  TVMFFIByteArray text = {name, size};
  require(expect_ok(iut, iut->StringFromByteArray(&text, &view)));
  expect_no_function(iut, module, view, false);
  note("looked up through imports");
  expect_no_function(iut, module, view, true);
  expect_function(iut, module, "self", false, CARRIER_SELF);
  expect_function(iut, module, "library_ctx", false, 17);
  release_any(iut, &view);
  release_object(iut, module);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *function;
} absent[] = {{"unknown", "no_such_function"}, {"shorter", "sel"},        {"longer", "selfish"},
              {"in_capitals", "SELF"},         {"blank_behind", "self "}, {"prefix_of_all", "_"}};

CASE_ROWS(absent_function_is_none, absent, .clauses = {MOD_23},
          .title = "looking up a name that no module has returns None")
{
  expect_absent(iut, row->function, strlen(row->function));
}

// apache/tvm#18273: an exported function and a plain one of the same name were confused.
CASE(symbol_without_prefix_is_no_function, .clauses = {MOD_24},
     .title = "a symbol that the library exports without the prefix is not found")
{
  expect_absent(iut, "bare", 4);
}

CASE(name_may_begin_with_an_underscore, .clauses = {MOD_26},
     .title = "a function whose name begins with an underscore is found")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  expect_function(iut, module, "_f", false, 5);
  release_object(iut, module);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *function;
} reserved[] = {{"context", "_library_ctx"},
                {"payload", "_library_bin"},
                {"metadata", "_metadata_described"},
                {"doc", "_doc_described"}};

CASE_ROWS(reserved_names_find_nothing, reserved, .clauses = {MOD_27}, .wrong_call = true,
          .title = "the name of a reserved symbol finds no function")
{
  Carrier carrier = carrier_open(
      "\x2c\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0\0"
      "\0\0\0_lib",
      52);
  TVMFFIObjectHandle module = load_path(iut, carrier.path);
  expect_no_function(iut, module, view_of_raw_string(row->function), false);
  expect_function(iut, module, "self", false, CARRIER_SELF);
  release_object(iut, module);
  carrier_close(&carrier);
}

static const struct {
  const char *name;
  TVMFFIByteArray function;
} cut_names[] = {{"nul_behind", {"self\0", 5}},
                 {"more_behind_a_nul", {"self\0ish", 8}},
                 {"nul_first", {"\0self", 5}},
                 {"long", {"of_carrier\0and.more", 19}}};

CASE_ROWS(name_is_compared_to_its_end, cut_names, .clauses = {MOD_28}, .wrong_call = true,
          .title = "a name with a NUL in it names no function")
{
  expect_absent(iut, row->function.data, row->function.size);
}

static const struct {
  const char *name, *function;
  bool imports, expected;
} implemented[] = {{"own", "of_carrier", false, true},
                   {"own_with_imports", "of_carrier", true, true},
                   {"absent", "no_such_function", false, false},
                   {"absent_everywhere", "no_such_function", true, false},
                   {"of_an_import", "only_3", true, true},
                   {"of_an_import_not_asked_for", "only_3", false, false},
                   {"below_an_import", "only_5", true, true},
                   {"without_prefix", "bare", true, false}};

CASE_ROWS(module_says_whether_it_has_a_function, implemented, .clauses = {MOD_29},
          .title = "a module implements exactly the functions that are found in it")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier), import = load_node(iut, 3),
                     below = load_node(iut, 5);
  import_module(iut, module, import);
  import_module(iut, import, below);
  TVMFFIAny name = view_of_raw_string(row->function);
  expect_gives(iut, view_of_bool(row->expected), "ffi.ModuleImplementsFunction",
               VALUES(view_of_object(iut, module), name, view_of_bool(row->imports)));
  TVMFFIObjectHandle function = find_in(iut, module, name, row->imports);
  expect_int("whether it is found", function != NULL, row->expected);
  if (function) release_object(iut, function);
  release_object(iut, below);
  release_object(iut, import);
  release_object(iut, module);
  carrier_close(&carrier);
}

// --- Forms of a string ---------------------------------------------------------------------------

static const struct {
  const char *name;
  int32_t type_index;
} forms[] = {{"raw", kTVMFFIRawStr}, {"small", kTVMFFISmallStr}, {"object", kTVMFFIStr}};

// Own: the text in this form. A small one has at most 7 bytes.
static TVMFFIAny text_of(Iut *iut, int32_t type_index, const char *text)
{
  if (type_index == kTVMFFIRawStr) return view_of_raw_string(fenced_string(text));
  if (type_index == kTVMFFISmallStr) return view_of_small_string(text);
  return new_text(iut, kTVMFFIStr, text);
}

CASE_ROWS(names_come_in_every_form, forms, .clauses = {MOD_30},
          .title = "a name is accepted as raw string, small string and string object")
{
  bool small = row->type_index == kTVMFFISmallStr;
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  TVMFFIAny name = text_of(iut, row->type_index, small ? "relayed" : "described");
  TVMFFIObjectHandle function = find_in(iut, module, name, false);
  require(expect_not_null("the function", function));
  expect_int("what it gives", integer_of(iut, function), small ? 2 : 1);
  release_object(iut, function);
  if (name.type_index == kTVMFFIStr) release_any(iut, &name);
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE_ROWS(names_that_are_asked_about_come_in_every_form, forms, .clauses = {MOD_101},
          .title = "whether a module has a function is asked with every form of a string")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  bool small = row->type_index == kTVMFFISmallStr;
  TVMFFIAny name = text_of(iut, row->type_index, small ? "relayed" : "described");
  expect_gives(iut, view_of_bool(true), "ffi.ModuleImplementsFunction",
               VALUES(view_of_object(iut, module), name, view_of_bool(false)));
  if (name.type_index == kTVMFFIStr) release_any(iut, &name);
  release_object(iut, module);
  carrier_close(&carrier);
}

// A path is accepted in a form by a loader, which is given it alone or with an empty string. One of
// at most 7 bytes is that of no file.
static void expect_path_accepted(Iut *iut, const char *loader, int32_t type_index)
{
  bool small = type_index == kTVMFFISmallStr;
  TVMFFIAny path = text_of(iut, type_index, small ? "no.so" : library_path_of("node_1.so"));
  TVMFFIAny result = any_none(), args[] = {path, view_of_small_string("")};
  int code = call_registered(iut, &result, loader, args, loader == so_loader ? 2 : 1);
  if (small)
    expect_error(iut, code, NULL);
  else if (expect_ok(iut, code))
    expect_function(iut, result.v_obj, "self", false, 1);
  if (path.type_index == kTVMFFIStr) release_any(iut, &path);
  release_any(iut, &result);
}

CASE_ROWS(paths_come_in_every_form, forms, .clauses = {MOD_30},
          .title = "a path is accepted as raw string, small string and string object")
{
  expect_path_accepted(iut, so_loader, row->type_index);
}

CASE_ROWS(paths_with_an_extension_come_in_every_form, forms, .clauses = {MOD_101},
          .title = "a path whose extension is looked at is accepted in every form of a string")
{
  expect_path_accepted(iut, load_from_file, row->type_index);
}

CASE_ROWS(prefixes_come_in_every_form, forms, .clauses = {MOD_101},
          .title = "a prefix is accepted as raw string, small string and string object")
{
  bool small = row->type_index == kTVMFFISmallStr;
  const char *text = small ? "short_" : "conform_longer_";
  TVMFFIAny prefix = text_of(iut, row->type_index, text);
  TVMFFIObjectHandle module = object_of(iut, "ffi.SystemLib", VALUES(prefix));
  TVMFFIObjectHandle again = object_of(iut, "ffi.SystemLib", VALUES(view_of_raw_string(text)));
  expect_pointer("the module of the same prefix", again, module);
  if (prefix.type_index == kTVMFFIStr) release_any(iut, &prefix);
  release_object(iut, again);
  release_object(iut, module);
}

// --- Calls ---------------------------------------------------------------------------------------

// Own: the function of the carrier that calls what the log says.
static TVMFFIObjectHandle find_relay(Iut *iut, const Carrier *carrier, TVMFFIObjectHandle module)
{
  TVMFFISafeCallType *relay = carrier_symbol(carrier, "conform_relay");
  *relay = call_log_callee_without_self;
  call_log_without_self = (CallLog){0};
  TVMFFIObjectHandle function = find_function(iut, module, "relay", false);
  require(expect_not_null("the function", function));
  return function;
}

static const struct {
  const char *name;
  int32_t arguments;
} calls[] = {{"without_arguments", 0}, {"with_one", 1}, {"with_many", 20}};

// What the symbol that is called below was given.
static TVMFFIAny received[20];

static int keep_arguments(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args > 0 && num_args <= 20) memcpy(received, args, (size_t)num_args * sizeof *args);
  return call_log_callee_without_self(handle, args, num_args, result);
}

// Calls the relay of the carrier with integers, and returns what was noted of it.
static const CallLog *call_relay(Iut *iut, int32_t arguments)
{
  Carrier carrier;
  CallLog *log = &call_log_without_self;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier),
                     function = find_relay(iut, &carrier, module);
  TVMFFIAny values[20], *result = fenced_result();
  for (int i = 0; i < 20; ++i) values[i] = view_of_int(i);
  TVMFFIAny *args = arguments ? fenced_args(values, (size_t)arguments) : NULL;
  *(TVMFFISafeCallType *)carrier_symbol(&carrier, "conform_relay") = keep_arguments;
  log->gives = true;
  log->give = view_of_int(INT64_MIN + 3);
  expect_ok(iut, iut->FunctionCall(function, args, arguments, result));
  require(expect_int("calls", log->calls, 1));
  expect_same_bytes(result, &log->give);
  release_object(iut, function);
  release_object(iut, module);
  carrier_close(&carrier);
  return log;
}

CASE_ROWS(function_gets_the_call_of_its_caller, calls, .clauses = {MOD_31},
          .title = "the symbol is called once, with the arguments of the caller")
{
  const CallLog *log = call_relay(iut, row->arguments);
  require(expect_int("the number of arguments", log->num_args, row->arguments));
  for (int i = 0; i < row->arguments; ++i) {
    TVMFFIAny expected = view_of_int(i);
    expect_same_bytes(&received[i], &expected);
  }
}

CASE_ROWS(function_is_called_without_handle, calls, .clauses = {MOD_99},
          .title = "the symbol is called with NULL as its handle")
{
  expect_pointer("its handle", call_relay(iut, row->arguments)->handle, NULL);
}

static Iut *raising_iut;

static int raise_and_fail(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  raising_iut->ErrorSetRaisedFromCStr("ConformError", "the kernel has no grid");
  return -1;
}

// A code other than 0 was returned, and the error of raise_and_fail is raised.
static void expect_kernel_error(Iut *iut, int code)
{
  expect_that(code != 0, "a code other than 0", "%d", code);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text("kind", error_cell(iut, error)->kind, "ConformError");
  expect_text("message", error_cell(iut, error)->message, "the kernel has no grid");
  release_object(iut, error);
}

CASE(error_of_a_function_reaches_the_caller, .clauses = {MOD_32},
     .title = "a call fails when the symbol fails, with the error that it raised")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier),
                     function = find_relay(iut, &carrier, module);
  TVMFFIAny result = any_none();
  expect_ok(iut, iut->FunctionCall(function, NULL, 0, &result));
  note("when the symbol fails");
  raising_iut = iut;
  *(TVMFFISafeCallType *)carrier_symbol(&carrier, "conform_relay") = raise_and_fail;
  expect_kernel_error(iut, iut->FunctionCall(function, NULL, 0, &result));
  release_object(iut, function);
  release_object(iut, module);
  carrier_close(&carrier);
}

// --- Metadata ------------------------------------------------------------------------------------

static const char metadata_of[] = "ffi.ModuleGetFunctionMetadata";
static const char doc_of[] = "ffi.ModuleGetFunctionDoc";

// What the function of the table gives for a name. Own.
static TVMFFIAny describe(Iut *iut, const char *asked, TVMFFIObjectHandle module, const char *name,
                          bool imports)
{
  return ask_module(iut, asked, module, view_of_raw_string(name), imports);
}

CASE(function_has_metadata, .clauses = {MOD_66},
     .title = "the metadata of a function are the string that their symbol gives")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  TVMFFIAny text = describe(iut, metadata_of, module, "described", false);
  expect_small_string(&text, "{\"a\":1}", 7);
  text = describe(iut, metadata_of, module, "described", true);
  expect_small_string(&text, "{\"a\":1}", 7);
  note("of a function that the library lacks");
  text = describe(iut, metadata_of, module, "absent", false);
  expect_small_string(&text, "{}", 2);
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE(function_has_a_description, .clauses = {MOD_67},
     .title = "the description of a function is the string that its symbol gives")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  TVMFFIAny text = describe(iut, doc_of, module, "described", false);
  expect_small_string(&text, "a doc", 5);
  text = describe(iut, doc_of, module, "described", true);
  expect_small_string(&text, "a doc", 5);
  release_object(iut, module);
  carrier_close(&carrier);
}

static Iut *describing_iut;
static const char long_text[] = "{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\"}\"}";

static int give_long_text(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray text = bytes_of(long_text);
  call_log_callee_without_self(handle, args, num_args, result);
  return describing_iut->StringFromByteArray(&text, result);
}

// The carrier, whose `relayed` is described by this.
static TVMFFIObjectHandle load_describing(Iut *iut, Carrier *carrier, TVMFFISafeCallType call)
{
  TVMFFIObjectHandle module = load_carrier(iut, carrier);
  *(TVMFFISafeCallType *)carrier_symbol(carrier, "conform_describe") = call;
  describing_iut = raising_iut = iut;
  call_log_without_self = (CallLog){0};
  return module;
}

static const struct {
  const char *name, *asked;
} long_metadata[] = {{"metadata", metadata_of}};
static const struct {
  const char *name, *asked;
} long_docs[] = {{"doc", doc_of}};

static void expect_long_text(Iut *iut, const char *asked)
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_describing(iut, &carrier, give_long_text);
  TVMFFIAny text = describe(iut, asked, module, "relayed", false);
  expect_int("calls of the symbol", call_log_without_self.calls, 1);
  expect_int("its arguments", call_log_without_self.num_args, 0);
  expect_heap_string(iut, &text, long_text, sizeof long_text - 1);
  release_object(iut, module);
  carrier_close(&carrier);
  note("after the library was released");
  expect_heap_string(iut, &text, long_text, sizeof long_text - 1);
  release_any(iut, &text);
}

CASE_ROWS(
    metadata_may_be_long, long_metadata, .clauses = {MOD_66},
    .title = "the symbol is called once without arguments, and its string outlives the library")
{
  expect_long_text(iut, row->asked);
}

CASE_ROWS(
    description_may_be_long, long_docs, .clauses = {MOD_67},
    .title = "the symbol is called once without arguments, and its string outlives the library")
{
  expect_long_text(iut, row->asked);
}

static const struct {
  const char *name, *asked, *function;
} undescribed[] = {{"metadata", metadata_of, "self"},
                   {"doc", doc_of, "self"},
                   {"doc_where_there_are_metadata", doc_of, "absent"},
                   {"metadata_of_no_function", metadata_of, "no_such_function"},
                   {"doc_of_no_function", doc_of, "no_such_function"}};

CASE_ROWS(function_without_metadata_has_none, undescribed, .clauses = {MOD_68},
          .title = "metadata and description are None if the symbol is missing")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_carrier(iut, &carrier);
  TVMFFIAny none = any_none(), text = describe(iut, row->asked, module, row->function, false);
  expect_same_bytes(&text, &none);
  text = describe(iut, row->asked, module, row->function, true);
  expect_same_bytes(&text, &none);
  release_object(iut, module);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *asked, *function, *text;
} imported[] = {{"metadata", metadata_of, "only_3", "{\"n\":1}"},
                {"doc", doc_of, "only_3", "a node"},
                {"metadata_below", metadata_of, "only_5", "{\"n\":1}"},
                {"doc_below", doc_of, "only_5", "a node"}};

CASE_ROWS(metadata_of_imports_are_found, imported, .clauses = {MOD_69},
          .title = "metadata of imports are found only on request")
{
  TVMFFIObjectHandle module = load_node(iut, 1), import = load_node(iut, 3),
                     below = load_node(iut, 5);
  import_module(iut, module, import);
  import_module(iut, import, below);
  TVMFFIAny none = any_none(), text = describe(iut, row->asked, module, row->function, true);
  expect_small_string(&text, row->text, strlen(row->text));
  text = describe(iut, row->asked, module, row->function, false);
  expect_same_bytes(&text, &none);
  release_object(iut, below);
  release_object(iut, import);
  release_object(iut, module);
}

static const struct {
  const char *name, *asked;
} described_by[] = {{"metadata", metadata_of}, {"doc", doc_of}};

CASE_ROWS(failure_to_describe_is_passed_on, described_by, .clauses = {MOD_70},
          .title = "the error of the symbol that gives metadata reaches the caller")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_describing(iut, &carrier, raise_and_fail);
  TVMFFIAny result = any_none();
  expect_kernel_error(
      iut, call_registered(iut, &result, row->asked,
                           VALUES(view_of_object(iut, module), view_of_raw_string("relayed"),
                                  view_of_bool(false))));
  TVMFFIAny text = describe(iut, row->asked, module, "described", false);
  expect_type_index(&text, kTVMFFISmallStr);
  release_object(iut, module);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *asked;
  int32_t type_index;
} no_strings[] = {{"metadata_integer", metadata_of, kTVMFFIInt},
                  {"doc_integer", doc_of, kTVMFFIInt}};

CASE_ROWS(metadata_are_a_string, no_strings, .clauses = {MOD_71}, .wrong_call = true,
          .title = "a symbol that does not return a string raises a TypeError")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_describing(iut, &carrier, call_log_callee_without_self);
  call_log_without_self.gives = true;
  call_log_without_self.give = view_of_bits(row->type_index, 0);
  expect_refused(
      iut, "TypeError", row->asked,
      VALUES(view_of_object(iut, module), view_of_raw_string("relayed"), view_of_bool(false)));
  TVMFFIAny text = describe(iut, row->asked, module, "described", false);
  expect_type_index(&text, kTVMFFISmallStr);
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE_ROWS(nothing_stands_for_no_metadata, described_by, .clauses = {MOD_105},
          .title = "a symbol that returns None stands for no metadata")
{
  Carrier carrier;
  TVMFFIObjectHandle module = load_describing(iut, &carrier, call_log_callee_without_self);
  call_log_without_self.gives = true;
  call_log_without_self.give = any_none();
  TVMFFIAny none = any_none(), text = describe(iut, row->asked, module, "relayed", false);
  expect_same_bytes(&text, &none);
  text = describe(iut, row->asked, module, "described", false);
  expect_type_index(&text, kTVMFFISmallStr);
  release_object(iut, module);
  carrier_close(&carrier);
}
