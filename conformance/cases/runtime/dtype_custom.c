// SPDX-License-Identifier: Apache-2.0
// Custom types, whose codes and names two global functions know; threads; the heap.
#include "cases/runtime/dtype_text.h"
#include "cases/runtime/function_shorthand.h"

CHAPTER(dtype);

static const char code_function[] = "dtype.get_custom_type_code";
static const char name_function[] = "dtype.get_custom_type_name";

// What the function for codes or names was asked, and what it is to answer.
typedef struct Resolver {
  Iut *iut;
  unsigned calls;
  int32_t num_args;
  char name[64];     // what was asked for
  size_t name_size;  // SIZE_MAX if it was no string
  int64_t code;
  int64_t gives_code;
  const char *gives_name;
  bool fails;
} Resolver;

static int resolver_fails(Resolver *resolver)
{
  resolver->iut->ErrorSetRaisedFromCStr("KeyError", "no such custom type");
  return -1;
}

static int resolve_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Resolver *resolver = self;
  ++resolver->calls;
  resolver->num_args = num_args;
  if (resolver->fails || num_args < 1) return resolver_fails(resolver);
  TVMFFIByteArray name = text_in(resolver->iut, &args[0]);
  bool fits = name.data && name.size < sizeof resolver->name;
  resolver->name_size = fits ? name.size : SIZE_MAX;
  if (fits) memcpy(resolver->name, name.data, name.size);
  *result = view_of_int(resolver->gives_code);
  return 0;
}

static int resolve_name(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Resolver *resolver = self;
  ++resolver->calls;
  resolver->num_args = num_args;
  if (resolver->fails || num_args < 1) return resolver_fails(resolver);
  resolver->code = args[0].type_index == kTVMFFIInt ? args[0].v_int64 : -1;
  TVMFFIByteArray name = bytes_of(resolver->gives_name);
  return resolver->iut->StringFromByteArray(&name, result);
}

// Registers the function under its name. The table keeps it until the process ends.
static void enter_resolver(Iut *iut, const char *name, TVMFFISafeCallType callback,
                           Resolver *resolver)
{
  resolver->iut = iut;
  TVMFFIObjectHandle function = new_function(iut, resolver, callback, NULL);
  TVMFFIByteArray array = bytes_of(name);
  require(expect_ok(iut, iut->FunctionSetGlobal(&array, function, 1)));
  release_object(iut, function);
}

// The function was called once more, with this name alone.
static void expect_asked_for_name(Resolver *resolver, unsigned calls, const char *name)
{
  expect_int("calls of the function", resolver->calls, calls);
  expect_int("the number of its arguments", resolver->num_args, 1);
  if (expect_that(resolver->name_size != SIZE_MAX, "a string as argument", "something else"))
    expect_memory("the name that was asked for", resolver->name, resolver->name_size, name,
                  strlen(name));
}

static const struct {
  const char *text, *name;
  DLDataType dtype;
} customs[] = {
    {"custom[posit]", "posit", {129, 32, 1}},
    {"custom[posit]16", "posit", {130, 16, 1}},
    {"custom[posit]8x4", "posit", {200, 8, 4}},
    {"custom[posit]x4", "posit", {254, 32, 4}},
    {"custom[posit]xvscalex4", "posit", {255, 32, SCALABLE(4)}},
    {"custom[]", "", {129, 32, 1}},
    {"custom[]8", "", {131, 8, 1}},
    {"custom[a longer name, with blanks & co]", "a longer name, with blanks & co", {140, 32, 1}},
    {"custom[int32]", "int32", {141, 32, 1}},
    {"custom[\xC3\xA9]64", "\xC3\xA9", {142, 64, 1}},
};
enum { CUSTOMS = sizeof customs / sizeof customs[0] };

CASE(code_of_a_custom_type_is_asked_for_by_name, .clauses = {DTYPE_30},
     .title = "custom[name] has the code that the function for codes returns for the name")
{
  Resolver resolver = {.calls = 0};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  for (unsigned i = 0; i < CUSTOMS; ++i) {
    resolver.gives_code = customs[i].dtype.code;
    resolver.calls = 0;
    expect_reads(iut, customs[i].text, customs[i].dtype);
    expect_asked_for_name(&resolver, 1, customs[i].name);
  }
  note("a type that is not custom");
  expect_reads(iut, "int32", (DLDataType){0, 32, 1});
  expect_int("calls of the function", resolver.calls, 1);
}

