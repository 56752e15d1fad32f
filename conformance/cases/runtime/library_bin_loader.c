// SPDX-License-Identifier: Apache-2.0
// Loaders of kinds that are missing, fail, or give what is no module.
#include "battery/utf8.h"
#include "cases/runtime/library_bin_tree.h"

CHAPTER(library_bin);

// A loader that does what a case says.
typedef struct OddLoader {
  Iut *iut;
  unsigned calls;
  const char *kind;  // of the error that it raises; NULL: none
  int returns;
  TVMFFIAny give;
} OddLoader;

static int load_oddly(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  OddLoader *loader = self;
  (void)args, (void)num_args;
  ++loader->calls;
  if (loader->kind) loader->iut->ErrorSetRaisedFromCStr(loader->kind, "the device is missing");
  if (loader->returns == 0) *result = loader->give;
  return loader->returns;
}

// The payload of the tree, in which the node with the digit f has the kind conform_odd.
static Payload odd_payload(const char *tree)
{
  Payload payload = payload_of(tree);
  for (size_t entry = 0; entry < payload.modules; ++entry) {
    size_t at = at_kind(&payload, entry);
    if (number_at(&payload, at) != sizeof node_kind - 1) continue;
    unsigned char *kind = payload.bytes + at + 8, *value = kind + sizeof node_kind - 1 + 8;
    if (*value == 'f') memcpy(kind, "conform_odd_", sizeof node_kind - 1);
  }
  return payload;
}

// --- No loader -----------------------------------------------------------------------------------

static const struct {
  const char *name, *tree;
} strangers[] = {{"alone", "f"},
                 {"root", "f:1 L"},
                 {"last", "L:12 1 f"},
                 {"first", "L:12 f 1"},
                 {"nobody_imports", "L:1 1 f"},
                 {"twice", "L:12 f f"}};

CASE_ROWS(kind_without_loader_is_refused, strangers, .clauses = {BIN_16},
          .title = "a tree with a kind for which no loader is registered does not load")
{
  static OddLoader loader;
  loader.iut = iut;
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = odd_payload(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, carrier.path, &module), NULL);
  forget_loads(iut, loads);
  note("with a loader for the kind");
  loader.give = view_of_object(iut, load_node(iut, 6));
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", &loader, load_oddly);
  if (strcmp(row->name, "twice") == 0) iut->ObjectIncRef(loader.give.v_obj);
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE(kind_loads_once_its_loader_is_there, .clauses = {MOD_81},
     .title = "a kind that had no loader at a load before loads when it has one")
{
  static OddLoader loader;
  serve_nodes(iut);
  Payload payload = odd_payload("L:12 1 f");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  require(expect_error(iut, try_to_load(iut, carrier.path, &module), NULL));
  note("with a loader for the kind");
  loader = (OddLoader){.iut = iut, .give = view_of_object(iut, load_node(iut, 6))};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", &loader, load_oddly);
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  expect_int("calls of the loader", loader.calls, 1);
  expect_function(iut, module, "only_6", true, 6);
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE_ROWS(kind_without_loader_is_a_runtime_error, strangers, .clauses = {BIN_41},
          .wrong_call = true,
          .title = "the error about a kind for which no loader is registered is a RuntimeError")
{
  serve_nodes(iut);
  Payload payload = odd_payload(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, carrier.path, &module), "RuntimeError");
  carrier_close(&carrier);
}

CASE(message_names_the_kind, .clauses = {BIN_17}, .wrong_call = true,
     .title = "the message of a kind without loader contains the kind")
{
  Payload payload = odd_payload("L:1 f");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  require(expect_int("code", code, -1));
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_that(memmem(message.data, message.size, "conform_odd_", 12) != NULL,
              "a message that contains conform_odd_", "`%.*s`", (int)message.size, message.data);
  release_object(iut, error);
  carrier_close(&carrier);
}

