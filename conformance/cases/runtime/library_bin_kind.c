// SPDX-License-Identifier: Apache-2.0
// Kinds, their loaders, and what these are given.
#include "cases/runtime/library_bin_tree.h"

CHAPTER(library_bin);

#define BYTES(literal)           \
  {                              \
    literal, sizeof(literal) - 1 \
  }

// What a loader that takes any value saw at its last call. It gives a module of node 1.
typedef struct AnyLoads {
  Iut *iut;
  unsigned calls;
  int32_t num_args, type_index;
  char *value;
  size_t size;
  TVMFFIAny argument;  // as it was passed
} AnyLoads;

static int load_anything(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  AnyLoads *loads = self;
  ++loads->calls;
  loads->num_args = num_args;
  if (num_args > 0) {
    TVMFFIByteArray value = bytes_in(loads->iut, args);
    loads->type_index = args->type_index;
    loads->argument = *args;
    loads->size = value.size;
    loads->value = calloc(1, value.size + 1);
    if (loads->value && value.size) memcpy(loads->value, value.data, value.size);
  }
  *result = view_of_object(loads->iut, load_node(loads->iut, 1));
  return 0;
}

// The payload of the library that imports one module of this kind and value.
static Payload payload_of_one(LibraryBinBytes kind, LibraryBinBytes value)
{
  const uint64_t rows[] = {0, 1, 1}, children[] = {1};
  const LibraryBinEntry entries[] = {{.is_library = true}, {.kind = kind, .value = value}};
  return payload_of_tree(&(LibraryBin){2, 1, rows, children, entries});
}

// --- Values --------------------------------------------------------------------------------------

static const char all_octets[] =
    "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x1f\x20\x7e\x7f\x80\x81"
    "\xc0\xc1\xf5\xfe\xff\x00";

static const struct {
  const char *name;
  LibraryBinBytes value;
} values[] = {{"one_octet", BYTES("x")},
              {"seven_octets", BYTES("seven..")},
              {"eight_octets", BYTES("eight...")},
              {"longer", BYTES("a value that has more than a few octets")},
              {"nul", BYTES("\0")},
              {"nul_inside", BYTES("ab\0cd")},
              {"nul_at_the_end", BYTES("eight...\0")},
              {"no_text", BYTES(all_octets)},
              {"looks_like_the_library", BYTES("_lib")},
              {"looks_like_an_entry", BYTES("\4\0\0\0\0\0\0\0_lib\1\0\0\0\0\0\0\0k")}};

// Bytes, in one of their three forms.
static void expect_bytes_type(int32_t type_index)
{
  expect_that(type_index == kTVMFFIByteArrayPtr || type_index == kTVMFFISmallBytes ||
                  type_index == kTVMFFIBytes,
              "bytes: type index 9, 12 or 66", "type index %" PRId32, type_index);
}

static void expect_value(Iut *iut, LibraryBinBytes value)
{
  AnyLoads loads = {.iut = iut};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_any", &loads, load_anything);
  LibraryBinBytes kind = BYTES("conform_any");
  TVMFFIObjectHandle root = load_payload(iut, payload_of_one(kind, value));
  expect_int("calls of the loader", loads.calls, 1);
  expect_int("arguments", loads.num_args, 1);
  expect_bytes_type(loads.type_index);
  expect_memory("the value", loads.value, loads.size, value.data, value.size);
  expect_function(iut, root, "only_1", true, 1);
  release_object(iut, root);
}

CASE_ROWS(loader_gets_the_value, values, .clauses = {BIN_5},
          .title = "a loader is given the octets of the value, whatever they are, as bytes")
{
  expect_value(iut, row->value);
}

CASE(loader_gets_a_clean_value, .clauses = {ANY_1, ANY_2},
     .title = "the unused bytes of a loader's argument are zero")
{
  AnyLoads loads = {.iut = iut};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_any", &loads, load_anything);
  LibraryBinBytes kind = BYTES("conform_any"), value = BYTES("few");
  TVMFFIObjectHandle root = load_payload(iut, payload_of_one(kind, value));
  release_object(iut, root);
  require(expect_int("calls of the loader", loads.calls, 1));
  if (loads.type_index == kTVMFFISmallBytes)
    expect_small_bytes(&loads.argument, "few", 3);
  else
    expect_int("bytes 4 to 7", loads.argument.zero_padding, 0);
}

