// SPDX-License-Identifier: Apache-2.0
// The surface any: views of every type index that may be passed become owned values.
//
// An input is a byte for the type index, one of choices, four bytes of padding, eight of payload,
// and the text of views that point to one.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "fuzz/fuzz_call.h"
#include "fuzz/fuzz_program.h"

enum { INPUT_MAX = 8192, CELL_SIZE = 64 };
enum { IN_PLACE = 1, MOVED_ALREADY = 2, DIRTY = 4, CHOICES = 7 };
enum { CONVERTING, AGAIN, RELEASING, PHASES };

static const char *const phases[PHASES] = {"converting a view", "converting the owned value again",
                                           "releasing the owned value"};

// X(constant, name, clause, due, what)
#define ASPECTS(X)                                                                                \
  X(PLAIN, "plain", ANY_4, ACCEPT, "a plain value is converted")                                  \
  X(NULL_POINTER, "null-pointer", ANY_5, ACCEPT, "an opaque NULL pointer is converted")           \
  X(SMALL, "small", ANY_6, ACCEPT, "a small string or small bytes are converted")                 \
  X(SHORT_STRING, "short-raw-string", ANY_7, ACCEPT,                                              \
    "a raw string of up to seven bytes is "                                                       \
    "converted")                                                                                  \
  X(LONG_STRING, "raw-string", ANY_8, ACCEPT, "a raw string of eight bytes or more is converted") \
  X(SHORT_ARRAY, "short-byte-array", ANY_9, ACCEPT,                                               \
    "a byte array of up to seven bytes is "                                                       \
    "converted")                                                                                  \
  X(LONG_ARRAY, "byte-array", ANY_10, ACCEPT, "a byte array of eight bytes or more is converted") \
  X(OBJECT, "object", ANY_13, ACCEPT, "an object is converted")                                   \
  X(STRANGE_OBJECT, "object-of-a-strange-type", ANY_14, ACCEPT,                                   \
    "an object of a type that the library has never seen is converted")                           \
  X(RVALUE, "rvalue", ANY_15, ACCEPT, "an rvalue reference is converted")                         \
  X(MOVED, "moved-rvalue", ANY_17, REFUSE,                                                        \
    "an rvalue reference is converted that was moved "                                            \
    "already")                                                                                    \
  X(DIRTY_PADDING, "dirty-padding", ANY_20, ACCEPT,                                               \
    "a view with garbage in its padding is "                                                      \
    "converted")                                                                                  \
  X(SAME_PLACE, "in-place", ANY_21, ACCEPT, "a view is converted in its own place")

enum {
#define X(constant, name, clause, due, what) constant,
  ASPECTS(X)
#undef X
      ASPECT_COUNT
};

static const FuzzAspect aspects[ASPECT_COUNT] = {
#define X(constant, name, clause, due, what) {name, clause, FUZZ_DUE_##due, what, false},
    ASPECTS(X)
#undef X
};

// Objects of ours have a cell of zeros, which the library has no business with.
static const int32_t indices[] = {0,  1,  2,  3,  4,   5,   6,    8,     9,        10,
                                  11, 12, 64, 74, 128, 129, 1000, 65536, INT32_MAX};
enum { INDICES = sizeof indices / sizeof indices[0] };

// --- Inputs --------------------------------------------------------------------------------------

typedef struct Plan {
  int32_t type_index;
  unsigned choices;
  uint32_t padding;  // or small length
  uint64_t payload;
  FuzzText text;
} Plan;

static bool is_object(int32_t type_index)
{
  return type_index >= kTVMFFIStaticObjectBegin;
}

static bool is_small(int32_t type_index)
{
  return type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes;
}

// The payload without what its type does not use, of which the spec does not speak (ANY-22).
static uint64_t clean_payload(const Plan *plan)
{
  unsigned length = plan->padding;
  if (plan->type_index == kTVMFFINone) return 0;
  if (plan->type_index == kTVMFFIBool) return plan->payload & 1;
  if (plan->type_index == kTVMFFIDataType) return plan->payload & UINT32_MAX;
  if (!is_small(plan->type_index)) return plan->payload;
  return length == 0 ? 0 : plan->payload & (UINT64_MAX >> (64 - 8 * length));
}

