// SPDX-License-Identifier: Apache-2.0
// The surface strings: texts and bytes that become values.
//
// An input is one byte of choices, and then the content; of a huge one, the byte that follows
// chooses the size that is announced.
#include <string.h>

#include "battery/access.h"
#include "battery/faults.h"
#include "fuzz/fuzz_call.h"
#include "fuzz/fuzz_program.h"

enum { BYTES = 1, NO_DATA = 2, HUGE = 4, CHOICES = 7 };
enum { MAKING, RELEASING, PHASES };

static const char *const phases[PHASES] = {"making a string or bytes",
                                           "releasing a string or bytes"};

// X(constant, name, clause, due, what)
#define ASPECTS(X)                                                                  \
  X(NOTHING, "no-data", STR_10, ACCEPT, "the data are NULL, and the size is 0")     \
  X(SMALL_STRING, "small-string", STR_2, ACCEPT, "a text has up to seven bytes")    \
  X(STRING, "string", STR_3, ACCEPT, "a text has eight bytes or more")              \
  X(SMALL_BYTES, "small-bytes", STR_4, ACCEPT, "there are up to seven bytes")       \
  X(LONG_BYTES, "bytes", STR_5, ACCEPT, "there are eight bytes or more")            \
  X(LONG, "long", STR_6, ACCEPT, "the content has more than 4096 bytes")            \
  X(NULS, "nuls", STR_8, ACCEPT, "there are NULs in the content")                   \
  X(ANY_BYTES, "any-bytes", STR_9, ACCEPT, "a text holds bytes that are not ASCII") \
  X(NO_MEMORY, "no-memory", STR_17, REFUSE, "the size is larger than the available memory")

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

// No machine has as much; at the end additions wrap.
static const uint64_t sizes[] = {
    UINT64_C(1) << 47, (UINT64_C(1) << 48) - 1, UINT64_C(1) << 62,  (UINT64_C(1) << 62) + 8,
    INT64_MAX,         UINT64_C(1) << 63,       UINT64_MAX - 65536, UINT64_MAX - 64,
    UINT64_MAX - 48,   UINT64_MAX - 41,         UINT64_MAX - 40,    UINT64_MAX - 32,
    UINT64_MAX - 24,   UINT64_MAX - 17,         UINT64_MAX - 16,    UINT64_MAX - 8,
    UINT64_MAX - 7,    UINT64_MAX - 2,          UINT64_MAX - 1};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

// --- Inputs --------------------------------------------------------------------------------------

static FuzzText content_of(const FuzzInput *input)
{
  return (FuzzText){(const char *)input->bytes + 1, input->size - 1};
}

// What the library is told that there is.
static uint64_t size_of(const FuzzInput *input)
{
  if (input->bytes[0] & HUGE) return sizes[input->size > 1 ? input->bytes[1] % SIZES : 0];
  return input->size - 1;
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  size_t size = fuzz_below(random, 20);
  if (fuzz_one_in(random, 8)) size = fuzz_below(random, 300);
  if (fuzz_one_in(random, 64)) size = fuzz_below(random, 60000);
  out->size = 0;
  fuzz_put_byte(out, (unsigned)fuzz_below(random, 4));
  fuzz_put_some_text(random, out, size);
}

static void sample(FuzzInput *out)
{
  out->size = 0;
  fuzz_put(out, "\0a text of some length", 22);
}

// A border, a NUL or a byte of no character, or a size that no memory has.
static void mutate(FuzzRandom *random, FuzzInput *input)
{
  static const size_t borders[] = {0, 1, 6, 7, 8, 9, 15, 16, 255, 256, 4096, 65534};
  if (input->size == 0) fuzz_put_byte(input, 0);
  size_t size = borders[fuzz_below(random, sizeof borders / sizeof borders[0])];
  size_t at = input->size > 1 ? 1 + fuzz_below(random, input->size - 1) : 0;
  switch (fuzz_below(random, 5)) {
    case 0:
      if (size + 1 > input->size) fuzz_put_some_text(random, input, size + 1 - input->size);
      if (size + 1 < input->size) input->size = size + 1;
      break;
    case 1:
      if (at) input->bytes[at] = 0;
      break;
    case 2:
      if (at) input->bytes[at] = (uint8_t)(0x80 | fuzz_draw(random));
      break;
    case 3:
      input->bytes[0] ^= BYTES;
      break;
    default:
      input->bytes[0] |= HUGE;
      input->size = 1;
      fuzz_put_byte(input, (unsigned)fuzz_below(random, SIZES));
  }
}

