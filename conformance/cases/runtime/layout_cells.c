// SPDX-License-Identifier: Apache-2.0
// Where the cells behind an object's header have their fields. Offsets stand here as numbers.
#include <stdio.h>

#include "battery/battery.h"

CHAPTER(layout);

// An offset where pointers have 64 bits, and where they have 32.
#define AT(wide, narrow) (sizeof(void *) == 8 ? (wide) : (narrow))

enum { POINTER = sizeof(void *), ARRAY = sizeof(TVMFFIByteArray) };

// "bytes 32 to 39, the size": how cases call the field that lies there. Good until four others were
// asked for.
static const char *place(size_t offset, size_t size, const char *name)
{
  static char texts[4][80];
  static unsigned turn;
  char *text = texts[turn++ % 4];
  snprintf(text, sizeof texts[0], "bytes %zu to %zu, %s", offset, offset + size - 1, name);
  return text;
}

static const void *pointer_at(const void *object, size_t offset)
{
  const void *pointer;
  memcpy(&pointer, (const char *)object + offset, sizeof pointer);
  return pointer;
}

static TVMFFIByteArray array_at(const void *object, size_t offset)
{
  TVMFFIByteArray array;
  memcpy(&array.data, (const char *)object + offset, sizeof array.data);
  memcpy(&array.size, (const char *)object + offset + AT(8, 4), sizeof array.size);
  return array;
}

// Leaves freed blocks of the sizes that errors and functions may have full of garbage.
static void dirty_heap(void)
{
  enum { EACH = 12, FIRST = 7 };
  static void *blocks[EACH];
  void *(*volatile dirty)(void *, int, size_t) = memset;
  for (size_t size = 48; size < 400; size += 16) {
    for (int i = 0; i < EACH; ++i)
      if ((blocks[i] = malloc(size))) dirty(blocks[i], 0xA5, size);
    for (int i = 0; i < EACH; ++i) free(blocks[i]);
    for (int i = 0; i < FIRST; ++i) blocks[i] = malloc(size);
  }
}

// --- Strings and bytes ---------------------------------------------------------------------------

static int string_of_array(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return iut->StringFromByteArray(input, out);
}

static int bytes_of_array(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return iut->BytesFromByteArray(input, out);
}

static int string_of_view(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIAny view = view_of_raw_string(input->data);
  return iut->AnyViewToOwnedAny(&view, out);
}

static int bytes_of_view(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIAny view = view_of_byte_array(input);
  return iut->AnyViewToOwnedAny(&view, out);
}

static const struct {
  const char *name;
  int (*make)(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out);
} strings[] = {
    {"string", string_of_array},
    {"bytes", bytes_of_array},
    {"string-of-view", string_of_view},
    {"bytes-of-view", bytes_of_view},
};

CASE_ROWS(string_cell_holds_data_and_size, strings, .clauses = {LAY_10},
          .title = "a string or bytes object has its data, and then its size, after its header")
{
  static const char text[] = "nineteen characters";
  TVMFFIByteArray input = bytes_of(text);
  TVMFFIAny made = any_none();
  require(expect_ok(iut, row->make(iut, &input, &made)));
  require(expect_that(made.type_index >= kTVMFFIStaticObjectBegin, "an object", "type index %d",
                      made.type_index));
  TVMFFIByteArray cell = array_at(made.v_obj, 24);
  require(expect_int(place(AT(32, 28), sizeof cell.size, "the size"), (int64_t)cell.size, 19));
  expect_memory("what the pointer at 24 points to", cell.data, 19, text, 19);
}

// --- Errors --------------------------------------------------------------------------------------

static TVMFFIObjectHandle make_error(Iut *iut)
{
  return new_error(iut, "KindOfError", "the message", "the backtrace");
}

CASE(error_cell_holds_three_texts, .clauses = {LAY_11},
     .title = "an error has its kind, its message and its backtrace after its header")
{
  TVMFFIObjectHandle error = make_error(iut);
  expect_text(place(24, ARRAY, "the kind"), array_at(error, 24), "KindOfError");
  expect_text(place(AT(40, 32), ARRAY, "the message"), array_at(error, AT(40, 32)), "the message");
  expect_text(place(AT(56, 40), ARRAY, "the backtrace"), array_at(error, AT(56, 40)),
              "the backtrace");
}

CASE(error_cell_of_raised_error_holds_its_texts, .clauses = {LAY_11},
     .title =
         "an error that was raised from C strings has its kind and its message after its header")
{
  iut->ErrorSetRaisedFromCStr("KindOfError", "the message");
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  expect_text(place(24, ARRAY, "the kind"), array_at(error, 24), "KindOfError");
  expect_text(place(AT(40, 32), ARRAY, "the message"), array_at(error, AT(40, 32)), "the message");
}

