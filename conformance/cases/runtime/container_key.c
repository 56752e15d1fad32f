// SPDX-License-Identifier: Apache-2.0
// When two values are the same key: in maps and dicts, and where arrays and lists are searched.
#include "cases/runtime/container_map.h"

CHAPTER(container);

// --- Pairs of values -----------------------------------------------------------------------------

// One side of a pair. Texts in an object lie in an object made here, so that it can be of any size.
typedef struct Side {
  enum { PLAIN, BORROWED, SMALL, OBJECT } form;
  int32_t type_index;  // of a plain value; of a text: kTVMFFIStr or kTVMFFIBytes
  uint64_t bits;
  const char *text;
  size_t size;
} Side;

typedef struct Pair {
  const char *name;
  bool same;
  Side left, right;
} Pair;

#define FLOAT(bits)                    \
  {                                    \
    PLAIN, kTVMFFIFloat, bits, NULL, 0 \
  }
#define INT(bits)                    \
  {                                  \
    PLAIN, kTVMFFIInt, bits, NULL, 0 \
  }
#define DTYPE(bits)                       \
  {                                       \
    PLAIN, kTVMFFIDataType, bits, NULL, 0 \
  }
#define DEVICE(bits)                    \
  {                                     \
    PLAIN, kTVMFFIDevice, bits, NULL, 0 \
  }
#define POINTER(bits)                      \
  {                                        \
    PLAIN, kTVMFFIOpaquePtr, bits, NULL, 0 \
  }

static const Pair plain_pairs[] = {
    {"zero-and-minus-zero", false, FLOAT(0), FLOAT(UINT64_C(1) << 63)},
    {"minus-zero-twice", true, FLOAT(UINT64_C(1) << 63), FLOAT(UINT64_C(1) << 63)},
    {"nan-twice", true, FLOAT(0x7ff8000000000000), FLOAT(0x7ff8000000000000)},
    {"nan-with-payload-twice", true, FLOAT(0xfff0000000000123), FLOAT(0xfff0000000000123)},
    {"two-nans", false, FLOAT(0x7ff8000000000000), FLOAT(0x7ff8000000000001)},
    {"integers-equal-in-the-lower-half", false, INT(5), INT(0x100000005)},
    {"integers-beyond-2-to-the-53", false, INT(0x20000000000000), INT(0x20000000000001)},
    {"smallest-integer-twice", true, INT(UINT64_C(1) << 63), INT(UINT64_C(1) << 63)},
    {"data-types-of-other-lanes", false, DTYPE(0x00012002), DTYPE(0x00022002)},
    {"data-type-twice", true, DTYPE(0x00012002), DTYPE(0x00012002)},
    {"devices-of-another-id", false, DEVICE(0x0000000000000002), DEVICE(0x0000000100000002)},
    {"device-twice", true, DEVICE(0x0000000100000002), DEVICE(0x0000000100000002)},
    {"null-pointers", true, POINTER(0), POINTER(0)},
    {"pointers", false, POINTER(0x1000), POINTER(0x1008)},
};

#define TEXT(form, text)                       \
  {                                            \
    form, kTVMFFIStr, 0, text, sizeof text - 1 \
  }
#define DATA(form, text)                         \
  {                                              \
    form, kTVMFFIBytes, 0, text, sizeof text - 1 \
  }