static void decode(const FuzzInput *input, Plan *plan)
{
  FuzzReader reader = fuzz_reader(input);
  plan->type_index = indices[fuzz_read_byte(&reader) % INDICES];
  plan->choices = fuzz_read_byte(&reader) & CHOICES;
  uint32_t padding = (uint32_t)fuzz_read_number(&reader, 4);
  plan->padding = plan->choices & DIRTY ? padding : 0;
  if (is_small(plan->type_index)) plan->padding = padding % 8;
  plan->payload = fuzz_read_number(&reader, 8);
  plan->payload = clean_payload(plan);
  plan->text = fuzz_read_text(&reader, INPUT_MAX);
  if (plan->type_index == kTVMFFIRawStr && plan->text.size)
    plan->text.size = strnlen(plan->text.data, plan->text.size);
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  size_t size = fuzz_below(random, fuzz_one_in(random, 8) ? 600 : 20);
  out->size = 0;
  fuzz_put_byte(out, (unsigned)fuzz_below(random, INDICES));
  fuzz_put_byte(out, 0);
  fuzz_put_number(out, fuzz_below(random, 8), 4);
  fuzz_put_number(out, fuzz_one_in(random, 4) ? fuzz_odd_number(random, 0) : fuzz_draw(random), 8);
  fuzz_put_some_text(random, out, size);
}

static void sample(FuzzInput *out)
{
  out->size = 0;
  fuzz_put(out, "\7\0\0\0\0\0\0\0\0\0\0\0\0\0a text of some length", 35);
}

static void mutate(FuzzRandom *random, FuzzInput *input)
{
  static const uint64_t payloads[] = {0, 1, UINT64_C(0x7ff0000000000001), UINT64_C(1) << 63,
                                      UINT64_C(0xfff8dead0000beef)};
  size_t borders[] = {0, 1, 7, 8, 9, 63, 64, 65};
  while (input->size < 14) fuzz_put_byte(input, 0);
  switch (fuzz_below(random, 5)) {
    case 0:
      input->bytes[1] = (uint8_t)(1 << fuzz_below(random, 3));
      break;
    case 1:
      input->bytes[1] |= DIRTY;
      input->bytes[2 + fuzz_below(random, 4)] = (uint8_t)fuzz_draw(random);
      break;
    case 2:
      memcpy(input->bytes + 6, &payloads[fuzz_below(random, 5)], 8);
      break;
    case 3:
      input->size = 14;
      fuzz_put_some_text(random, input, borders[fuzz_below(random, 8)]);
      break;
    default:
      if (input->size > 14) input->bytes[14 + fuzz_below(random, input->size - 14)] = 0;
  }
}

static bool repair(FuzzInput *input)
{
  if (input->size > INPUT_MAX) input->size = INPUT_MAX;
  return input->size > 0;
}

static unsigned aspect_of_index(const Plan *plan)
{
  bool is_long = plan->text.size > 7;
  if (plan->type_index == kTVMFFIRawStr) return is_long ? LONG_STRING : SHORT_STRING;
  if (plan->type_index == kTVMFFIByteArrayPtr) return is_long ? LONG_ARRAY : SHORT_ARRAY;
  if (is_small(plan->type_index)) return SMALL;
  if (plan->type_index >= kTVMFFIDynObjectBegin) return STRANGE_OBJECT;
  if (is_object(plan->type_index)) return OBJECT;
  if (plan->type_index == kTVMFFIOpaquePtr && plan->payload == 0) return NULL_POINTER;
  return PLAIN;
}

static unsigned aspect(const FuzzInput *input)
{
  Plan plan;
  decode(input, &plan);
  if (plan.type_index == kTVMFFIObjectRValueRef && plan.choices & MOVED_ALREADY) return MOVED;
  // ANY-20 speaks of plain values and objects.
  if (plan.padding && !is_small(plan.type_index) &&
      (plan.type_index <= kTVMFFIDevice || is_object(plan.type_index)))
    return DIRTY_PADDING;
  if (plan.choices & IN_PLACE) return SAME_PLACE;
  return plan.type_index == kTVMFFIObjectRValueRef ? RVALUE : aspect_of_index(&plan);
}

// --- One execution -------------------------------------------------------------------------------

// An object of ours, as a runtime meets those of other libraries: a header, and a cell of zeros.
typedef struct Ours {
  TVMFFIObject header;
  char cell[CELL_SIZE];
} Ours;

static Ours object;
static int deletions;

static void on_delete(void *self, int flags)
{
  (void)self, (void)flags;
  ++deletions;
}