static bool repair(FuzzInput *input)
{
  if (input->size == 0) return false;
  input->bytes[0] &= CHOICES;
  return true;
}

static bool is_ascii(FuzzText text)
{
  for (size_t i = 0; i < text.size; ++i)
    if ((unsigned char)text.data[i] >= 0x80) return false;
  return true;
}

static unsigned aspect(const FuzzInput *input)
{
  FuzzText text = content_of(input);
  bool bytes = input->bytes[0] & BYTES;
  if (input->bytes[0] & HUGE) return NO_MEMORY;
  if (text.size == 0 && input->bytes[0] & NO_DATA) return NOTHING;
  if (memchr(text.data, '\0', text.size)) return NULS;
  if (!bytes && !is_ascii(text)) return ANY_BYTES;
  if (text.size > 4096) return LONG;
  if (bytes) return text.size > 7 ? LONG_BYTES : SMALL_BYTES;
  return text.size > 7 ? STRING : SMALL_STRING;
}

// --- One execution -------------------------------------------------------------------------------

// What the library's function makes of the input; its memory is overwritten afterwards.
static int make(Iut *iut, const FuzzInput *input, TVMFFIAny *out)
{
  FuzzText text = content_of(input);
  const char *shown = fuzz_show(0, text.data, text.size);
  bool none = text.size == 0 && input->bytes[0] & NO_DATA;
  TVMFFIByteArray array = {none ? NULL : shown, (size_t)size_of(input)};
  const TVMFFIByteArray *argument = fuzz_show(1, &array, sizeof array);
  int code = input->bytes[0] & BYTES ? iut->BytesFromByteArray(argument, out)
                                     : iut->StringFromByteArray(argument, out);
  fuzz_overwrite(0, text.size);
  fuzz_overwrite(1, sizeof array);
  return code;
}

static void check_small(const FuzzInput *input, const TVMFFIAny *value, FuzzRun *run)
{
  FuzzText text = content_of(input);
  TVMFFIAny due = any_none();
  due.type_index = input->bytes[0] & BYTES ? kTVMFFISmallBytes : kTVMFFISmallStr;
  due.small_str_len = (uint32_t)text.size;
  memcpy(due.v_bytes, text.data, text.size);
  if (memcmp(value, &due, sizeof due) != 0)
    fuzz_see(run, FUZZ_DIFFERENT,
             "%zu bytes become type index %d, length %u, payload %016llx, not type index %d",
             text.size, value->type_index, value->small_str_len,
             (unsigned long long)value->v_uint64, due.type_index);
}

static void check_object(Iut *iut, const FuzzInput *input, const TVMFFIAny *value, FuzzRun *run)
{
  FuzzText text = content_of(input);
  int32_t due = input->bytes[0] & BYTES ? kTVMFFIBytes : kTVMFFIStr;
  if (value->type_index != due || value->zero_padding != 0 || !value->v_obj) {
    fuzz_see(run, FUZZ_DIFFERENT, "%zu bytes become type index %d, padding %u, not type index %d",
             text.size, value->type_index, value->zero_padding, due);
    run->unusable = true;
    return;
  }
  const TVMFFIByteArray *held = object_body(iut, value->v_obj);
  if (object_strong(iut, value->v_obj) < 1 || object_weak(iut, value->v_obj) < 1)
    fuzz_see(run, FUZZ_DIFFERENT, "the object has strong count %llu, weak count %llu (OBJ-2)",
             (unsigned long long)object_strong(iut, value->v_obj),
             (unsigned long long)object_weak(iut, value->v_obj));
  else if (held->size != text.size || memcmp(held->data, text.data, text.size) != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "the object holds %zu bytes that are not the %zu given (STR-6)",
             held->size, text.size);
  else if (held->data[held->size] != '\0')
    fuzz_see(run, FUZZ_DIFFERENT, "there is no NUL behind the %zu bytes (STR-7)", held->size);
}