#define SIXTYFOUR "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const Pair text_pairs[] = {
    {"small-and-object", true, TEXT(SMALL, "int8"), TEXT(OBJECT, "int8")},
    {"object-and-small", true, TEXT(OBJECT, "exactly"), TEXT(SMALL, "exactly")},
    {"small-and-raw", true, TEXT(SMALL, "int8"), TEXT(BORROWED, "int8")},
    {"object-and-raw", true, TEXT(OBJECT, "eight by"), TEXT(BORROWED, "eight by")},
    {"short-objects", true, TEXT(OBJECT, "int8"), TEXT(OBJECT, "int8")},
    {"long-objects", true, TEXT(OBJECT, SIXTYFOUR), TEXT(OBJECT, SIXTYFOUR)},
    {"long-object-and-raw", true, TEXT(OBJECT, SIXTYFOUR "!"), TEXT(BORROWED, SIXTYFOUR "!")},
    {"empty-small-and-object", true, TEXT(SMALL, ""), TEXT(OBJECT, "")},
    {"nul-inside", true, TEXT(SMALL, "a\0b"), TEXT(OBJECT, "a\0b")},
    {"differ-behind-a-nul", false, TEXT(SMALL, "a\0b"), TEXT(OBJECT, "a\0c")},
    {"long-differ-behind-a-nul", false, TEXT(OBJECT, "12345678\0b"), TEXT(OBJECT, "12345678\0c")},
    {"longer-by-a-nul", false, TEXT(SMALL, "ab"), TEXT(SMALL, "ab\0")},
    {"object-longer-by-a-nul", false, TEXT(OBJECT, "12345678"), TEXT(OBJECT, "12345678\0")},
    {"beginning", false, TEXT(OBJECT, SIXTYFOUR), TEXT(OBJECT, SIXTYFOUR "!")},
    {"differ-in-the-last-byte", false, TEXT(OBJECT, SIXTYFOUR "?"), TEXT(OBJECT, SIXTYFOUR "!")},
    {"differ-in-the-first-byte", false, TEXT(OBJECT, "!" SIXTYFOUR), TEXT(OBJECT, "?" SIXTYFOUR)},
    {"case-matters", false, TEXT(SMALL, "Int8"), TEXT(SMALL, "int8")},
    {"small-bytes-and-object", true, DATA(SMALL, "\xff\0x"), DATA(OBJECT, "\xff\0x")},
    {"bytes-object-and-array", true, DATA(OBJECT, "eight\0by"), DATA(BORROWED, "eight\0by")},
    {"small-bytes-and-array", true, DATA(SMALL, "bytes"), DATA(BORROWED, "bytes")},
    {"other-bytes", false, DATA(SMALL, "bytes"), DATA(OBJECT, "bytez")},
    {"text-and-bytes", false, TEXT(SMALL, "same"), DATA(SMALL, "same")},
    {"text-and-bytes-objects", false, TEXT(OBJECT, SIXTYFOUR), DATA(OBJECT, SIXTYFOUR)},
};

enum {
  PLAIN_PAIRS = sizeof plain_pairs / sizeof plain_pairs[0],
  TEXT_PAIRS = sizeof text_pairs / sizeof text_pairs[0]
};

// A view of this side. Nothing needs to be released: what it views is static or not the library's.
static TVMFFIAny view_of_side(Iut *iut, const Side *side)
{
  bool is_string = side->type_index == kTVMFFIStr;
  if (side->form == PLAIN) return view_of_bits(side->type_index, side->bits);
  if (side->form == SMALL)
    return view_of_small(is_string ? kTVMFFISmallStr : kTVMFFISmallBytes, side->text, side->size);
  if (side->form == BORROWED && is_string) return view_of_raw_string(side->text);
  if (side->form == BORROWED) return view_of_byte_array(fenced_bytes(side->text, side->size));
  TVMFFIObjectHandle object = new_probe_object_of(iut, side->type_index);
  TVMFFIByteArray *cell = object_body(iut, object);
  *cell = (TVMFFIByteArray){side->text, side->size};
  return view_of_object(iut, object);
}

// Whether the key on the right finds what the key on the left put in, in a map of `others` + 1.
static void expect_pair_in_map(Iut *iut, const MapKind *kind, const Pair *pair, int others)
{
  TVMFFIAny args[24], left = view_of_side(iut, &pair->left),
                      right = view_of_side(iut, &pair->right);
  for (int i = 0; i < others; ++i) {
    args[2 * i] = view_of_int(-1 - i);
    args[2 * i + 1] = any_none();
  }
  args[2 * others] = left;
  args[2 * others + 1] = view_of_int(77);
  TVMFFIAny map = value_of(iut, kind->make, args, 2 * (size_t)others + 2);
  note("%s, with %d other keys: the key itself", pair->name, others);
  expect_entry(iut, kind, map, left, view_of_int(77));
  note("%s, with %d other keys: the second of the pair", pair->name, others);
  if (pair->same)
    expect_entry(iut, kind, map, right, view_of_int(77));
  else
    expect_gives(iut, view_of_int(0), kind->count, VALUES(map, right));
  release_any(iut, &map);
}

