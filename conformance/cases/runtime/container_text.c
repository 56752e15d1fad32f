// SPDX-License-Identifier: Apache-2.0
// ffi.String and ffi.Bytes.
#include "cases/runtime/container_calling.h"

CHAPTER(container);

static const struct {
  const char *name;
  const char *function;
  int32_t heap, small;
} texts[] = {{"string", "ffi.String", kTVMFFIStr, kTVMFFISmallStr},
             {"bytes", "ffi.Bytes", kTVMFFIBytes, kTVMFFISmallBytes}};

// What borrows a text of this kind: a C string, or a byte array, which `array` is made.
static TVMFFIAny view_of_text(bool is_string, const char *text, TVMFFIByteArray *array)
{
  if (is_string) return view_of_raw_string(fenced_string(text));
  size_t size = strlen(text);
  *array = (TVMFFIByteArray){fenced_copy("the bytes", text, size), size};
  return view_of_byte_array(array);
}

CASE_ROWS(text_is_given_back_owned, texts, .clauses = {CON_53},
          .title = "a small or borrowed text is given back as an owned value of the same content")
{
  static const char *const contents[] = {"", "a", "exactly", "eight by", "longer than a small one"};
  bool is_string = row->heap == kTVMFFIStr;
  for (unsigned i = 0; i < 5; ++i) {
    TVMFFIByteArray array;
    size_t size = strlen(contents[i]);
    note("borrowed, %zu bytes", size);
    TVMFFIAny view = view_of_text(is_string, contents[i], &array);
    TVMFFIAny value = value_of(iut, row->function, fenced_args(&view, 1), 1);
    if (size > 7 && is_string) expect_heap_string(iut, &value, contents[i], size);
    if (size > 7 && !is_string) expect_heap_bytes(iut, &value, contents[i], size);
    TVMFFIAny small = view_of_small(row->small, contents[i], size > 7 ? 0 : size);
    if (size <= 7) expect_same_bytes(&value, &small);
    release_any(iut, &value);
    expect_gives(iut, small, row->function, VALUES(small));
  }
}

CASE_ROWS(text_object_is_shared, texts, .clauses = {CON_53},
          .title = "a text object is given back as the same object, with one reference more")
{
  TVMFFIAny text = new_text(iut, row->heap, "longer than a small one");
  ExpectedCounts before = counts_of(iut, text.v_obj);
  TVMFFIAny value = value_of(iut, row->function, VALUES(text));
  expect_pointer("the object that is given back", value.v_obj, text.v_obj);
  expect_same_bytes(&value, &text);
  expect_counts_added(iut, text.v_obj, before, 1);
  release_any(iut, &value);
  expect_counts_added(iut, text.v_obj, before, 0);
  release_any(iut, &text);
}

CASE_ROWS(what_is_no_text_is_refused, texts, .clauses = {CON_54}, .wrong_call = true,
          .title = "a text of the other kind, a number or None raises a TypeError")
{
  bool is_string = row->heap == kTVMFFIStr;
  TVMFFIAny good = new_text(iut, row->heap, "longer than a small one");
  TVMFFIAny other = new_text(iut, is_string ? kTVMFFIBytes : kTVMFFIStr, "12345678");
  TVMFFIByteArray array;
  const TVMFFIAny others[] = {
      any_none(),
      view_of_int(1),
      view_of_bool(true),
      view_of_float(1),
      other,
      view_of_text(!is_string, "borrowed", &array),
      view_of_small(is_string ? kTVMFFISmallBytes : kTVMFFISmallStr, "s", 1)};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    note("a value of type index %d", others[i].type_index);
    expect_refused(iut, "TypeError", row->function, VALUES(others[i]));
  }
  TVMFFIAny value = value_of(iut, row->function, VALUES(good));
  release_any(iut, &value);
  release_any(iut, &good);
  release_any(iut, &other);
}