CASE(every_code_can_be_a_custom_type, .clauses = {DTYPE_30},
     .title = "the function for codes may return any code from 129 to 255")
{
  Resolver resolver = {.calls = 0};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  for (unsigned code = 129; code <= 255; ++code) {
    resolver.gives_code = code;
    expect_reads(iut, "custom[a]8x2", (DLDataType){(uint8_t)code, 8, 2});
  }
}

CASE(custom_type_has_nothing_behind_it, .clauses = {DTYPE_14}, .wrong_call = true,
     .title = "custom[name] with something after it is refused, whatever code it has")
{
  static const char *const texts[] = {"custom[posit]8 ", "custom[posit]]", "custom[posit]posit",
                                      "custom[posit]8x4x4"};
  Resolver resolver = {.gives_code = 129};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) expect_refused(iut, texts[i]);
  expect_reads(iut, "custom[posit]8x4", (DLDataType){129, 8, 4});
}

CASE(numbers_of_a_custom_type_are_in_range, .clauses = {DTYPE_15}, .wrong_call = true,
     .title = "custom[name] with bits or lanes out of range is refused, whatever code it has")
{
  static const char *const texts[] = {"custom[posit]256",        "custom[posit]65544",
                                      "custom[posit]x65536",     "custom[posit]8x65537",
                                      "custom[posit]8x0",        "custom[posit]8x",
                                      "custom[posit]256x4",      "custom[posit]xvscalex0",
                                      "custom[posit]4294967304", "custom[posit] 8"};
  Resolver resolver = {.gives_code = 129};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) expect_refused(iut, texts[i]);
  expect_reads(iut, "custom[posit]255x65535", (DLDataType){129, 255, 65535});
}

static const struct {
  DLDataType dtype;
  const char *name, *text;
} named[] = {
    {{129, 32, 1}, "posit", "custom[posit]"},
    {{255, 32, 1}, "", "custom[]"},
    {{200, 32, 4}, "posit", "custom[posit]x4"},
    {{201, 32, 32767},
     "a longer name, with blanks & co",
     "custom[a longer name, with blanks & co]x32767"},
    {{202, 32, SCALABLE(4)}, "posit", "custom[posit]xvscalex4"},
    {{203, 32, SCALABLE(32768)}, "\xC3\xA9", "custom[\xC3\xA9]xvscalex32768"},
};

CASE(name_of_a_custom_type_is_asked_for_by_code, .clauses = {DTYPE_31},
     .title = "codes from 129 on print the name that the function for names returns for them")
{
  Resolver resolver = {.calls = 0};
  enter_resolver(iut, name_function, resolve_name, &resolver);
  for (unsigned i = 0; i < sizeof named / sizeof named[0]; ++i) {
    resolver.gives_name = named[i].name;
    resolver.calls = 0;
    expect_prints(iut, named[i].dtype, named[i].text);
    expect_int("calls of the function", resolver.calls, 1);
    expect_int("the number of its arguments", resolver.num_args, 1);
    expect_int("the code that was asked for", resolver.code, named[i].dtype.code);
  }
}

CASE(custom_type_is_refused_without_a_function_for_codes, .clauses = {DTYPE_32}, .wrong_call = true,
     .title = "custom[name] is refused until the function for codes is registered")
{
  for (int i = 0; i < 3; ++i) {
    expect_refused(iut, "custom[posit]");
    expect_refused(iut, "custom[posit]16x4");
  }
  Resolver resolver = {.gives_code = 129};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  expect_reads(iut, "custom[posit]", (DLDataType){129, 32, 1});
  expect_int("calls of the function", resolver.calls, 1);
}

CASE(custom_type_is_not_printed_without_a_function_for_names, .clauses = {DTYPE_32},
     .wrong_call = true,
     .title = "codes from 129 on are refused until the function for names is registered")
{
  static const uint8_t codes[] = {129, 200, 255};
  TVMFFIAny before = garbage_but_none();
  for (int i = 0; i < 3; ++i) {
    TVMFFIAny printed = before;
    note("printing code %d", codes[i]);
    expect_error(iut, iut->DataTypeToString(&(DLDataType){codes[i], 32, 1}, &printed),
                 "ValueError");
  }
  Resolver resolver = {.gives_name = "posit"};
  enter_resolver(iut, name_function, resolve_name, &resolver);
  expect_prints(iut, (DLDataType){129, 32, 1}, "custom[posit]");
  expect_int("calls of the function", resolver.calls, 1);
}