static void make_object(int32_t type_index)
{
  memset(&object, 0, sizeof object);
  object.header.combined_ref_count = (UINT64_C(1) << 32) + 1;
  object.header.type_index = type_index;
  object.header.deleter = on_delete;
  deletions = 0;
}

// Compares the object with a fresh one that has these strong references.
static bool has_strong(uint32_t strong)
{
  Ours due;
  memset(&due, 0, sizeof due);
  due.header.combined_ref_count = (UINT64_C(1) << 32) + strong;
  due.header.type_index = object.header.type_index;
  due.header.deleter = on_delete;
  return memcmp(&due, &object, sizeof due) == 0;
}

// The view that an input asks for; what it points to is in windows, and `slot` holds a reference.
static TVMFFIAny make_view(const Plan *plan, TVMFFIObjectHandle *slot)
{
  TVMFFIAny view = {.type_index = plan->type_index, .zero_padding = plan->padding};
  view.v_uint64 = plan->payload;
  make_object(is_object(plan->type_index) ? plan->type_index : kTVMFFIOpaquePyObject);
  *slot = plan->choices & MOVED_ALREADY ? NULL : (TVMFFIObjectHandle)&object;
  if (is_object(plan->type_index)) view.v_obj = (TVMFFIObject *)&object;
  if (plan->type_index == kTVMFFIObjectRValueRef) view.v_ptr = slot;
  if (plan->type_index == kTVMFFIRawStr) {
    static char text[INPUT_MAX + 1];
    if (plan->text.size) memcpy(text, plan->text.data, plan->text.size);
    text[plan->text.size] = '\0';
    view.v_c_str = fuzz_show(0, text, plan->text.size + 1);
  }
  if (plan->type_index == kTVMFFIByteArrayPtr) {
    const char *data = fuzz_show(0, plan->text.data, plan->text.size);
    TVMFFIByteArray array = {plan->text.size ? data : NULL, plan->text.size};
    const void *shown = fuzz_show(1, &array, sizeof array);
    memcpy(&view.v_ptr, &shown, sizeof shown);
  }
  return view;
}

static bool makes_text(const Plan *plan)
{
  return plan->type_index == kTVMFFIRawStr || plan->type_index == kTVMFFIByteArrayPtr;
}

// Checks what became of a text against it.
static void check_text(Iut *iut, const Plan *plan, const TVMFFIAny *value, FuzzRun *run)
{
  bool bytes = plan->type_index == kTVMFFIByteArrayPtr;
  TVMFFIAny due = any_none();
  size_t size = plan->text.size;
  if (size <= 7) {
    due.type_index = bytes ? kTVMFFISmallBytes : kTVMFFISmallStr;
    due.small_str_len = (uint32_t)size;
    if (size) memcpy(due.v_bytes, plan->text.data, size);
    if (memcmp(&due, value, sizeof due) != 0)
      fuzz_see(run, FUZZ_DIFFERENT, "%zu bytes become type index %d, length %u, payload %016llx",
               size, value->type_index, value->small_str_len, (unsigned long long)value->v_uint64);
    return;
  }
  if (value->type_index != (bytes ? kTVMFFIBytes : kTVMFFIStr) || value->zero_padding ||
      !value->v_obj) {
    fuzz_see(run, FUZZ_DIFFERENT, "%zu bytes become type index %d, padding %u", size,
             value->type_index, value->zero_padding);
    return;
  }
  const TVMFFIByteArray *held = object_body(iut, value->v_obj);
  if (object_strong(iut, value->v_obj) != 1 || object_weak(iut, value->v_obj) != 1 ||
      held->size != size || memcmp(held->data, plan->text.data, size) != 0)
    fuzz_see(run, FUZZ_DIFFERENT,
             "the object has strong count %llu and %zu bytes, not the %zu given",
             (unsigned long long)object_strong(iut, value->v_obj), held->size, size);
}

// What a value that is no text has to become.
static TVMFFIAny due_value(const Plan *plan)
{
  TVMFFIAny due = {.type_index = plan->type_index};
  if (is_small(plan->type_index)) due.small_str_len = plan->padding;
  due.v_uint64 = plan->payload;
  if (is_object(plan->type_index) || plan->type_index == kTVMFFIObjectRValueRef) {
    due.v_obj = (TVMFFIObject *)&object;
    due.type_index = object.header.type_index;
  }
  return due;
}