CASE(
    loader_gets_clean_bytes, .clauses = {ANY_1},
    .title = "the padding of a loader's argument is zero where its value is more than a few octets")
{
  AnyLoads loads = {.iut = iut};
  enter_function(iut, "ffi.Module.load_from_bytes.conform_any", &loads, load_anything);
  LibraryBinBytes kind = BYTES("conform_any"), value = BYTES("more than a few octets");
  TVMFFIObjectHandle root = load_payload(iut, payload_of_one(kind, value));
  release_object(iut, root);
  require(expect_int("calls of the loader", loads.calls, 1));
  if (loads.type_index == kTVMFFISmallBytes || loads.type_index == kTVMFFISmallStr)
    case_not_applicable("the argument has the type of a small value");
  expect_int("bytes 4 to 7", loads.argument.zero_padding, 0);
}

CASE(loader_gets_a_large_value, .clauses = {BIN_5},
     .title = "a value of a million octets arrives whole")
{
  enum { SIZE = 1000003 };
  char *value = malloc(SIZE);
  if (!value) case_inconclusive("no memory for a value");
  for (size_t i = 0; i < SIZE; ++i) value[i] = (char)(i * 7 + i / 251);
  expect_value(iut, (LibraryBinBytes){value, SIZE});
}

// tvm-ffi's reader of strings takes 0 bytes that were read for the end of the stream.
static const struct {
  const char *name;
  unsigned empty;  // which of the three values
} empties[] = {{"first", 0}, {"between_others", 1}, {"last", 2}};

CASE_ROWS(value_may_be_empty, empties, .clauses = {BIN_6},
          .title = "a tree with an empty value loads, and the loader is given no octets")
{
  static const LibraryBinBytes node = BYTES("conform_node"), any = BYTES("conform_any");
  const uint64_t rows[] = {0, 3, 3, 3, 3}, children[] = {1, 2, 3};
  LibraryBinEntry entries[] = {{.is_library = true},
                               {.kind = node, .value = BYTES("4")},
                               {.kind = node, .value = BYTES("5")},
                               {.kind = node, .value = BYTES("6")}};
  const LibraryBin tree = {4, 3, rows, children, entries};
  AnyLoads loads = {.iut = iut, .size = 99};
  serve_nodes(iut);
  enter_function(iut, "ffi.Module.load_from_bytes.conform_any", &loads, load_anything);
  TVMFFIObjectHandle root = load_payload(iut, payload_of_tree(&tree));
  release_object(iut, root);
  note("with an empty value");
  entries[1 + row->empty].kind = any;
  entries[1 + row->empty].value = (LibraryBinBytes){"", 0};
  root = load_payload(iut, payload_of_tree(&tree));
  expect_int("calls of the loader", loads.calls, 1);
  expect_bytes_type(loads.type_index);
  expect_int("octets of the value", (int64_t)loads.size, 0);
  for (unsigned i = 0; i < 3; ++i) {
    unsigned number = i == row->empty ? 1 : 4 + i;
    char name[] = {'o', 'n', 'l', 'y', '_', (char)('0' + number), '\0'};
    expect_function(iut, root, name, true, number);
  }
  release_object(iut, root);
}

// --- Kinds ---------------------------------------------------------------------------------------

static const struct {
  const char *name;
  LibraryBinBytes kind;
} kinds[] = {
    {"one_octet", BYTES("k")},
    {"with_dots", BYTES("vendor.product.kind")},
    {"with_a_blank", BYTES("two words")},
    {"of_other_letters", BYTES("\xe6\xa8\xa1\xe5\x9d\x97")},
    {"begins_like_the_library", BYTES("_libx")},
    {"shorter_than_the_library", BYTES("_li")},
    {"library_in_capitals", BYTES("_LIB")},
    {"library_with_a_nul", BYTES("_lib\0")},
    {"nul_inside", BYTES("conform\0kind")},
    {"long", BYTES("a.kind.with.a.name.so.long.that.no.short.buffer.has.room.for.it.........."
                   "........................................................................."
                   "........................................................................."
                   "........................................................................")}};

// Enters the loader of a kind.
static void serve_kind(Iut *iut, LibraryBinBytes kind, AnyLoads *loads)
{
  char name[1024] = "ffi.Module.load_from_bytes.";
  size_t size = strlen(name);
  memcpy(name + size, kind.data, kind.size);
  TVMFFIObjectHandle function = new_function(iut, loads, load_anything, NULL);
  TVMFFIByteArray text = {name, size + kind.size};
  require(expect_ok(iut, iut->FunctionSetGlobal(&text, function, 1)));
  release_object(iut, function);
}