static const struct {
  const char *name;
  LibraryBinBytes kind;
} long_kinds[] = {{"of_40_letters", {"a_kind_of_forty_letters_without_a_loader", 40}},
                  {"of_other_letters",
                   {"\xe6\xa8\xa1\xe5\x9d\x97\xe6\xa8\xa1\xe5\x9d\x97\xe6\xa8\xa1\xe5\x9d\x97"
                    "\xe6\xa8\xa1\xe5\x9d\x97\xe6\xa8\xa1\xe5\x9d\x97\xe6\xa8\xa1\xe5\x9d\x97",
                    36}},
                  {"of_two_octets_and_one",
                   {"k\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xb6\xc3\xa4\xc3\xbc"
                    "\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xb6\xc3\xa4\xc3\xbc",
                    31}}};

// Own: the error of a load whose kind has no loader.
static TVMFFIObjectHandle error_about_entry(Iut *iut, LibraryBinBytes kind, LibraryBinBytes value)
{
  const uint64_t rows[] = {0, 1, 1}, children[] = {1};
  const LibraryBinEntry entries[] = {{.is_library = true}, {.kind = kind, .value = value}};
  Payload payload = payload_of_tree(&(LibraryBin){2, 1, rows, children, entries});
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  require(expect_int("code", code, -1));
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  carrier_close(&carrier);
  return error;
}

static TVMFFIObjectHandle error_about(Iut *iut, LibraryBinBytes kind)
{
  return error_about_entry(iut, kind, (LibraryBinBytes){"v", 1});
}

// A value is no text.
CASE(message_about_any_value_is_text, .clauses = {BIN_50},
     .title = "the message of a kind without loader is well-formed, whatever its value is")
{
  static const char octets[] = "\xff\xfe\xc3 an octet stream \x80\xf5\xed\xa0\x80";
  TVMFFIObjectHandle error = error_about_entry(iut, (LibraryBinBytes){"conform_odd", 11},
                                               (LibraryBinBytes){octets, sizeof octets - 1});
  const TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_that(is_utf8(message.data, message.size), "a message that is UTF-8", "one of %zu bytes",
              message.size);
  release_object(iut, error);
}

CASE_ROWS(message_names_a_long_kind, long_kinds, .clauses = {BIN_17}, .wrong_call = true,
          .title = "the message of a kind without loader contains all of the kind")
{
  TVMFFIObjectHandle error = error_about(iut, row->kind);
  TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_that(memmem(message.data, message.size, row->kind.data, row->kind.size) != NULL,
              "a message that contains the kind", "`%.*s`", (int)message.size, message.data);
  release_object(iut, error);
}

CASE_ROWS(message_about_a_long_kind_is_text, long_kinds, .clauses = {BIN_50},
          .title = "the message of a kind without loader is well-formed, as the kind is")
{
  TVMFFIObjectHandle error = error_about(iut, row->kind);
  TVMFFIByteArray message = error_cell(iut, error)->message;
  expect_that(is_utf8(message.data, message.size), "a message that is UTF-8", "one of %zu bytes",
              message.size);
  release_object(iut, error);
}

static const struct {
  const char *name;
  LibraryBinBytes kind, between;
} between[] = {
    {"longer_one", {"conform_odd", 11}, {"a_kind_of_forty_letters_without_a_loader", 40}},
    {"shorter_one", {"a_kind_of_forty_letters_without_a_loader", 40}, {"q", 1}},
    {"one_as_long", {"conform_odd", 11}, {"conform_eve", 11}}};

CASE_ROWS(message_is_the_same_behind_others, between, .clauses = {BIN_50},
          .title = "the message of a kind without loader is the same after that of another kind")
{
  TVMFFIObjectHandle first = error_about(iut, row->kind);
  release_object(iut, error_about(iut, row->between));
  TVMFFIObjectHandle second = error_about(iut, row->kind);
  enum { ROOM = 4096 };
  static char one[ROOM], other[ROOM];
  TVMFFIByteArray message = error_cell(iut, second)->message;
  size_t size = words_of(error_cell(iut, first)->message, one, ROOM);
  bool same = words_of(message, other, ROOM) == size && memcmp(one, other, size) == 0;
  expect_that(same, "the same message", "`%.*s`", (int)(message.size < 200 ? message.size : 200),
              message.data);
  release_object(iut, first);
  release_object(iut, second);
}

// --- A loader that fails -------------------------------------------------------------------------