static void check_value(Iut *iut, const Plan *plan, const TVMFFIAny *value, FuzzRun *run)
{
  if (makes_text(plan)) {
    check_text(iut, plan, value, run);
    return;
  }
  TVMFFIAny due = due_value(plan);
  bool moved = plan->type_index == kTVMFFIObjectRValueRef;
  uint32_t strong = is_object(plan->type_index) ? 2 : 1;
  if (memcmp(&due, value, sizeof due) != 0)
    fuzz_see(run, FUZZ_DIFFERENT,
             "type index %d, padding %08x, payload %016llx, and not %d, %08x, %016llx",
             value->type_index, value->zero_padding, (unsigned long long)value->v_uint64,
             due.type_index, due.zero_padding, (unsigned long long)due.v_uint64);
  else if ((is_object(plan->type_index) || moved) && !has_strong(strong))
    fuzz_see(run, FUZZ_DIFFERENT, "the object has counts %llx, not %u strong ones, or was written",
             (unsigned long long)object.header.combined_ref_count, strong);
}

// What was made is made again of itself, with one reference more (ANY-27).
static void convert_again(Iut *iut, const TVMFFIAny *value, FuzzRun *run)
{
  TVMFFIAny again = garbage_but_none();
  bool counted = is_object(value->type_index);
  uint64_t before = counted ? object_strong(iut, value->v_obj) : 0;
  fuzz_enter(run, AGAIN);
  int code = iut->AnyViewToOwnedAny(fuzz_show(2, value, sizeof *value), &again);
  if (code != 0 || memcmp(&again, value, sizeof again) != 0 ||
      (counted && object_strong(iut, value->v_obj) != before + 1))
    fuzz_see(run, FUZZ_DIFFERENT, "converted again, it is another value (ANY-27)");
  else
    release_any(iut, &again);
}

static void take(Iut *iut, const Plan *plan, TVMFFIAny *value, TVMFFIObjectHandle slot,
                 FuzzRun *run)
{
  bool moved = plan->type_index == kTVMFFIObjectRValueRef;
  fuzz_overwrite(0, plan->text.size + 1);
  fuzz_overwrite(1, sizeof(TVMFFIByteArray));
  check_value(iut, plan, value, run);
  if (moved && slot)
    fuzz_see(run, FUZZ_DIFFERENT, "the slot of the rvalue reference is not NULL (ANY-15)");
  if (!run->count) convert_again(iut, value, run);
  run->unusable = run->count != 0;
  fuzz_enter(run, RELEASING);
  bool counted = moved || is_object(plan->type_index);
  if (run->unusable) return;
  release_any(iut, value);
  if (counted && (moved ? deletions == 0 : !has_strong(1)))
    fuzz_see(run, FUZZ_LEAK, "the object has still %llx as its counts",
             (unsigned long long)object.header.combined_ref_count);
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  Plan plan;
  TVMFFIObjectHandle slot;
  decode(input, &plan);
  TVMFFIAny view = make_view(&plan, &slot), out = garbage_but_none();
  bool in_place = plan.choices & IN_PLACE;
  if (in_place) out = view;
  TVMFFIAny before = out;
  const TVMFFIAny *shown = in_place ? &out : fuzz_show(2, &view, sizeof view);
  fuzz_behave(run, &plan.type_index, sizeof plan.type_index);
  fuzz_behave(run, &plan.choices, sizeof plan.choices);
  fuzz_enter(run, CONVERTING);
  int code = iut->AnyViewToOwnedAny(shown, &out);
  fuzz_behave(run, &out.type_index, sizeof out.type_index);
  if (fuzz_judge_code(iut, run, aspects, code, NULL))
    take(iut, &plan, &out, slot, run);
  else if (run->aspect == MOVED && memcmp(&before, &out, sizeof out) != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "a view is refused, and the output is written (ANY-17)");
}

// --- In words, and as a program ------------------------------------------------------------------

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  Plan plan;
  decode(input, &plan);
  fprintf(out, "`TVMFFIAnyViewToOwnedAny` is given a view of type index %d, padding %08x: %s.",
          plan.type_index, plan.padding, aspects[which].what);
}