// The call failed, and the error is the one that the function raised.
static void expect_arrives(Iut *iut, int code)
{
  expect_that(code != 0, "a call that fails", "it returned 0");
  TVMFFIObjectHandle error = take_error(iut);
  if (!expect_not_null("the error that is raised", error)) return;
  expect_text("its kind", error_cell(iut, error)->kind, "KeyError");
  expect_text("its message", error_cell(iut, error)->message, "no such custom type");
  release_object(iut, error);
}

CASE(error_of_the_function_for_codes_arrives, .clauses = {DTYPE_33, DTYPE_19},
     .title = "when the function for codes fails, its error is raised and nothing is written")
{
  Resolver resolver = {.fails = true, .gives_code = 129};
  enter_resolver(iut, code_function, resolve_code, &resolver);
  const DLDataType before = {0x5A, 0x96, 0x3C69};
  DLDataType dtype = before;
  expect_arrives(iut, iut->DataTypeFromString(dtype_text_at_end("custom[a]8", 10, true), &dtype));
  expect_dtype(dtype, before);
  resolver.fails = false;
  expect_reads(iut, "custom[a]8", (DLDataType){129, 8, 1});
}

CASE(error_of_the_function_for_names_arrives, .clauses = {DTYPE_33},
     .title = "when the function for names fails, its error is raised")
{
  Resolver resolver = {.fails = true, .gives_name = "a"};
  enter_resolver(iut, name_function, resolve_name, &resolver);
  TVMFFIAny printed = garbage_but_none();
  expect_arrives(iut, iut->DataTypeToString(&(DLDataType){129, 32, 1}, &printed));
  resolver.fails = false;
  expect_prints(iut, (DLDataType){129, 32, 1}, "custom[a]");
}

//--------------------------------------------------------------------------------------------------
// Threads and the heap
//--------------------------------------------------------------------------------------------------

// Each thread reads and prints data types of its own.
static void read_and_print(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  char text[32];
  for (unsigned i = 0; i < 100; ++i) {
    DLDataType expected = {0, (uint8_t)(8 + index), (uint16_t)(2 + i)}, read = {0, 0, 0};
    size_t size = (size_t)snprintf(text, sizeof text, "int%ux%u", 8 + index, 2 + i);
    TVMFFIAny printed = any_none();
    int code = iut->DataTypeFromString(&(TVMFFIByteArray){text, size}, &read);
    if (!expect_int("what reading returned", code, 0) || !expect_dtype(read, expected)) return;
    code = iut->DataTypeToString(&expected, &printed);
    if (!expect_int("what printing returned", code, 0)) return;
    TVMFFIByteArray seen = text_in(iut, &printed);
    if (!expect_memory("the text", seen.data, seen.size, text, size)) return;
    iut->ObjectDecRef(printed.v_obj);
  }
}

CASE(threads_read_and_print_at_once, .clauses = {DTYPE_34},
     .title = "four threads that read and print data types get the same as one after the other")
{
  run_in_threads(iut, 4, read_and_print, NULL);
}

static void read_one(Iut *iut, __attribute__((unused)) void *context)
{
  DLDataType dtype = {0};
  require(expect_ok(iut, iut->DataTypeFromString(&(TVMFFIByteArray){"float32x4", 9}, &dtype)));
  require(expect_int("lanes", dtype.lanes, 4));
}

static void refuse_one(Iut *iut, __attribute__((unused)) void *context)
{
  DLDataType dtype;
  TVMFFIByteArray text = {"a text without a data type", 26};
  require(expect_error(iut, iut->DataTypeFromString(&text, &dtype), NULL));
}

static void print_one(Iut *iut, void *dtype)
{
  TVMFFIAny printed = any_none();
  require(expect_ok(iut, iut->DataTypeToString(dtype, &printed)));
  require(expect_that(printed.type_index != kTVMFFINone, "a text", "None"));
  release_any(iut, &printed);
}

CASE(data_types_leave_no_memory_behind, .clauses = {DTYPE_35},
     .title = "reading, refusing and printing does not leak")
{
  note("reading");
  expect_no_heap_growth(iut, 100, read_one, NULL);
  note("refusing");
  expect_no_heap_growth(iut, 100, refuse_one, NULL);
  note("printing");
  expect_no_heap_growth(iut, 100, print_one, &(DLDataType){2, 32, 4});
}

CASE(custom_types_leave_no_memory_behind, .clauses = {DTYPE_35, DTYPE_31},
     .title = "printing custom types with long names does not leak")
{
  Resolver resolver = {.gives_name = "a name that fits into no small string"};
  enter_resolver(iut, name_function, resolve_name, &resolver);
  expect_no_heap_growth(iut, 100, print_one, &(DLDataType){129, 32, 4});
  expect_int("calls of the function", resolver.calls, 164);
}