static const struct {
  const char *name, *tree;
  unsigned before;  // calls of the loader of the nodes
} failing[] = {{"alone", "f", 0},
               {"root", "f:1 L", 0},
               {"before_others", "L:123 f 1 2", 0},
               {"between_others", "L:123 1 f 2", 1},
               {"behind_others", "L:123 1 2 f", 2}};

// Loads a payload with a loader for the odd kind that fails. Returns the code.
static int load_with_failure(Iut *iut, const Carrier *carrier, OddLoader *loader,
                             TVMFFIObjectHandle *module)
{
  *loader = (OddLoader){.iut = iut, .kind = "ConformError", .returns = -1};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", loader, load_oddly);
  return try_to_load(iut, carrier->path, module);
}

CASE_ROWS(failure_of_a_loader_is_passed_on, failing, .clauses = {BIN_18},
          .title = "the error of a loader reaches the caller")
{
  static OddLoader loader;
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = odd_payload(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = load_with_failure(iut, &carrier, &loader, &module);
  expect_that(code != 0, "a code other than 0", "%d", code);
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text("kind", error_cell(iut, error)->kind, "ConformError");
  expect_text("message", error_cell(iut, error)->message, "the device is missing");
  release_object(iut, error);
  expect_int("calls of the failing loader", loader.calls, 1);
  forget_loads(iut, loads);
  note("when the loader does not fail");
  loader = (OddLoader){.iut = iut, .give = view_of_object(iut, load_node(iut, 6))};
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  release_object(iut, module);
  carrier_close(&carrier);
}

CASE_ROWS(failure_of_a_loader_ends_the_load, failing, .clauses = {BIN_43},
          .title = "after a loader failed no other loader is called")
{
  static OddLoader loader;
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = odd_payload(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = load_with_failure(iut, &carrier, &loader, &module);
  require(expect_that(code != 0, "a code other than 0", "%d", code));
  release_object(iut, take_error(iut));
  expect_int("calls of the failing loader", loader.calls, 1);
  expect_int("calls of the loader of the nodes", loads->calls, row->before);
  forget_loads(iut, loads);
  carrier_close(&carrier);
}

// A loader that raises an error of its own making.
typedef struct Raiser {
  Iut *iut;
  TVMFFIObjectHandle error;  // own
  int returns;
} Raiser;

static int load_and_raise(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Raiser *raiser = self;
  (void)args, (void)num_args;
  raiser->iut->ErrorSetRaised(raiser->error);
  if (raiser->returns > 0) *result = view_of_object(raiser->iut, load_node(raiser->iut, 6));
  return raiser->returns;
}

// Own: the error of a load whose loader fails, which must fail; NULL if there is none.
static TVMFFIObjectHandle error_of_load(Iut *iut, Raiser *raiser)
{
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", raiser, load_and_raise);
  Payload payload = odd_payload("L:1 f");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  expect_that(code != 0, "a code other than 0", "%d", code);
  TVMFFIObjectHandle error = take_error(iut);
  carrier_close(&carrier);
  return error;
}

static const struct {
  const char *name;
  int returns;
} codes[] = {{"minus_1", -1}, {"minus_2", -2}, {"1", 1}};

CASE_ROWS(any_code_but_0_is_a_failure, codes, .clauses = {BIN_18},
          .title = "a loader that returns a code other than 0 has failed")
{
  Raiser raiser = {.iut = iut, .returns = row->returns};
  raiser.error = new_error(iut, "ConformError", "the device is missing", "");
  TVMFFIObjectHandle error = error_of_load(iut, &raiser);
  // (-2 has a meaning of its own in releases before 0.1.9.)
  if (row->returns != -2 && expect_not_null("the raised error", error))
    expect_text("kind", error_cell(iut, error)->kind, "ConformError");
  release_object(iut, error);
  release_object(iut, raiser.error);
}

CASE(error_of_a_loader_keeps_its_context, .clauses = {BIN_18},
     .title = "the error in the slot has what the loader put into it besides kind and message")
{
  Raiser raiser = {.iut = iut, .returns = -1};
  TVMFFIByteArray kind = bytes_of("ConformError"), message = bytes_of("the device is missing");
  TVMFFIByteArray none = {NULL, 0};
  TVMFFIObjectHandle context = new_error(iut, "ConformError", "what it was asked for", "");
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &none, NULL,
                                                                  context, &raiser.error)));
  TVMFFIObjectHandle error = error_of_load(iut, &raiser);
  require(expect_not_null("the raised error", error));
  if (error != raiser.error)
    expect_pointer("the extra context", error_cell(iut, error)->extra_context, context);
  release_object(iut, error);
  release_object(iut, raiser.error);
  release_object(iut, context);
}