static void check(Iut *iut, const FuzzInput *input, const TVMFFIAny *value, FuzzRun *run)
{
  if (input->size - 1 > 7)
    check_object(iut, input, value, run);
  else
    check_small(input, value, run);
}

// The first is as it was once there is another one, whichever object that is.
static void check_again(Iut *iut, const FuzzInput *input, const TVMFFIAny *first, FuzzRun *run)
{
  TVMFFIAny second = garbage_but_none();
  if (run->count || make(iut, input, &second) != 0) return;
  check(iut, input, &second, run);
  check(iut, input, first, run);
  if (!run->unusable) release_any(iut, &second);
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  TVMFFIAny value = garbage_but_none();
  bool huge = input->bytes[0] & HUGE;
  fuzz_enter(run, MAKING);
  // What it asks for then is asked for by us.
  if (huge) faults_note_in(NULL);
  int code = make(iut, input, &value);
  if (huge && !faults_unavailable()) faults_unwatch(), faults_watch(0, FAULTS_ONCE);
  bool made = fuzz_judge_code(iut, run, aspects, code, NULL);
  if (!made) return;
  if (huge) {
    run->unusable = true;
    return;
  }
  check(iut, input, &value, run);
  check_again(iut, input, &value, run);
  fuzz_enter(run, RELEASING);
  uint8_t scale = (uint8_t)(63 - __builtin_clzll(input->size));
  fuzz_behave(run, &scale, sizeof scale);
  if (!run->unusable) release_any(iut, &value);
}

// --- In words, and as a program ------------------------------------------------------------------

static const char *function_of(const FuzzInput *input)
{
  return input->bytes[0] & BYTES ? "BytesFromByteArray" : "StringFromByteArray";
}

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  fprintf(out, "`TVMFFI%s` is given size %llu: %s.", function_of(input),
          (unsigned long long)size_of(input), aspects[which].what);
}

static void write_body(const FuzzInput *input, unsigned which, FILE *out)
{
  FuzzText text = content_of(input);
  bool bytes = input->bytes[0] & BYTES;
  fprintf(out, "  static const char content[] =\n      ");
  fuzz_program_text(out, text.data, text.size);
  fprintf(out,
          ";\n  TVMFFIByteArray array = {%s, %lluu};\n  TVMFFIAny value = garbage(), other = "
          "garbage();\n",
          which == NOTHING ? "NULL" : "fenced(content, sizeof content - 1)",
          (unsigned long long)size_of(input));
  if (which == NO_MEMORY) {
    fprintf(out, "  expect(refused(API(%s)(&array, &value), NULL), \"it is refused\");\n",
            function_of(input));
    return;
  }
  fprintf(out,
          "  expect(!refused(API(%s)(&array, &value), NULL), \"it is taken\");\n"
          "  expect(!refused(API(%s)(&array, &other), NULL), \"it is taken again\");\n"
          "  expect(is_content(&value, %d, 0, content, sizeof content - 1), \"it is the "
          "content\");\n"
          "  expect(is_content(&other, %d, 0, content, sizeof content - 1), \"and the other one "
          "is\");\n"
          "  expect(value.type_index < 64 || value.v_obj != other.v_obj, \"there are two\");\n"
          "  release(&value);\n  release(&other);\n",
          function_of(input), function_of(input), bytes, bytes);
}

const FuzzSurface fuzz_strings = {.name = "strings",
                                  .title = "strings and bytes made of bytes",
                                  .input_max = FUZZ_INPUT_MAX,
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
