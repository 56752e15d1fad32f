// SPDX-License-Identifier: Apache-2.0
// Pairs of objects whose content is to be compared wait on a stack of their own, so that values of
// any depth need no deep stack. A pair that was met before is taken to be equal: if it isn't, that
// comes out where it is compared. In an order that holds for pairs that are done; one that is still
// being compared is met again only in cycles, which have no order.
//
// Small values of containers, texts and numbers alone are compared without all that.
#include "frontend/compare.h"

#include <stdlib.h>
#include <string.h>

#include "container/key.h"
#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "frontend/big.h"
#include "frontend/children.h"
#include "frontend/nested.h"
#include "native/rows.h"
#include "type/attribute.h"
#include "type/type.h"

static Attribute equal_attribute = {ATTRIBUTE("__ffi_eq__")};
static Attribute compare_attribute = {ATTRIBUTE("__ffi_compare__")};

// A pair whose content is being compared.
typedef struct {
  size_t number;
  Children one, other;
} CompareFrame;

typedef struct {
  const char *function;
  bool orders;   // tells which is the less, else only whether they are equal
  bool refuses;  // an object that holds itself, which has no order
  Pairs pairs;
  bool *done;  // by the number of the pair; only where cycles are refused
  size_t done_room;
  CompareFrame *frames;
  size_t count, room;
} Compare;

// What comes of two values. Different values of no order are MORE where no order is asked for.
typedef enum { COMPARE_FAILED, COMPARE_LESS, COMPARE_EQUAL, COMPARE_MORE } CompareResult;

static CompareResult compare_sign(int64_t difference)
{
  return difference < 0 ? COMPARE_LESS : difference > 0 ? COMPARE_MORE : COMPARE_EQUAL;
}

static CompareResult compare_unsigned(uint64_t one, uint64_t other)
{
  return one < other ? COMPARE_LESS : one > other ? COMPARE_MORE : COMPARE_EQUAL;
}

//--------------------------------------------------------------------------------------------------
// Values without content
//--------------------------------------------------------------------------------------------------

static bool compare_is_str(int32_t type_index)
{
  return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr;
}

static bool compare_is_bytes(int32_t type_index)
{
  return type_index == kTVMFFISmallBytes || type_index == kTVMFFIBytes;
}

static CompareResult compare_texts(const TVMFFIAny *one, const TVMFFIAny *other)
{
  TVMFFIByteArray left = native_text(one), right = native_text(other);
  size_t shared = left.size < right.size ? left.size : right.size;
  int difference = shared == 0 ? 0 : memcmp(left.data, right.data, shared);
  return difference != 0 ? compare_sign(difference) : compare_unsigned(left.size, right.size);
}

static CompareResult compare_floats(const Compare *compare, double one, double other)
{
  bool nan = one != one || other != other;
  if (!nan) return one < other ? COMPARE_LESS : one > other ? COMPARE_MORE : COMPARE_EQUAL;
  if (!compare->orders) return one != one && other != other ? COMPARE_EQUAL : COMPARE_MORE;
  raise_error("TypeError", compare->function, ": a float that is no number has no order", NULL);
  return COMPARE_FAILED;
}

static CompareResult compare_dtypes(DLDataType one, DLDataType other)
{
  if (one.code != other.code) return compare_sign((int64_t)one.code - other.code);
  if (one.bits != other.bits) return compare_sign((int64_t)one.bits - other.bits);
  return compare_sign((int64_t)one.lanes - other.lanes);
}

static CompareResult compare_devices(DLDevice one, DLDevice other)
{
  if (one.device_type != other.device_type) {
    return compare_sign((int64_t)one.device_type - (int64_t)other.device_type);
  }
  return compare_sign((int64_t)one.device_id - other.device_id);
}

static CompareResult compare_shapes(TVMFFIObject *one, TVMFFIObject *other)
{
  const TVMFFIShapeCell *left = (const TVMFFIShapeCell *)(one + 1);
  const TVMFFIShapeCell *right = (const TVMFFIShapeCell *)(other + 1);
  for (size_t i = 0; i < left->size && i < right->size; ++i) {
    if (left->data[i] != right->data[i]) {
      return left->data[i] < right->data[i] ? COMPARE_LESS : COMPARE_MORE;
    }
  }
  return compare_unsigned(left->size, right->size);
}