CASE(error_cell_updates_its_backtrace, .clauses = {LAY_11},
     .title = "the function after the texts of an error replaces its backtrace")
{
  TVMFFIObjectHandle error = make_error(iut);
  require(
      expect_not_null(place(AT(72, 48), POINTER, "the function"), pointer_at(error, AT(72, 48))));
  void (*update)(TVMFFIObjectHandle, const TVMFFIByteArray *, int32_t);
  memcpy(&update, (char *)error + AT(72, 48), sizeof update);
  TVMFFIByteArray text = bytes_of("another backtrace, longer than the one before");
  note("calling the function at offset %d of an error", AT(72, 48));
  update(error, &text, kTVMFFIBacktraceUpdateModeReplace);
  expect_text(place(AT(56, 40), ARRAY, "the backtrace"), array_at(error, AT(56, 40)), text.data);
  expect_text(place(AT(40, 32), ARRAY, "the message"), array_at(error, AT(40, 32)), "the message");
}

// Source: tvm-ffi#592 and #464: the cell grew by these two fields, and code that did not fill them
// crashed.
CASE(error_cell_ends_with_cause_and_context, .clauses = {LAY_12},
     .title = "an error has its cause, and then its extra context, at the end of its cell")
{
  TVMFFIByteArray kind = bytes_of("KindOfError"), message = bytes_of("the message"),
                  backtrace = bytes_of("");
  TVMFFIObjectHandle cause = make_error(iut), context = new_probe_object(iut), error = NULL;
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace,
                                                                  cause, context, &error)));
  expect_pointer(place(AT(80, 52), POINTER, "the cause"), pointer_at(error, AT(80, 52)), cause);
  expect_pointer(place(AT(88, 56), POINTER, "the extra context"), pointer_at(error, AT(88, 56)),
                 context);
}

static TVMFFIObjectHandle make_error_without_cause(Iut *iut)
{
  TVMFFIByteArray kind = bytes_of("KindOfError"), message = bytes_of("the message"),
                  backtrace = bytes_of("");
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, NULL,
                                                                  NULL, &error)));
  return error;
}

static TVMFFIObjectHandle make_raised_error(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("KindOfError", "the message");
  return take_error(iut);
}

static TVMFFIObjectHandle make_raised_error_of_parts(Iut *iut)
{
  const char *parts[] = {"the ", "message"};
  iut->ErrorSetRaisedFromCStrParts("KindOfError", parts, 2);
  return take_error(iut);
}

// What a runtime raises by itself.
static TVMFFIObjectHandle make_error_of_runtime(Iut *iut)
{
  TVMFFIByteArray name = bytes_of("conform.layout.taken");
  TVMFFIObjectHandle function = new_function_object(iut);
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, function, 0)));
  expect_int("code of a name that is taken", iut->FunctionSetGlobal(&name, function, 0), -1);
  return take_error(iut);
}

static const struct {
  const char *name;
  TVMFFIObjectHandle (*make)(Iut *iut);
} errors[] = {
    {"created", make_error},
    {"created-without-cause", make_error_without_cause},
    {"raised", make_raised_error},
    {"raised-of-parts", make_raised_error_of_parts},
    {"of-the-runtime", make_error_of_runtime},
};

CASE_ROWS(error_cell_without_cause_and_context, errors, .clauses = {LAY_12},
          .title = "a cause and an extra context that are missing are NULL")
{
  dirty_heap();
  TVMFFIObjectHandle error = row->make(iut);
  require(expect_not_null("the error", error));
  expect_pointer(place(AT(80, 52), POINTER, "the cause"), pointer_at(error, AT(80, 52)), NULL);
  expect_pointer(place(AT(88, 56), POINTER, "the extra context"), pointer_at(error, AT(88, 56)),
                 NULL);
}

// --- Functions -----------------------------------------------------------------------------------

// Calls a function through the pointer at offset 24, as bindings do it.
static int call_inline(TVMFFIObjectHandle function, TVMFFIAny *args, int32_t count,
                       TVMFFIAny *result)
{
  require(expect_not_null(place(24, POINTER, "the safe call"), pointer_at(function, 24)));
  TVMFFISafeCallType safe_call;
  memcpy(&safe_call, (char *)function + 24, sizeof safe_call);
  note("calling the function at offset 24 of a function object");
  return safe_call(function, args, count, result);
}

CASE(function_cell_holds_the_safe_call, .clauses = {LAY_13},
     .title = "the pointer at offset 24 of a function calls it")
{
  TVMFFIObjectHandle function = new_function(iut, NULL, call_log_callee_without_self, NULL);
  call_log_without_self.gives = true;
  call_log_without_self.give = view_of_int(11);
  TVMFFIAny args = view_of_int(5), *result = fenced_result();
  int returned = call_inline(function, fenced_args(&args, 1), 1, result);
  require(expect_ok(iut, returned));
  expect_int("calls of the callback", call_log_without_self.calls, 1);
  expect_int("arguments that it was given", call_log_without_self.num_args, 1);
  expect_same_bytes(result, &call_log_without_self.give);
}

