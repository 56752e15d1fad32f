// SPDX-License-Identifier: Apache-2.0
// The surface dtype: texts that are read as data types, and data types that are printed.
#include "fuzz/fuzz_dtype.h"

#include <string.h>

#include "battery/access.h"
#include "fuzz/fuzz_program.h"

enum { PRINT = 1, INPUT_MAX = 4096 };
enum { READING, PRINTING, RELEASING, PHASES };

static const char *const phases[PHASES] = {"reading a text", "printing a data type",
                                           "releasing what was printed"};

static Iut *runtime;

static DLDataType dtype_of(const FuzzInput *input)
{
  uint8_t bytes[5] = {0};
  memcpy(bytes, input->bytes, input->size < sizeof bytes ? input->size : sizeof bytes);
  return (DLDataType){bytes[1], bytes[2], (uint16_t)(bytes[3] | bytes[4] << 8)};
}

static FuzzText text_of(const FuzzInput *input)
{
  return (FuzzText){(const char *)input->bytes + 1, input->size - 1};
}

// --- Inputs --------------------------------------------------------------------------------------

static void put_word(FuzzRandom *random, FuzzInput *out)
{
  const char *word = fuzz_dtype_words[fuzz_below(random, fuzz_dtype_word_count)];
  fuzz_put(out, word, strlen(word));
}

static void put_decimal(FuzzRandom *random, FuzzInput *out, size_t most)
{
  char digits[24];
  fuzz_put(out, "0000", fuzz_one_in(random, 8) ? 1 + fuzz_below(random, 4) : 0);
  int size = snprintf(digits, sizeof digits, "%zu", 1 + fuzz_below(random, most));
  fuzz_put(out, digits, (size_t)size);
}

static bool is_at_number(const FuzzInput *out)
{
  uint8_t last = out->bytes[out->size - 1];
  return last == ']' || (last >= 'a' && last <= 'z' && !memchr(out->bytes, '_', out->size));
}

static void generate_print(FuzzRandom *random, FuzzInput *out)
{
  static const uint8_t codes[] = {0, 1, 2, 3, 4, 6, 7, 9, 14, 15, 16, 17, 129, 200, 255, 100, 128};
  static const uint8_t bits[] = {1, 4, 6, 8, 16, 32, 64, 128, 255};
  static const uint16_t lanes[] = {1, 1, 1, 2, 4, 32767, 32768, 65534, 65532, 256};
  unsigned code = codes[fuzz_below(random, sizeof codes)];
  unsigned wide = bits[fuzz_below(random, sizeof bits)];
  if (code >= 7 && code <= 17) wide = code < 15 ? 8 : code < 17 ? 6 : 4;
  if (code >= 129) wide = 32;
  fuzz_put_byte(out, PRINT);
  fuzz_put_byte(out, code);
  fuzz_put_byte(out, code == 3 ? 64 : wide);
  fuzz_put_number(out, code == 3 ? 1 : lanes[fuzz_below(random, sizeof lanes / sizeof *lanes)], 2);
}

static void generate(FuzzRandom *random, FuzzInput *out)
{
  out->size = 0;
  if (fuzz_one_in(random, 3)) {
    generate_print(random, out);
    return;
  }
  fuzz_put_byte(out, 0);
  if (fuzz_one_in(random, 16)) return;  // nothing at all
  put_word(random, out);
  if (is_at_number(out) && !fuzz_one_in(random, 4)) put_decimal(random, out, 255);
  size_t way = fuzz_below(random, 4);
  if (way == 0) fuzz_put(out, "xvscalex", 8);
  if (way == 1) fuzz_put(out, "x", 1);
  if (way < 2) put_decimal(random, out, fuzz_one_in(random, 2) ? 8 : 32767);
}

static void sample(FuzzInput *out)
{
  out->size = 0;
  fuzz_put(out, "\0float32x4", 10);
}

// Puts `size` bytes into the text, at a place of its own.
static void insert(FuzzRandom *random, FuzzInput *input, const char *bytes, size_t size)
{
  size_t at = 1 + fuzz_below(random, input->size);
  if (size > input->room - input->size || at > input->size) return;
  memmove(input->bytes + at + size, input->bytes + at, input->size - at);
  memcpy(input->bytes + at, bytes, size);
  input->size += size;
}