static const struct {
  const char *name, *tree;
  int type_index;  // of what it gives
} no_modules[] = {{"none", "L:1 f", kTVMFFINone},         {"integer", "L:1 f", kTVMFFIInt},
                  {"object", "L:1 f", kTVMFFIObject},     {"function", "L:1 f", kTVMFFIFunction},
                  {"none_as_root", "f:1 L", kTVMFFINone}, {"integer_as_root", "f", kTVMFFIInt},
                  {"error", "L:1 f", kTVMFFIError}};

CASE_ROWS(loader_has_to_give_a_module, no_modules, .clauses = {BIN_19}, .wrong_call = true,
          .title = "a loader that returns something other than a module raises a TypeError")
{
  static OddLoader loader;
  static CallLog log;
  loader = (OddLoader){.iut = iut};
  loader.give.type_index = row->type_index;
  TVMFFIObjectHandle object = NULL;
  TVMFFIByteArray text = bytes_of("ValueError");
  if (row->type_index == kTVMFFIFunction)
    require(expect_ok(iut, iut->FunctionCreate(&log, call_log_callee, call_log_delete, &object)));
  if (row->type_index == kTVMFFIError)
    require(expect_ok(iut, iut->ErrorCreate(&text, &text, &text, &object)));
  if (row->type_index == kTVMFFIObject) object = new_probe_object_of(iut, kTVMFFIObject);
  if (object) loader.give = view_of_object(iut, object), iut->ObjectIncRef(object);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", &loader, load_oddly);
  Payload payload = odd_payload(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, carrier.path, &module), "TypeError");
  if (object) expect_counts(iut, object, .strong = 1, .weak = 1);
  note("when it gives a module");
  loader.give = view_of_object(iut, load_node(iut, 6));
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  release_object(iut, module);
  carrier_close(&carrier);
}

// What loaders find in their results.
typedef struct ResultsSeen {
  Iut *iut;
  unsigned calls, not_none;
} ResultsSeen;

static int look_at_result(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  ResultsSeen *seen = self;
  (void)args, (void)num_args;
  ++seen->calls;
  seen->not_none += result->type_index != kTVMFFINone || result->v_int64 != 0;
  *result = view_of_object(seen->iut, load_node(seen->iut, 1));
  return 0;
}

CASE(each_loader_finds_none_in_its_result, .clauses = {FUN_46},
     .title = "the result of a loader is None when it is called, whatever the one before returned")
{
  ResultsSeen seen = {.iut = iut};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_node", &seen, look_at_result);
  for (int i = 0; i < 2; ++i) release_object(iut, load_payload(iut, payload_of("L:123 1 2 3")));
  expect_int("calls of the loader", seen.calls, 6);
  expect_int("results that were not None", seen.not_none, 0);
}

// --- The context of a library that was refused ---------------------------------------------------

CASE(refused_library_has_no_context, .clauses = {BIN_20},
     .title = "after a load that failed the context is what it was, or NULL")
{
  static OddLoader loader;
  loader = (OddLoader){.iut = iut, .kind = "ConformError", .returns = -1};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_odd_", &loader, load_oddly);
  Payload payload = odd_payload("L:1 f");
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  void **context = carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  TVMFFIObjectHandle module = NULL;
  int code = try_to_load(iut, carrier.path, &module);
  require(expect_that(code != 0, "a code other than 0", "%d", code));
  release_object(iut, take_error(iut));
  expect_pointer("the context of a library that was refused", *context, NULL);
  note("when the loader does not fail");
  loader = (OddLoader){.iut = iut, .give = view_of_object(iut, load_node(iut, 6))};
  require(expect_ok(iut, try_to_load(iut, carrier.path, &module)));
  expect_not_null("the context", *context);
  release_object(iut, module);
  carrier_close(&carrier);
}