CASE(function_cell_of_closure_holds_the_safe_call, .clauses = {LAY_13},
     .title = "the pointer at offset 24 of a closure calls it with its self")
{
  CallLog log = {.gives = true, .give = view_of_int(12)};
  TVMFFIObjectHandle function = new_function(iut, &log, call_log_callee, call_log_delete);
  TVMFFIAny *result = fenced_result();
  int returned = call_inline(function, NULL, 0, result);
  require(expect_ok(iut, returned));
  expect_int("calls of the callback", log.calls, 1);
  expect_same_bytes(result, &log.give);
  release_object(iut, function);
  expect_int("calls of the deleter", log.deleted, 1);
}

CASE(function_cell_of_global_holds_the_safe_call, .clauses = {LAY_13},
     .title = "the pointer at offset 24 of a function that was looked up calls it")
{
  CallLog log = {.gives = true, .give = view_of_int(13)};
  TVMFFIObjectHandle function = NULL, found = NULL;
  TVMFFIByteArray name = bytes_of("conform.layout.found");
  require(expect_ok(iut, iut->FunctionCreate(&log, call_log_callee, NULL, &function)));
  require(expect_ok(iut, iut->FunctionSetGlobal(&name, function, 0)));
  require(expect_ok(iut, iut->FunctionGetGlobal(&name, &found)));
  require(expect_not_null("the function that was looked up", found));
  TVMFFIAny *result = fenced_result();
  int returned = call_inline(found, NULL, 0, result);
  require(expect_ok(iut, returned));
  expect_same_bytes(result, &log.give);
}

static const struct {
  const char *name;
  bool has_self;
  bool has_deleter;
} callbacks[] = {
    {"plain", false, false},
    {"with-self", true, false},
    {"with-deleter", false, true},
    {"with-self-and-deleter", true, true},
};

static void delete_nothing(void *self)
{
  (void)self;
}

// tvm-ffi#71: consumers must take functions without it.
CASE_ROWS(function_cell_has_no_cpp_call, callbacks, .clauses = {LAY_14},
          .title = "a function made of a C callback has NULL after its safe call")
{
  static CallLog log;
  dirty_heap();
  TVMFFIObjectHandle function = new_function(iut, row->has_self ? &log : NULL, call_log_callee,
                                             row->has_deleter ? delete_nothing : NULL);
  expect_pointer(place(AT(32, 28), POINTER, "the C++ call"), pointer_at(function, AT(32, 28)),
                 NULL);
}

// --- Opaque objects ------------------------------------------------------------------------------

static const struct {
  const char *name;
  void *handle;
} opaque_handles[] = {
    {"address", &call_log_without_self},
    {"null", NULL},
    {"no-address", (void *)UINTPTR_MAX},
};

CASE_ROWS(opaque_cell_holds_the_handle, opaque_handles, .clauses = {LAY_15},
          .title = "an opaque object has at offset 24 the pointer that it was created with")
{
  dirty_heap();
  TVMFFIObjectHandle object = new_opaque(iut, row->handle, delete_nothing);
  expect_pointer(place(24, POINTER, "the handle"), pointer_at(object, 24), row->handle);
}

// --- Method descriptions -------------------------------------------------------------------------

// A description of 72 bytes, or 48, that ends where the mapped memory ends, written by offsets.
static const TVMFFIMethodInfo *fenced_method_info(const char *name, TVMFFIObjectHandle function)
{
  char bytes[AT(72, 48)];
  memset(bytes, 0, sizeof bytes);
  TVMFFIByteArray texts[] = {bytes_of(name), bytes_of("a doc"), bytes_of("{}")};
  for (size_t i = 0; i < 3; ++i) memcpy(bytes + AT(16, 8) * i, &texts[i], AT(16, 8));
  memcpy(bytes + AT(56, 32), &(int32_t){kTVMFFIFunction}, 4);
  memcpy(bytes + AT(64, 40), &function, sizeof function);
  return fenced_copy("the method description", bytes, sizeof bytes);
}

CASE(method_info_is_72_bytes, .clauses = {LAY_16},
     .title = "a method description has its name at its beginning and its method at its end")
{
  TVMFFIObjectHandle function = NULL, found = NULL;
  require(expect_ok(iut, iut->FunctionCreate(NULL, call_log_callee_without_self, NULL, &function)));
  note("registering a method description that ends at an unmapped page");
  require(expect_ok(iut, iut->FunctionSetGlobalFromMethodInfo(
                             fenced_method_info("conform.layout.method", function), 0)));
  TVMFFIByteArray name = bytes_of("conform.layout.method"), doc = bytes_of("a doc");
  require(expect_ok(iut, iut->FunctionGetGlobal(&name, &found)));
  expect_pointer("the function under the name at offset 0", found, function);
  require(expect_ok(iut, iut->FunctionGetGlobal(&doc, &found)));
  expect_pointer("a function under the text behind the name", found, NULL);
}