CASE_ROWS(kind_chooses_the_loader, kinds, .clauses = {BIN_4, BIN_7},
          .title = "the loader registered for the whole kind is called once, and its module used")
{
  AnyLoads loads = {.iut = iut};
  serve_kind(iut, row->kind, &loads);
  TVMFFIObjectHandle root =
      load_payload(iut, payload_of_one(row->kind, (LibraryBinBytes)BYTES("v")));
  expect_int("calls of the loader", loads.calls, 1);
  expect_text("the value", (TVMFFIByteArray){loads.value, loads.size}, "v");
  expect_function(iut, root, "only_1", true, 1);
  release_object(iut, root);
}

static const struct {
  const char *name;
  LibraryBinBytes kind;
} other_kinds[] = {
    {"nul_behind_it", BYTES("conform_any\0")},  {"more_behind_a_nul", BYTES("conform_any\0x")},
    {"shorter", BYTES("conform_an")},           {"longer", BYTES("conform_any.")},
    {"blank_behind_it", BYTES("conform_any ")}, {"line_end_behind_it", BYTES("conform_any\n")},
    {"blank_before_it", BYTES(" conform_any")}, {"in_capitals", BYTES("CONFORM_ANY")},
    {"nul_before_it", BYTES("\0conform_any")}};

CASE_ROWS(kind_is_compared_to_its_end, other_kinds, .clauses = {BIN_7},
          .title = "a kind that differs from a registered one in any octet is another kind")
{
  AnyLoads loads = {.iut = iut}, other = {.iut = iut};
  LibraryBinBytes value = BYTES("v");
  serve_kind(iut, (LibraryBinBytes)BYTES("conform_any"), &loads);
  Payload payload = payload_of_one((LibraryBinBytes)BYTES("conform_any"), value);
  release_object(iut, load_payload(iut, payload));
  expect_int("calls of the loader", loads.calls, 1);
  payload = payload_of_one(row->kind, value);
  Carrier broken = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle module = NULL;
  expect_error(iut, try_to_load(iut, broken.path, &module), NULL);
  note("with a loader of its own");
  serve_kind(iut, row->kind, &other);
  release_object(iut, load_path(iut, broken.path));
  expect_int("calls of the loader", loads.calls, 1);
  expect_int("calls of the other loader", other.calls, 1);
  carrier_close(&broken);
}

CASE(loader_is_looked_up_for_each_load, .clauses = {BIN_4},
     .title = "a loader that has taken the place of another is the one that is called")
{
  AnyLoads first = {.iut = iut}, second = {.iut = iut};
  LibraryBinBytes kind = BYTES("conform_any");
  Payload payload = payload_of_one(kind, (LibraryBinBytes)BYTES("v"));
  serve_kind(iut, kind, &first);
  release_object(iut, load_payload(iut, payload));
  require(expect_int("calls of the first loader", first.calls, 1));
  serve_kind(iut, kind, &second);
  release_object(iut, load_payload(iut, payload));
  expect_int("calls of the first loader", first.calls, 1);
  expect_int("calls of the second one", second.calls, 1);
}

static const struct {
  const char *name, *tree, *values;
} others_in_place[] = {{"other_values", "L:12 3 4", "34"},
                       {"values_in_another_order", "L:12 2 1", "21"},
                       {"other_imports", "L:2 1 2:1", "12"},
                       {"library_elsewhere", "1:12 L 2", "12"}};

CASE_ROWS(payload_is_read_at_each_load, others_in_place, .clauses = {BIN_4, BIN_9},
          .title = "a payload is loaded as it is where another one of its size stood before")
{
  static const char tree[] = "L:12 1 2";
  NodeLoads *loads = serve_nodes(iut);
  Payload first = payload_of(tree), second = payload_of(row->tree);
  Carrier carrier = carrier_open(first.bytes, first.size);
  TVMFFIObjectHandle root = load_path(iut, carrier.path);
  require(expect_tree(iut, root, tree));
  forget_loads(iut, loads);
  release_object(iut, root);
  note("with the other payload");
  require(expect_int("bytes of it", (int64_t)second.size, (int64_t)first.size));
  replace_payload(&carrier, &first, &second);
  root = load_path(iut, carrier.path);
  expect_text("the values", (TVMFFIByteArray){loads->values, loads->calls}, row->values);
  expect_tree(iut, root, row->tree);
  forget_loads(iut, loads);
  release_object(iut, root);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *tree, *values;
} orders[] = {{"rising", "L:1234 1 2 3 4", "1234"},
              {"falling", "L:1234 4 3 2 1", "4321"},
              {"same_node_again", "L:1234 5 5 6 5", "5565"},
              {"not_in_the_order_of_imports", "L:4 7:3 6 5:2 4:1", "7654"},
              {"around_the_library", "3:12 L:3 2 1", "321"}};