// Puts another number in the place of one, out of range mostly.
static void change_number(FuzzRandom *random, FuzzInput *input)
{
  static const char *const numbers[] = {
      "0",     "00",         "255",        "256",        "257",
      "32767", "32768",      "65535",      "65536",      "65537",
      "",      "4294967295", "4294967297", "4294967304", "18446744073709551615"};
  char digits[40];
  size_t begin = 1, end;
  while (begin < input->size && (input->bytes[begin] < '0' || input->bytes[begin] > '9')) ++begin;
  for (end = begin; end < input->size && input->bytes[end] >= '0' && input->bytes[end] <= '9';)
    ++end;
  // (2 to the power of 64, and a little more.)
  int size = snprintf(digits, sizeof digits, "184467440737095516%zu", 16 + fuzz_below(random, 60));
  if (!fuzz_one_in(random, 3))
    size = snprintf(digits, sizeof digits, "%s",
                    numbers[fuzz_below(random, sizeof numbers / sizeof numbers[0])]);
  if ((size_t)size > input->room - input->size) return;
  memmove(input->bytes + begin + size, input->bytes + end, input->size - end);
  memcpy(input->bytes + begin, digits, (size_t)size);
  input->size += (size_t)size - (end - begin);
}

// What is inserted into texts.
static const struct {
  const char *bytes;
  size_t size;
} pieces[] = {{" ", 1},
              {"\0", 1},
              {"x", 1},
              {"-", 1},
              {"+", 1},
              {"\n", 1},
              {"_", 1},
              {"0", 1},
              {"xvscale", 7},
              {"xvscalex", 8},
              {"18446744073709551617", 20},
              {"4294967297", 10},
              {"256", 3},
              {"65536", 5},
              {"32768", 5},
              {"[", 1},
              {"]", 1},
              {"custom", 6},
              {"custom[", 7},
              {"8_", 2}};

static void change_text(FuzzRandom *random, FuzzInput *input, size_t piece)
{
  switch (fuzz_below(random, 7)) {
    case 0:  // cut short
      input->size = 1 + fuzz_below(random, input->size);
      break;
    case 1:  // something is missing
      if (input->size < 2) break;
      size_t at = 1 + fuzz_below(random, input->size - 1);
      memmove(input->bytes + at, input->bytes + at + 1, input->size - at - 1);
      --input->size;
      break;
    case 2:  // other case
      if (input->size > 1) input->bytes[1 + fuzz_below(random, input->size - 1)] ^= 0x20;
      break;
    case 3:
      change_number(random, input);
      break;
    case 4:
      fuzz_put(input, pieces[piece].bytes, pieces[piece].size);
      break;
    default:
      insert(random, input, pieces[piece].bytes, pieces[piece].size);
  }
}

static void mutate(FuzzRandom *random, FuzzInput *input)
{
  size_t piece = fuzz_below(random, sizeof pieces / sizeof pieces[0]);
  if (input->size == 0) fuzz_put_byte(input, 0);
  if (!(input->bytes[0] & PRINT))
    change_text(random, input, piece);
  else if (input->size > 1)
    input->bytes[1 + fuzz_below(random, input->size - 1)] = (uint8_t)fuzz_draw(random);
}

static bool repair(FuzzInput *input)
{
  if (input->size == 0) return false;
  input->bytes[0] &= PRINT;
  size_t most = input->bytes[0] & PRINT ? 5 : INPUT_MAX;
  if (input->size > most) input->size = most;
  return true;
}

static unsigned aspect(const FuzzInput *input)
{
  char text[FUZZ_DTYPE_TEXT_MAX];
  DLDataType value;
  FuzzText given = text_of(input);
  if (input->bytes[0] & PRINT) return fuzz_dtype_print(dtype_of(input), text);
  return fuzz_dtype_read(given.data, given.size, &value);
}

// --- What we answer when we are asked for custom types -------------------------------------------

static int fail(void)
{
  runtime->ErrorSetRaisedFromCStr("FuzzError", "the function had to fail");
  return -1;
}

static int on_code(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray name = {NULL, 0};
  (void)self;
  if (num_args != 1) return fail();
  if (args->type_index == kTVMFFIRawStr) name = bytes_of(args->v_c_str);
  if (args->type_index == kTVMFFISmallStr)
    name = (TVMFFIByteArray){args->v_bytes, args->small_str_len};
  if (args->type_index == kTVMFFIStr)
    name = *(const TVMFFIByteArray *)object_body(runtime, args->v_obj);
  int code = fuzz_dtype_custom_code(name.data, name.size);
  if (code < 0) return fail();
  *result = view_of_int(code);
  return 0;
}