CASE_ROWS(plain_values_are_compared_by_their_bytes, plain_pairs, .clauses = {CON_39},
          .title = "plain values of one type are the same key if their 16 bytes are")
{
  expect_pair_in_map(iut, &the_map, row, 0);
  expect_pair_in_map(iut, &the_map, row, 10);
}

CASE_ROWS(texts_are_compared_by_content, text_pairs, .clauses = {CON_40},
          .title = "texts are the same key if they read the same, small, raw or in an object")
{
  expect_pair_in_map(iut, &the_map, row, 0);
  expect_pair_in_map(iut, &the_map, row, 10);
}

// --- Other types, same payload -------------------------------------------------------------------

static void types_are_different_keys(Iut *iut, const MapKind *kind)
{
  TVMFFIAny keys[] = {any_none(),
                      view_of_int(0),
                      view_of_bool(false),
                      view_of_float(0),
                      view_of_bits(kTVMFFIOpaquePtr, 0),
                      view_of_bits(kTVMFFIDataType, 0),
                      view_of_bits(kTVMFFIDevice, 0),
                      view_of_small_string(""),
                      view_of_small(kTVMFFISmallBytes, "", 0),
                      view_of_int(1),
                      view_of_bool(true),
                      view_of_float(1),
                      view_of_bits(kTVMFFIFloat, 1),
                      view_of_bits(kTVMFFIOpaquePtr, 1),
                      view_of_bits(kTVMFFIDataType, 1),
                      view_of_bits(kTVMFFIDevice, 1),
                      view_of_small_string("\1"),
                      view_of_small(kTVMFFISmallBytes, "\1", 1)};
  enum { COUNT = sizeof keys / sizeof keys[0] };
  TVMFFIAny args[2 * COUNT];
  for (int i = 0; i < COUNT; ++i) args[2 * i] = keys[i], args[2 * i + 1] = view_of_int(50 + i);
  TVMFFIAny map = value_of(iut, kind->make, args, 2 * COUNT);
  expect_gives(iut, view_of_int(COUNT), kind->size, VALUES(map));
  for (int i = 0; i < COUNT; ++i) {
    note("key %d, of type index %d", i, keys[i].type_index);
    expect_entry(iut, kind, map, keys[i], view_of_int(50 + i));
    TVMFFIAny alone = value_of(iut, kind->make, VALUES(keys[(i + 1) % COUNT], any_none()));
    expect_gives(iut, view_of_int(0), kind->count, VALUES(alone, keys[i]));
    release_any(iut, &alone);
  }
  release_any(iut, &map);
}

CASE(values_of_other_types_are_other_keys, .clauses = {CON_38},
     .title = "keys of different types are different keys, also where their payloads are equal")
{
  types_are_different_keys(iut, &the_map);
}

// --- Objects -------------------------------------------------------------------------------------

static void objects_are_compared_by_identity(Iut *iut, const MapKind *kind)
{
  for (int is_shape = 0; is_shape < 2; ++is_shape) {
    const char *maker = is_shape ? "ffi.Shape" : "ffi.Array";
    TVMFFIAny first = value_of(iut, maker, VALUES(view_of_int(1), view_of_int(2)));
    TVMFFIAny second = value_of(iut, maker, VALUES(view_of_int(1), view_of_int(2)));
    TVMFFIAny third = value_of(iut, maker, VALUES(view_of_int(1), view_of_int(2)));
    bool are_shared = first.v_obj == second.v_obj || second.v_obj == third.v_obj;
    TVMFFIAny map =
        value_of(iut, kind->make, VALUES(first, view_of_int(1), second, view_of_int(2)));
    note("two of %s, of equal content", maker);
    expect_entry(iut, kind, map, second, view_of_int(2));
    if (!are_shared) {  // the library may share what never changes
      expect_gives(iut, view_of_int(2), kind->size, VALUES(map));
      expect_entry(iut, kind, map, first, view_of_int(1));
      expect_no_entry(iut, kind, map, third);
    }
    release_any(iut, &map);
    release_any(iut, &first);
    release_any(iut, &second);
    release_any(iut, &third);
  }
}