CASE_ROWS(loaders_run_in_the_order_of_the_entries, orders, .clauses = {BIN_8},
          .title = "one call for each entry, in their order, whatever the imports are")
{
  NodeLoads *loads = serve_nodes(iut);
  TVMFFIObjectHandle root = load_payload(iut, payload_of(row->tree));
  TVMFFIByteArray seen = {loads->values, loads->calls};
  expect_text("the values in the order of the calls", seen, row->values);
  release_object(iut, root);
}

// --- The context ---------------------------------------------------------------------------------

static const struct {
  const char *name, *tree;
  const char *found, *missed;  // by generated code of the library
} contexts[] = {{"root", "L:12 1 2", "only_2", "only_3"},
                {"imported", "1:13 L:2 2 3", "only_2", "only_3"},
                {"last", "1:123 2 3 L:1", "only_2", "only_3"},
                {"above_others", "1:1 L:24 2 3 4:3", "only_2", "only_1"}};

CASE_ROWS(
    context_is_that_of_the_entry, contexts, .clauses = {BIN_13},
    .title = "generated code finds what the entry of the library imports, and not what others do")
{
  serve_nodes(iut);
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  TVMFFIObjectHandle root = load_path(iut, carrier.path), found = NULL;
  void **context = carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  require(expect_not_null("the context", *context));
  require(expect_ok(iut, iut->EnvModLookupFromImports(*context, row->found, &found)));
  expect_int(row->found, integer_of(iut, found), 2);
  expect_error(iut, iut->EnvModLookupFromImports(*context, row->missed, &found), NULL);
  release_object(iut, root);
  carrier_close(&carrier);
}

static const struct {
  const char *name, *tree;
  unsigned before;  // loads before the entry of the library
} followers[] = {{"library_first", "L:12 1 2", 0}, {"library_between", "3:12 L 1", 1}};

CASE_ROWS(context_is_there_for_loaders_behind, followers, .clauses = {BIN_14},
          .title = "loaders of entries after the library find its context set")
{
  NodeLoads *loads = serve_nodes(iut);
  Payload payload = payload_of(row->tree);
  Carrier carrier = carrier_open(payload.bytes, payload.size);
  loads->context = carrier_symbol(&carrier, "__tvm_ffi__library_ctx");
  TVMFFIObjectHandle root = load_path(iut, carrier.path);
  require(expect_that(loads->calls > row->before, "loads behind the library", "%u loads",
                      loads->calls));
  for (unsigned i = row->before; i < loads->calls; ++i)
    expect_pointer("the context at a load behind the library", loads->contexts[i], *loads->context);
  expect_not_null("the context", *loads->context);
  release_object(iut, root);
  carrier_close(&carrier);
}

// --- A loader that loads -------------------------------------------------------------------------

// What it loads before it returns.
typedef struct Nesting {
  Iut *iut;
  TVMFFIObjectHandle inner;
  int64_t inner_self;
} Nesting;

static int load_while_loading(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  Nesting *nesting = self;
  (void)args, (void)num_args;
  nesting->inner = load_node(nesting->iut, 9);
  TVMFFIObjectHandle function = find_function(nesting->iut, nesting->inner, "self", false);
  nesting->inner_self = integer_of(nesting->iut, function);
  release_object(nesting->iut, function);
  *result = view_of_object(nesting->iut, load_node(nesting->iut, 1));
  return 0;
}

CASE(loader_may_load, .clauses = {BIN_15}, .wrong_call = true,
     .title = "a loader that loads and calls another library disturbs neither load")
{
  static Nesting nesting;
  nesting.iut = iut;
  enter_function(iut, "ffi.Module.load_from_bytes.conform_nest", &nesting, load_while_loading);
  LibraryBinBytes kind = BYTES("conform_nest"), value = BYTES("v");
  TVMFFIObjectHandle root = load_payload(iut, payload_of_one(kind, value));
  expect_int("what the inner library gives", nesting.inner_self, 9);
  expect_function(iut, root, "self", false, CARRIER_SELF);
  expect_function(iut, root, "only_1", true, 1);
  expect_function(iut, nesting.inner, "self", false, 9);
  release_object(iut, root);
}