static int on_name(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  char name[8] = "";
  (void)self;
  if (num_args != 1 || args->type_index != kTVMFFIInt ||
      !fuzz_dtype_custom_name((unsigned)args->v_int64, name))
    return fail();
  *result = any_none();
  result->type_index = kTVMFFISmallStr;
  result->small_str_len = (uint32_t)strlen(name);
  memcpy(result->v_bytes, name, strlen(name));
  return 0;
}

static bool enter(const char *name, TVMFFISafeCallType function)
{
  TVMFFIByteArray bytes = bytes_of(name);
  TVMFFIObjectHandle handle = NULL;
  if (runtime->FunctionCreate(NULL, function, NULL, &handle) != 0) return false;
  bool entered = runtime->FunctionSetGlobal(&bytes, handle, 1) == 0;
  runtime->ObjectDecRef(handle);
  return entered;
}

static bool prepare(Iut *iut, char *why, size_t size)
{
  runtime = iut;
  if (!fuzz_call_prepare(iut, why, size)) return false;
  snprintf(why, size, "cannot register functions for custom types");
  return enter("dtype.get_custom_type_code", on_code) &&
         enter("dtype.get_custom_type_name", on_name);
}

// --- One execution -------------------------------------------------------------------------------

static bool is_accepted(const FuzzRun *run)
{
  return fuzz_dtype_aspects[run->aspect].due == FUZZ_DUE_ACCEPT;
}

static void read_input(Iut *iut, FuzzText given, FuzzRun *run)
{
  DLDataType due, out, before = {0xa5, 0x5a, 0xa55a};
  const char *shown = fuzz_show(0, given.data, given.size);
  TVMFFIByteArray text = {given.size == 0 ? NULL : shown, given.size};
  fuzz_dtype_read(given.data, given.size, &due);
  out = before;
  fuzz_enter(run, READING);
  int code = iut->DataTypeFromString(fuzz_show(1, &text, sizeof text), &out);
  bool read = fuzz_judge_code(iut, run, fuzz_dtype_aspects, code, fuzz_dtype_kind(run->aspect));
  if (!read && memcmp(&out, &before, sizeof out) != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "a text is refused, and the output is written (DTYPE-19)");
  if (!read || !is_accepted(run) || !fuzz_is_due(iut, fuzz_dtype_aspects[run->aspect].clause))
    return;
  fuzz_behave(run, &out.code, sizeof out.code);
  if (memcmp(&out, &due, sizeof out) != 0)
    fuzz_see(run, FUZZ_DIFFERENT,
             "it is read as code %d, %d bits, %d lanes, not as code %d, %d bits, %d lanes",
             out.code, out.bits, out.lanes, due.code, due.bits, due.lanes);
}

static void check_printed(Iut *iut, const TVMFFIAny *out, const char *due, FuzzRun *run)
{
  if (out->type_index != kTVMFFIStr || out->zero_padding != 0 ||
      object_strong(iut, out->v_obj) != 1 || object_weak(iut, out->v_obj) != 1) {
    fuzz_see(run, FUZZ_DIFFERENT,
             "the printed text is not a new string object: type index %d, padding %u (DTYPE-20)",
             out->type_index, out->zero_padding);
    return;
  }
  const TVMFFIByteArray *text = object_body(iut, out->v_obj);
  fuzz_behave_text(run, text->data, text->size);
  if (text->size != strlen(due) || memcmp(text->data, due, text->size) != 0 ||
      text->data[text->size] != '\0')
    fuzz_see(run, FUZZ_DIFFERENT, "it is printed as \"%.*s\", not as \"%s\"",
             text->size < 64 ? (int)text->size : 64, text->data, due);
}

static void print_input(Iut *iut, DLDataType value, FuzzRun *run)
{
  char due[FUZZ_DTYPE_TEXT_MAX];
  TVMFFIAny out = garbage_but_none(), before = out;
  fuzz_dtype_print(value, due);
  fuzz_enter(run, PRINTING);
  int code = iut->DataTypeToString(fuzz_show(0, &value, sizeof value), &out);
  bool printed = fuzz_judge_code(iut, run, fuzz_dtype_aspects, code, fuzz_dtype_kind(run->aspect));
  if (!printed && run->aspect == FUZZ_DTYPE_PRINT_NAMELESS &&
      memcmp(&out, &before, sizeof out) != 0)
    fuzz_see(run, FUZZ_DIFFERENT, "a data type is refused, and the output is written (DTYPE-29)");
  if (!printed) return;
  if (is_accepted(run) && fuzz_is_due(iut, fuzz_dtype_aspects[run->aspect].clause))
    check_printed(iut, &out, due, run);
  fuzz_enter(run, RELEASING);
  release_any(iut, &out);
}