CASE(objects_are_the_same_key_if_they_are_one, .clauses = {CON_41},
     .title = "two arrays or two shapes of equal content are different keys")
{
  objects_are_compared_by_identity(iut, &the_map);
}

// Two objects of the type below are equal if the first bytes behind their headers are.
static const Iut *library;
static atomic_uint equal_calls, hash_calls;

static unsigned char first_byte(const TVMFFIAny *value)
{
  return *(const unsigned char *)object_body(library, value->v_obj);
}

static int equal_first_bytes(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self;
  atomic_fetch_add(&equal_calls, 1);
  *result = view_of_bool(count == 2 && first_byte(&args[0]) == first_byte(&args[1]));
  return 0;
}

static int hash_first_byte(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self;
  atomic_fetch_add(&hash_calls, 1);
  *result = view_of_int(count == 1 ? first_byte(&args[0]) : -1);
  return 0;
}

// Gives a type of its own the two functions; returns its index.
static int32_t new_comparable_type(Iut *iut, TVMFFISafeCallType equality, TVMFFISafeCallType hash)
{
  TVMFFIByteArray key = bytes_of("conform.Comparable");
  TVMFFIByteArray names[] = {bytes_of("__any_equal__"), bytes_of("__any_hash__")};
  TVMFFISafeCallType callbacks[] = {equality, hash};
  library = iut;
  int32_t type_index = iut->TypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  for (int i = 0; i < 2; ++i) {
    TVMFFIObjectHandle function = new_function(iut, NULL, callbacks[i], NULL);
    TVMFFIAny value = view_of_object(iut, function);
    require(expect_ok(iut, iut->TypeRegisterAttr(type_index, &names[i], &value)));
  }
  return type_index;
}

static TVMFFIAny new_comparable(Iut *iut, int32_t type_index, unsigned char content)
{
  TVMFFIObjectHandle object = new_probe_object_of(iut, type_index);
  *(unsigned char *)object_body(iut, object) = content;
  return view_of_object(iut, object);
}

static const struct {
  const char *name;
  const MapKind *kind;
  int others;
} comparable_maps[] = {{"small-map", &the_map, 0},
                       {"dense-map", &the_map, 10},
                       {"small-dict", &the_dict, 0},
                       {"dense-dict", &the_dict, 10}};

CASE_ROWS(type_brings_an_equality_of_its_own, comparable_maps, .clauses = {CON_42},
          .title =
              "objects of a type with functions for equality and hash are the same key if the "
              "first says so")
{
  TVMFFIAny args[24];
  int32_t type_index = new_comparable_type(iut, equal_first_bytes, hash_first_byte);
  TVMFFIAny left = new_comparable(iut, type_index, 'a'),
            right = new_comparable(iut, type_index, 'a');
  TVMFFIAny other = new_comparable(iut, type_index, 'b');
  size_t count = 0;
  for (int i = 0; i < 2 * row->others; ++i) args[count++] = view_of_int(i);
  args[count++] = left;
  args[count++] = view_of_int(77);
  TVMFFIAny map = value_of(iut, row->kind->make, args, count);
  expect_entry(iut, row->kind, map, left, view_of_int(77));
  expect_entry(iut, row->kind, map, right, view_of_int(77));
  expect_that(equal_calls > 0, "calls of __any_equal__", "none");
  expect_no_entry(iut, row->kind, map, other);
  if (row->others) expect_that(hash_calls > 0, "calls of __any_hash__", "none");
  args[count] = right;
  args[count + 1] = view_of_int(78);
  TVMFFIAny both = value_of(iut, row->kind->make, args, count + 2);
  expect_gives(iut, view_of_int(row->others + 1), row->kind->size, VALUES(both));
  expect_entry(iut, row->kind, both, left, view_of_int(78));
  release_any(iut, &map);
  release_any(iut, &both);
}