// Gives `view` its payload, and `due` what has to become of it.
static void write_view(FILE *out, const Plan *plan)
{
  bool counted = is_object(plan->type_index) || plan->type_index == kTVMFFIObjectRValueRef;
  fprintf(out,
          "  static struct { TVMFFIObject header; char cell[%d]; } ours;\n"
          "  memset(&ours, 0, sizeof ours);\n"
          "  ours.header.combined_ref_count = (1ull << 32) + 1;\n"
          "  ours.header.type_index = %d;\n",
          CELL_SIZE, is_object(plan->type_index) ? plan->type_index : kTVMFFIOpaquePyObject);
  fprintf(out,
          "  TVMFFIObjectHandle slot = %s;\n"
          "  TVMFFIAny view = {.type_index = %d, .zero_padding = %uu};\n"
          "  TVMFFIAny due = {.type_index = %s};\n  view.v_uint64 = due.v_uint64 = %lluu;\n",
          plan->choices & MOVED_ALREADY ? "NULL" : "&ours", plan->type_index, plan->padding,
          counted ? "ours.header.type_index" : "view.type_index",
          (unsigned long long)plan->payload);
  if (is_small(plan->type_index)) fprintf(out, "  due.small_str_len = %u;\n", plan->padding);
  if (counted) fprintf(out, "  due.v_obj = &ours.header;\n");
  if (is_object(plan->type_index)) fprintf(out, "  view.v_obj = &ours.header;\n");
  if (plan->type_index == kTVMFFIObjectRValueRef) fprintf(out, "  view.v_ptr = &slot;\n");
  if (!makes_text(plan)) return;
  fprintf(out, "  static const char text[] =\n      ");
  fuzz_program_text(out, plan->text.data, plan->text.size);
  fprintf(out, ";\n");
  if (plan->type_index == kTVMFFIRawStr)
    fprintf(out, "  view.v_c_str = fenced(text, sizeof text);\n");
  else
    fprintf(out,
            "  TVMFFIByteArray array = {fenced(text, sizeof text - 1), sizeof text - 1};\n"
            "  view.v_ptr = (void *)&array;\n");
}

static void write_body(const FuzzInput *input, unsigned which, FILE *out)
{
  Plan plan;
  decode(input, &plan);
  bool object_view = is_object(plan.type_index);
  write_view(out, &plan);
  fprintf(out,
          "  TVMFFIAny value = %s, before = value;\n"
          "  int code = API(AnyViewToOwnedAny)(%s, &value);\n",
          plan.choices & IN_PLACE ? "view" : "garbage()",
          plan.choices & IN_PLACE ? "&value" : "fenced(&view, sizeof view)");
  if (which == MOVED) {
    fprintf(out,
            "  expect(refused(code, \"InternalError\"), \"the view is refused\");\n"
            "  expect(!memcmp(&value, &before, 16), \"the output is as it was\");\n");
    return;
  }
  fprintf(out, "  expect(!refused(code, NULL), \"the view is converted\");\n  if (code) return;\n");
  if (makes_text(&plan))
    fprintf(out,
            "  expect(is_content(&value, %d, 0, text, sizeof text - 1), \"it is the text\");\n",
            plan.type_index == kTVMFFIByteArrayPtr);
  else
    fprintf(out, "  expect(!memcmp(&value, &due, 16), \"the 16 bytes are those that are due\");\n");
  if (plan.type_index == kTVMFFIObjectRValueRef)
    fprintf(out, "  expect(slot == NULL, \"the slot is empty\");\n");
  fprintf(
      out,
      "  expect(ours.header.combined_ref_count == (1ull << 32) + %d, \"the counts are right\");\n"
      "  TVMFFIAny again = garbage();\n"
      "  code = wrong ? 0 : API(AnyViewToOwnedAny)(&value, &again);\n"
      "  expect(wrong || (!code && !memcmp(&value, &again, 16)), \"it can be converted "
      "again\");\n  if (wrong) return;\n  release(&again);\n  release(&value);\n",
      object_view ? 2 : 1);
}

const FuzzSurface fuzz_any = {.name = "any",
                              .title = "views that become owned values",
                              .input_max = INPUT_MAX,
                              .aspects = aspects,
                              .aspect_count = ASPECT_COUNT,
                              .phases = phases,
                              .phase_count = PHASES,
                              .prepare = fuzz_call_prepare,
                              .sample = sample,
                              .generate = generate,
                              .mutate = mutate,
                              .repair = repair,
                              .aspect = aspect,
                              .run = run_input,
                              .shrink = fuzz_shrink_blocks,
                              .describe = describe,
                              .program_body = write_body,
                              .program = fuzz_program_write};