static const char *compare_type_name(int32_t type_index, RaiseName *room)
{
  const Type *type = type_find(type_index);
  if (type == NULL) return "an unknown type";
  *room = raise_name(&type->info.type_key);
  return room->text;
}

RAISE_COLD static CompareResult compare_no_order(const Compare *compare, const TVMFFIAny *one,
                                                 const TVMFFIAny *other)
{
  RaiseName left, right;
  if (!compare->orders) return COMPARE_MORE;
  raise_error("TypeError", compare->function, ": values of the types `",
              compare_type_name(one->type_index, &left), "` and `",
              compare_type_name(other->type_index, &right), "` have no order", NULL);
  return COMPARE_FAILED;
}

//--------------------------------------------------------------------------------------------------
// Comparisons that types bring along
//--------------------------------------------------------------------------------------------------

static int compare_three_ways(const NativeCall *call);

static const NativeSpec equal_spec = {F2("ffi.RecursiveEq", compare_equal, BOOL, ANY, ANY)};
static const NativeSpec three_ways_spec = {
    F2("ffi.RecursiveCompare", compare_three_ways, INT, ANY, ANY)};
static NativeFunction equal_function, three_ways_function;

__attribute__((constructor(102))) static void compare_start(void)
{
  native_init(&equal_function, &equal_spec);
  native_init(&three_ways_function, &three_ways_spec);
}