static bool equality_fails, hashing_fails;

static int fail_or_equal(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  if (!equality_fails) return equal_first_bytes(self, args, count, result);
  library->ErrorSetRaisedFromCStr("LookupError", "no equality today");
  return -1;
}

static int fail_or_hash(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  if (!hashing_fails) return hash_first_byte(self, args, count, result);
  library->ErrorSetRaisedFromCStr("LookupError", "no hash today");
  return -1;
}

// The call fails with the error that the function raised, and nothing comes of it.
static void expect_error_arrives(Iut *iut, const char *name, TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none(), none = any_none();
  note("%s while the function fails", name);
  expect_error(iut, call_registered(iut, &result, name, args, count), "LookupError");
  expect_same_bytes(&result, &none);
}

// Own: a map with the key, which leads to 77, and with some integers.
static TVMFFIAny new_map_with(Iut *iut, const MapKind *kind, TVMFFIAny key, int others)
{
  TVMFFIAny args[24];
  size_t count = 0;
  for (int i = 0; i < 2 * others; ++i) args[count++] = view_of_int(i);
  args[count++] = key;
  args[count++] = view_of_int(77);
  return value_of(iut, kind->make, args, count);
}

static const struct {
  const char *name;
  int others;
  bool *fails;
} failures[] = {{"equality-in-a-small-dict", 0, &equality_fails},
                {"equality-in-a-dense-dict", 10, &equality_fails},
                {"hash-in-a-dense-dict", 10, &hashing_fails}};

CASE_ROWS(error_of_an_equality_arrives, failures, .clauses = {CON_66},
          .title =
              "when the function for equality or hash fails, its error is raised, and the dict "
              "stays as it is")
{
  int32_t type_index = new_comparable_type(iut, fail_or_equal, fail_or_hash);
  TVMFFIAny key = new_comparable(iut, type_index, 'a'), twin = new_comparable(iut, type_index, 'a');
  TVMFFIAny dict = new_map_with(iut, &the_dict, key, row->others);
  expect_entry(iut, &the_dict, dict, twin, view_of_int(77));
  *row->fails = true;
  expect_error_arrives(iut, "ffi.DictGetItem", VALUES(dict, twin));
  expect_error_arrives(iut, "ffi.DictCount", VALUES(dict, twin));
  expect_error_arrives(iut, "ffi.DictSetItem", VALUES(dict, twin, view_of_int(78)));
  expect_error_arrives(iut, "ffi.DictErase", VALUES(dict, twin));
  *row->fails = false;
  expect_gives(iut, view_of_int(row->others + 1), "ffi.DictSize", VALUES(dict));
  expect_entry(iut, &the_dict, dict, twin, view_of_int(77));
  release_any(iut, &dict);
}

CASE_ROWS(error_of_an_equality_is_not_a_missing_key, comparable_maps, .clauses = {CON_67},
          .title =
              "when the function for equality fails, asking for what may be lacking fails with "
              "its error")
{
  int32_t type_index = new_comparable_type(iut, fail_or_equal, fail_or_hash);
  TVMFFIAny key = new_comparable(iut, type_index, 'a'), twin = new_comparable(iut, type_index, 'a');
  TVMFFIAny map = new_map_with(iut, row->kind, key, row->others);
  expect_gives(iut, view_of_int(77), row->kind->get_or_missing, VALUES(map, twin));
  equality_fails = true;
  expect_error_arrives(iut, row->kind->get_or_missing, VALUES(map, twin));
  equality_fails = false;
  expect_gives(iut, view_of_int(77), row->kind->get_or_missing, VALUES(map, twin));
  release_any(iut, &map);
}

static const struct {
  const char *name, *maker, *contains;
} searched[] = {{"array", "ffi.Array", "ffi.ArrayContains"},
                {"list", "ffi.List", "ffi.ListContains"}};