static void run_input(Iut *iut, const FuzzInput *input, FuzzRun *run)
{
  if (input->bytes[0] & PRINT)
    print_input(iut, dtype_of(input), run);
  else
    read_input(iut, text_of(input), run);
}

// --- In words, and as a program ------------------------------------------------------------------

static void describe(const FuzzInput *input, unsigned which, FILE *out)
{
  DLDataType value = dtype_of(input);
  FuzzText given = text_of(input);
  if (input->bytes[0] & PRINT) {
    fprintf(out, "`TVMFFIDataTypeToString` is given code %d, %d bits, %d lanes", value.code,
            value.bits, value.lanes);
  } else {
    fprintf(out, "`TVMFFIDataTypeFromString` is given a text of %zu bytes, `", given.size);
    fuzz_program_text(out, given.data, given.size);
    fprintf(out, "`");
  }
  fprintf(out, ": %s.", fuzz_dtype_aspects[which].what);
}

static void write_reading(FuzzText given, unsigned which, FILE *out)
{
  DLDataType due;
  fuzz_dtype_read(given.data, given.size, &due);
  fprintf(out, "  TVMFFIByteArray text = {fenced(");
  fuzz_program_text(out, given.data, given.size);
  fprintf(out, ", %zu), %zu};\n", given.size, given.size);
  if (given.size == 0) fprintf(out, "  text.data = NULL;\n");
  fprintf(out,
          "  DLDataType value = {165, 90, 4242};\n"
          "  int code = API(DataTypeFromString)(&text, &value);\n"
          "  if (!code) printf(\"code %%d, %%d bits, %%d lanes\\n\", value.code, value.bits, "
          "value.lanes);\n");
  FuzzDue what = fuzz_dtype_aspects[which].due;
  if (what == FUZZ_DUE_REFUSE)
    fprintf(out,
            "  expect(refused(code, \"%s\"), \"the text is refused\");\n"
            "  expect(value.code == 165 && value.bits == 90 && value.lanes == 4242,\n"
            "         \"a refusal leaves the output alone\");\n",
            fuzz_dtype_kind(which));
  else if (what == FUZZ_DUE_ACCEPT)
    fprintf(out,
            "  expect(!refused(code, NULL), \"the text is read\");\n"
            "  expect(value.code == %d && value.bits == %d && value.lanes == %d,\n"
            "         \"it is code %d, %d bits, %d lanes\");\n",
            due.code, due.bits, due.lanes, due.code, due.bits, due.lanes);
  else
    fprintf(out, "  refused(code, NULL);\n");
}

static void write_printing(DLDataType value, unsigned which, FILE *out)
{
  char due[FUZZ_DTYPE_TEXT_MAX];
  fuzz_dtype_print(value, due);
  fprintf(out,
          "  DLDataType value = {%d, %d, %d};\n  TVMFFIAny text = garbage(), before = text;\n"
          "  int code = API(DataTypeToString)(&value, &text);\n",
          value.code, value.bits, value.lanes);
  FuzzDue what = fuzz_dtype_aspects[which].due;
  if (what == FUZZ_DUE_REFUSE)
    fprintf(out, "  expect(refused(code, \"%s\"), \"it is refused\");\n", fuzz_dtype_kind(which));
  if (which == FUZZ_DTYPE_PRINT_NAMELESS)
    fprintf(out,
            "  expect(memcmp(&text, &before, sizeof text) == 0, \"a refusal leaves the "
            "output alone\");\n");
  if (what == FUZZ_DUE_EITHER) fprintf(out, "  refused(code, NULL);\n");
  if (what == FUZZ_DUE_ACCEPT)
    fprintf(out,
            "  expect(!refused(code, NULL), \"it is printed\");\n"
            "  expect(!code && is_content(&text, 0, 1, \"%s\", %zu), \"it is printed as "
            "\\\"%s\\\"\");\n",
            due, strlen(due), due);
  fprintf(out, "  if (!code) release(&text);\n");
}

static void write_body(const FuzzInput *input, unsigned which, FILE *out)
{
  if (input->bytes[0] & PRINT)
    write_printing(dtype_of(input), which, out);
  else
    write_reading(text_of(input), which, out);
}

const FuzzSurface fuzz_dtype = {.name = "dtype",
                                .title = "data types as text",
                                .input_max = INPUT_MAX,
                                .aspects = fuzz_dtype_aspects,
                                .aspect_count = FUZZ_DTYPE_ASPECTS,
                                .phases = phases,
                                .phase_count = PHASES,
                                .prepare = prepare,
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