// Asks a function of the type, which gets one of the runtime for what the objects hold.
static CompareResult compare_ask(const Compare *compare, const TVMFFIAny *callee,
                                 const TVMFFIAny *one, const TVMFFIAny *other, bool three_ways)
{
  NativeFunction *nested = three_ways ? &three_ways_function : &equal_function;
  TVMFFIAny args[] = {*one, *other, any_object(&nested->header)}, result = any_none();
  Nested *here = nested_here();
  if (nested_enter(here, compare->function) != 0) return COMPARE_FAILED;
  int code = TVMFFIFunctionCall(callee->v_obj, args, 3, &result);
  nested_leave(here);
  if (code != 0) return COMPARE_FAILED;
  if (result.type_index != kTVMFFIInt && result.type_index != kTVMFFIBool) {
    any_release(&result);
    raise_error("TypeError", compare->function, ": a type's own comparison has not returned an int",
                NULL);
    return COMPARE_FAILED;
  }
  if (three_ways) return compare_sign(result.v_int64);
  return result.v_int64 != 0 ? COMPARE_EQUAL : COMPARE_MORE;
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

static int compare_grow(Compare *compare)
{
  size_t room = compare->room == 0 ? 8 : compare->room * 2;
  CompareFrame *grown = realloc(compare->frames, room * sizeof *grown);
  if (grown == NULL) return raise_out_of_memory();
  compare->frames = grown;
  compare->room = room;
  return 0;
}

static int compare_mark(Compare *compare, size_t number, bool done)
{
  if (number >= compare->done_room) {
    size_t room = compare->pairs.room;
    bool *grown = realloc(compare->done, room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    compare->done = grown;
    compare->done_room = room;
  }
  compare->done[number] = done;
  return 0;
}

// Puts a pair onto the stack, unless it was met before. The references of the pair keep it.
static CompareResult compare_content(Compare *compare, TVMFFIObject *one, TVMFFIObject *other)
{
  size_t number;
  int is_new = pairs_note(&compare->pairs, one, other, &number);
  if (is_new < 0) return COMPARE_FAILED;
  if (is_new == 0) {
    if (!compare->refuses || compare->done[number]) return COMPARE_EQUAL;
    raise_error("ValueError", compare->function, ": a cyclic reference has no order", NULL);
    return COMPARE_FAILED;
  }
  if (compare->refuses && compare_mark(compare, number, false) != 0) return COMPARE_FAILED;
  if (compare->count == compare->room && compare_grow(compare) != 0) return COMPARE_FAILED;
  compare->frames[compare->count++] =
      (CompareFrame){number, children_of(one, kTVMFFIFieldFlagBitMaskCompareOff),
                     children_of(other, kTVMFFIFieldFlagBitMaskCompareOff)};
  return COMPARE_EQUAL;
}

static int compare_run(Compare *compare, const TVMFFIAny *one, const TVMFFIAny *other,
                       CompareResult *result);
static void compare_end(Compare *compare);

// Maps are equal or have no order.
static CompareResult compare_maps_in_order(const Compare *compare, const TVMFFIAny *one,
                                           const TVMFFIAny *other)
{
  Compare nested = {.function = compare->function, .refuses = true};
  CompareResult result = COMPARE_FAILED;
  if (compare_run(&nested, one, other, &result) != 0) result = COMPARE_FAILED;
  compare_end(&nested);
  bool differs = result == COMPARE_LESS || result == COMPARE_MORE;
  return differs ? compare_no_order(compare, one, other) : result;
}

static CompareResult compare_objects(Compare *compare, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int32_t type_index = one->type_index;
  if (type_index == kTVMFFIShape) return compare_shapes(one->v_obj, other->v_obj);
  if (children_is_map(type_index)) {
    if (compare->orders) return compare_maps_in_order(compare, one, other);
    if (children_count(one->v_obj) != children_count(other->v_obj)) return COMPARE_MORE;
    return compare_content(compare, one->v_obj, other->v_obj);
  }
  if (children_is_sequence(type_index)) {
    if (!compare->orders && children_count(one->v_obj) != children_count(other->v_obj)) {
      return COMPARE_MORE;
    }
    return compare_content(compare, one->v_obj, other->v_obj);
  }
  const TVMFFIAny *equal = compare->orders ? NULL : attribute_of(&equal_attribute, type_index);
  if (equal != NULL && equal->type_index == kTVMFFIFunction) {
    return compare_ask(compare, equal, one, other, false);
  }
  const TVMFFIAny *three_ways = attribute_of(&compare_attribute, type_index);
  if (three_ways != NULL && three_ways->type_index == kTVMFFIFunction) {
    return compare_ask(compare, three_ways, one, other, true);
  }
  return compare_content(compare, one->v_obj, other->v_obj);
}

// Compares two values as far as that goes without their content.
static CompareResult compare_values(Compare *compare, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int32_t left = one->type_index, right = other->type_index;
  if (left == kTVMFFINone || right == kTVMFFINone) {
    return compare_sign((left != kTVMFFINone) - (right != kTVMFFINone));
  }
  if (compare_is_str(left) && compare_is_str(right)) return compare_texts(one, other);
  if (compare_is_bytes(left) && compare_is_bytes(right)) return compare_texts(one, other);
  if (big_is_integer(one) && big_is_integer(other)) return compare_sign(big_compare(one, other));
  if (left != right) return compare_no_order(compare, one, other);
  switch (left) {
    case kTVMFFIBool:
      return compare_sign((one->v_int64 != 0) - (other->v_int64 != 0));
    case kTVMFFIFloat:
      return compare_floats(compare, one->v_float64, other->v_float64);
    case kTVMFFIDataType:
      return compare_dtypes(one->v_dtype, other->v_dtype);
    case kTVMFFIDevice:
      return compare_devices(one->v_device, other->v_device);
    default:
      break;
  }
  if (any_same(one, other)) return COMPARE_EQUAL;
  if (any_held(one) == NULL || any_held(other) == NULL) {
    return compare_no_order(compare, one, other);
  }
  return compare_objects(compare, one, other);
}

//--------------------------------------------------------------------------------------------------
// Content
//--------------------------------------------------------------------------------------------------

// Goes on with an entry of a map. Returns false behind the last.
static bool compare_next_entry(Compare *compare, CompareFrame *frame, CompareResult *result)
{
  MapObject *other = (MapObject *)frame->other.object;
  TVMFFIAny name, value;
  Key key;
  uint64_t position;
  if (children_next(&frame->one, &name) == 0) return false;
  children_next(&frame->one, &value);
  key_read(&name, &key);
  *result = COMPARE_FAILED;
  if (map_find(other, &key, &position) == 0) {
    const MapEntry *found = map_entry(other, position);
    if (found == NULL) {
      *result = COMPARE_MORE;
    } else {
      TVMFFIAny kept = any_share(&found->value);
      *result = compare_values(compare, &value, &kept);
      any_release(&kept);
    }
  }
  any_release(&name);
  any_release(&value);
  return true;
}

// Goes on with an element or a field. Returns false behind the last.
static bool compare_next_value(Compare *compare, CompareFrame *frame, CompareResult *result)
{
  TVMFFIAny one, other;
  int has = children_next(&frame->one, &one);
  int has_other = has < 0 ? -1 : children_next(&frame->other, &other);
  if (has == 1 && has_other == 1) {
    *result = compare_values(compare, &one, &other);
  } else if (has < 0 || has_other < 0) {
    *result = COMPARE_FAILED;
  } else {
    *result = compare_sign(has - has_other);
  }
  if (has == 1) any_release(&one);
  if (has_other == 1) any_release(&other);
  return has != 0 || has_other != 0;
}

// Goes on with the last pair of the stack. What is pushed meanwhile moves the stack, so the frame is
// copied.
static CompareResult compare_step(Compare *compare)
{
  size_t at = compare->count - 1;
  CompareFrame frame = compare->frames[at];
  CompareResult result = COMPARE_EQUAL;
  bool goes_on = frame.one.kind == CHILDREN_MAP ? compare_next_entry(compare, &frame, &result)
                                                : compare_next_value(compare, &frame, &result);
  if (result != COMPARE_EQUAL) return result;
  if (goes_on) {
    compare->frames[at] = frame;
    return COMPARE_EQUAL;
  }
  if (compare->refuses) compare->done[frame.number] = true;
  --compare->count;
  return COMPARE_EQUAL;
}

// Compares two owned values. Returns 0; -1 with an error.
static int compare_run(Compare *compare, const TVMFFIAny *one, const TVMFFIAny *other,
                       CompareResult *result)
{
  *result = compare_values(compare, one, other);
  while (*result == COMPARE_EQUAL && compare->count > 0) *result = compare_step(compare);
  return *result == COMPARE_FAILED ? -1 : 0;
}

static void compare_end(Compare *compare)
{
  pairs_end(&compare->pairs);
  free(compare->frames);
  free(compare->done);
}

//--------------------------------------------------------------------------------------------------
// Small values
//--------------------------------------------------------------------------------------------------

enum { COMPARE_FEW = 1000, COMPARE_FLAT = 20 };

// A comparison that keeps no account of what it met, and how far it may go. Where it can't tell, it
// gives COMPARE_FAILED without an error, and the thorough one is due. Code of types, which could
// change containers meanwhile, isn't called.
typedef struct {
  Compare plain;  // of values without content, as if no order were asked for
  bool orders;
  int depth, left;
} CompareQuick;

static bool compare_is_plain(int32_t type_index)
{
  return type_index == kTVMFFINone || type_index == kTVMFFIInt || type_index == kTVMFFIBool ||
         type_index == kTVMFFIFloat || compare_is_str(type_index);
}

// Tells whether one of two plain values is the less, or they are equal.
static bool compare_has_order(const TVMFFIAny *one, const TVMFFIAny *other)
{
  int32_t left = one->type_index, right = other->type_index;
  if (left == kTVMFFIFloat && right == kTVMFFIFloat) {
    return one->v_float64 == one->v_float64 && other->v_float64 == other->v_float64;
  }
  return left == right || left == kTVMFFINone || right == kTVMFFINone ||
         (compare_is_str(left) && compare_is_str(right));
}

static CompareResult compare_quickly(CompareQuick *quick, const TVMFFIAny *one,
                                     const TVMFFIAny *other);

static CompareResult compare_arrays_quickly(CompareQuick *quick, TVMFFIObject *one,
                                            TVMFFIObject *other)
{
  int64_t size = sequence_cell(one)->size, other_size = sequence_cell(other)->size;
  const TVMFFIAny *left = sequence_values(one), *right = sequence_values(other);
  for (int64_t i = 0; i < size && i < other_size; ++i) {
    CompareResult result = compare_quickly(quick, &left[i], &right[i]);
    if (result != COMPARE_EQUAL) return result;
  }
  return compare_sign(size - other_size);
}

// Maps that differ are for the thorough comparison to refuse, if an order is asked for.
static CompareResult compare_maps_quickly(CompareQuick *quick, const MapObject *one,
                                          const MapObject *other)
{
  CompareResult result = COMPARE_EQUAL;
  for (uint64_t at = map_first(one); result == COMPARE_EQUAL; at = map_next(one, at)) {
    const MapEntry *entry = map_entry(one, at);
    uint64_t position;
    Key key;
    if (entry == NULL) break;
    if (!compare_is_str(entry->key.type_index) && entry->key.type_index != kTVMFFIInt) {
      return COMPARE_FAILED;
    }
    key_read(&entry->key, &key);
    if (map_find(other, &key, &position) != 0) return COMPARE_FAILED;
    const MapEntry *found = map_entry(other, position);
    result = found == NULL ? COMPARE_MORE : compare_quickly(quick, &entry->value, &found->value);
  }
  return quick->orders && result != COMPARE_EQUAL ? COMPARE_FAILED : result;
}

static CompareResult compare_containers_quickly(CompareQuick *quick, TVMFFIObject *one,
                                                TVMFFIObject *other)
{
  uint64_t count = children_count(one);
  CompareResult result;
  if (one == other) return COMPARE_EQUAL;
  if (count != children_count(other)) {
    if (!quick->orders) return COMPARE_MORE;
    if (children_is_map(one->type_index)) return COMPARE_FAILED;
  }
  if (quick->depth == 0 || count > (uint64_t)quick->left) return COMPARE_FAILED;
  quick->left -= (int)count;
  --quick->depth;
  if (children_is_map(one->type_index)) {
    result = compare_maps_quickly(quick, (MapObject *)one, (MapObject *)other);
  } else {
    result = compare_arrays_quickly(quick, one, other);
  }
  ++quick->depth;
  return result;
}

static CompareResult compare_quickly(CompareQuick *quick, const TVMFFIAny *one,
                                     const TVMFFIAny *other)
{
  int32_t left = one->type_index, right = other->type_index;
  if (left == right && (children_is_sequence(left) || children_is_map(left))) {
    return compare_containers_quickly(quick, one->v_obj, other->v_obj);
  }
  if (!compare_is_plain(left) || !compare_is_plain(right)) return COMPARE_FAILED;
  if (quick->orders && !compare_has_order(one, other)) return COMPARE_FAILED;
  return compare_values(&quick->plain, one, other);
}

//--------------------------------------------------------------------------------------------------
// The functions
//--------------------------------------------------------------------------------------------------

static int compare_thoroughly(const NativeCall *call, bool orders, CompareResult *result)
{
  Compare compare = {.function = call->spec->name, .orders = orders, .refuses = orders};
  TVMFFIAny one, other;
  if (any_own(&call->args[0], &one) != 0) return -1;
  if (any_own(&call->args[1], &other) != 0) {
    any_release(&one);
    return -1;
  }
  int code = compare_run(&compare, &one, &other, result);
  compare_end(&compare);
  any_release(&one);
  any_release(&other);
  return code;
}

static int compare_call(const NativeCall *call, bool orders, CompareResult *result)
{
  CompareQuick quick = {{.function = call->spec->name}, orders, COMPARE_FLAT, COMPARE_FEW};
  *result = compare_quickly(&quick, &call->args[0], &call->args[1]);
  return *result == COMPARE_FAILED ? compare_thoroughly(call, orders, result) : 0;
}

int compare_equal(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, false, &result) != 0) return -1;
  return native_give(call, any_bool(result == COMPARE_EQUAL));
}

static int compare_three_ways(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, true, &result) != 0) return -1;
  return native_give(call, any_int((int64_t)result - COMPARE_EQUAL));
}

int compare_less(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, true, &result) != 0) return -1;
  return native_give(call, any_bool(result == COMPARE_LESS));
}

int compare_less_equal(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, true, &result) != 0) return -1;
  return native_give(call, any_bool(result != COMPARE_MORE));
}

int compare_greater(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, true, &result) != 0) return -1;
  return native_give(call, any_bool(result == COMPARE_MORE));
}

int compare_greater_equal(const NativeCall *call)
{
  CompareResult result;
  if (compare_call(call, true, &result) != 0) return -1;
  return native_give(call, any_bool(result != COMPARE_LESS));
}