CASE_ROWS(error_of_an_equality_ends_the_search, searched, .clauses = {CON_66},
          .title = "when the function for equality fails, the search fails with its error")
{
  int32_t type_index = new_comparable_type(iut, fail_or_equal, fail_or_hash);
  TVMFFIAny element = new_comparable(iut, type_index, 'a'),
            twin = new_comparable(iut, type_index, 'a');
  TVMFFIAny sequence = value_of(iut, row->maker, VALUES(view_of_int(1), element));
  expect_gives(iut, view_of_bool(true), row->contains, VALUES(sequence, twin));
  equality_fails = true;
  expect_error_arrives(iut, row->contains, VALUES(sequence, twin));
  equality_fails = false;
  expect_gives(iut, view_of_bool(true), row->contains, VALUES(sequence, twin));
  release_any(iut, &sequence);
}

// --- Dicts, arrays, lists ------------------------------------------------------------------------

static void plain_pairs_are_compared(Iut *iut, const MapKind *kind)
{
  for (int i = 0; i < PLAIN_PAIRS; ++i) expect_pair_in_map(iut, kind, &plain_pairs[i], i % 2 * 10);
}

static void text_pairs_are_compared(Iut *iut, const MapKind *kind)
{
  for (int i = 0; i < TEXT_PAIRS; ++i) expect_pair_in_map(iut, kind, &text_pairs[i], i % 2 * 10);
}

static const struct {
  const char *name;
  void (*body)(Iut *iut, const MapKind *kind);
} promises[] = {{"types-are-different-keys", types_are_different_keys},
                {"plain-values", plain_pairs_are_compared},
                {"texts", text_pairs_are_compared},
                {"objects", objects_are_compared_by_identity}};

CASE_ROWS(keys_of_dicts_are_compared_like_those_of_maps, promises, .clauses = {CON_46},
          .title = "what is the same key in a map is the same key in a dict")
{
  row->body(iut, &the_dict);
}

// Searches a sequence that holds the left side of each pair for the right one.
static void expect_searches(Iut *iut, const char *maker, const char *contains, const Pair *pairs,
                            int count)
{
  for (int i = 0; i < count; ++i) {
    TVMFFIAny left = view_of_side(iut, &pairs[i].left), right = view_of_side(iut, &pairs[i].right);
    TVMFFIAny sequence = value_of(iut, maker, VALUES(any_none(), left, view_of_bool(true)));
    note("%s: the element itself", pairs[i].name);
    expect_gives(iut, view_of_bool(true), contains, VALUES(sequence, left));
    note("%s: the second of the pair", pairs[i].name);
    expect_gives(iut, view_of_bool(pairs[i].same), contains, VALUES(sequence, right));
    release_any(iut, &sequence);
  }
}

static void expect_search_as_for_keys(Iut *iut, const char *maker, const char *contains)
{
  expect_searches(iut, maker, contains, plain_pairs, PLAIN_PAIRS);
  expect_searches(iut, maker, contains, text_pairs, TEXT_PAIRS);
  note("values of other types, and an empty sequence");
  TVMFFIAny five = view_of_int(5), empty = value_of(iut, maker, VALUES());
  TVMFFIAny sequence = value_of(iut, maker, VALUES(five, empty, view_of_bool(true)));
  expect_gives(iut, view_of_bool(false), contains, VALUES(empty, any_none()));
  expect_gives(iut, view_of_bool(true), contains, VALUES(sequence, empty));
  expect_gives(iut, view_of_bool(false), contains, VALUES(sequence, sequence));
  expect_gives(iut, view_of_bool(false), contains, VALUES(sequence, view_of_float(5)));
  expect_gives(iut, view_of_bool(false), contains, VALUES(sequence, view_of_int(1)));
  release_any(iut, &sequence);
  release_any(iut, &empty);
}

CASE(array_is_searched_as_keys_are_compared, .clauses = {CON_20},
     .title = "an array is searched with the equality of keys")
{
  expect_search_as_for_keys(iut, "ffi.Array", "ffi.ArrayContains");
}

CASE(list_is_searched_as_keys_are_compared, .clauses = {CON_25},
     .title = "a list is searched with the equality of keys")
{
  expect_search_as_for_keys(iut, "ffi.List", "ffi.ListContains");
}
