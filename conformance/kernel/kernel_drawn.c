// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/expect.h"
#include "kernel/kernel_varied.h"
#include "plan/case.h"
#include "plan/kernel_mutate.h"
#include "plan/random.h"

enum { BASES_MAX = 48, CHANGES_MOST = 4, WORDS_MAX = 64, WORD_MAX = 32 };

typedef struct Drawn {
  Kernel *kernel;  // own
  SeriesCall call;
  unsigned pool;
  bool gives_tensor;  // it returned one, or several: of the first
  DLDataType dtype;
  int32_t rank;
  int64_t shape[KERNEL_RANK_MAX];
} Drawn;

// Of one function, calls that were served: more changes are made to them. The first is the one that is known.
typedef struct Pool {
  Drawn bases[BASES_MAX];
  unsigned count;
} Pool;

struct Drawing {
  const Kernel *kernel;
  uint64_t random;
  Pool pools[1 + KERNELS_BESIDE_MAX];  // the first is that of the function under test
  unsigned pool_count;
  unsigned with;  // of those beside it, the only one in this series; 0: any of them
  Drawn drawn[SERIES_MAX];
  bool begins;                      // these are the first bases
  char words[WORDS_MAX][WORD_MAX];  // of messages: texts that may be taken
  unsigned word_count;
};

static void lay_tensors(Drawing *drawing, Drawn *drawn)
{
  for (uint32_t i = 0; i < drawn->kernel->parameter_count; ++i) {
    if (!kernel_is_typed_tensor(drawn->kernel, i) || random_one_in(&drawing->random, 2)) continue;
    drawn->call.forms[i] = (unsigned char)random_below(&drawing->random, SERIES_FORMS);
  }
  drawn->call.held_apart = random_one_in(&drawing->random, 3);
}

static void share_memory(Drawing *drawing, Drawn *drawn)
{
  const uint32_t count = drawn->kernel->parameter_count;
  for (unsigned tries = 0; count > 1 && tries < 8; ++tries) {
    const uint32_t output = (uint32_t)random_below(&drawing->random, count);
    const uint32_t input = (uint32_t)random_below(&drawing->random, count);
    if (!kernel_series_may_share(drawn->kernel, output, input)) continue;
    drawn->call.output = (int)output;
    drawn->call.input = (int)input;
    return;
  }
}

static void copy_call(Drawn *to, const Drawn *from)
{
  Kernel *kernel = to->kernel ? to->kernel : kernel_new_copy(from->kernel);
  kernel_copy(kernel, from->kernel);
  *to = *from;
  to->kernel = kernel;
  to->call.kernel = kernel;
}

// Changes a call, and others of `base` in its place until one was changed.
static void change(Drawing *drawing, Drawn *drawn, const Drawn *base)
{
  unsigned changes = 0;
  for (unsigned tries = 0; tries < 24; ++tries) {
    if (kernel_mutate(drawn->kernel, &drawing->random)) {
      if (++changes == CHANGES_MOST || !random_one_in(&drawing->random, 2)) return;
      continue;
    }
    // What could not be changed may be anything.
    copy_call(drawn, base);
    changes = 0;
  }
}

// A value of an earlier call of the series, for a place of the same kind: a key that was put, a name that was written.
static void take_value(Drawing *drawing, Kernel *kernel, const Kernel *earlier)
{
  const uint32_t places = kernel_place_count(kernel), others = kernel_place_count(earlier);
  for (unsigned tries = 0; places > 0 && others > 0 && tries < 16; ++tries) {
    KernelParameter *at = kernel_place(kernel, (uint32_t)random_below(&drawing->random, places));
    const KernelParameter *from =
        kernel_place_of(earlier, (uint32_t)random_below(&drawing->random, others));
    if (at->kind != from->kind) continue;
    if (at->kind == KERNEL_TENSOR &&
        (!at->typed || !from->typed || !kernel_is_same_dtype(at->dtype, from->dtype)))
      continue;
    at->integer = from->integer;
    at->number = from->number;
    memcpy(at->text, from->text, sizeof at->text);
    at->text_size = from->text_size;
    at->contents = from->contents;
    at->seed = from->seed;
    at->value_count = from->value_count;
    memcpy(at->values, from->values, sizeof at->values);
    return;
  }
}

// A text, or the name of an entry of a map, that a message has named.
static void take_word(Drawing *drawing, Kernel *kernel)
{
  const uint32_t places = kernel_place_count(kernel);
  const char *word = drawing->words[random_below(&drawing->random, drawing->word_count)];
  for (unsigned tries = 0; places > 0 && tries < 8; ++tries) {
    KernelParameter *at = kernel_place(kernel, (uint32_t)random_below(&drawing->random, places));
    if (at->kind == KERNEL_STRING) {
      memset(at->text, 0, sizeof at->text);
      snprintf(at->text, sizeof at->text, "%s", word);
      at->text_size = (uint32_t)strlen(word);
      return;
    }
    if (at->kind == KERNEL_MAP && (at->keyed || at->element_count == 0)) {
      at->keyed = true;
      kernel_add_entry(kernel, at, word);
      return;
    }
  }
}

// For what may be None and is, a tensor as the call returns: a place to write that to.
static void give_output(Kernel *kernel, const Drawn *base)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    if (!at->optional || (at->kind != KERNEL_ANY && at->kind != KERNEL_NONE)) continue;
    at->kind = KERNEL_TENSOR;
    at->typed = true;
    at->role = KERNEL_OUT;
    at->dtype = base->dtype;
    at->rank = base->rank;
    at->alignment = 1;
    at->device = (DLDevice){kDLCPU, 0};
    for (int32_t k = 0; k < base->rank; ++k) at->shape[k] = (KernelExtent){.size = base->shape[k]};
  }
}

// One of the functions beside the one under test now and then, where there are any.
static void draw(Drawing *drawing, unsigned at)
{
  Drawn *drawn = &drawing->drawn[at];
  const bool beside = drawing->pool_count > 1 && random_one_in(&drawing->random, 2);
  const unsigned number =
      !beside         ? 0
      : drawing->with ? drawing->with
                      : 1 + (unsigned)random_below(&drawing->random, drawing->pool_count - 1);
  const Pool *pool = &drawing->pools[number];
  const Drawn *base = &pool->bases[random_one_in(&drawing->random, 3)
                                       ? 0
                                       : random_below(&drawing->random, pool->count)];
  if (at > 0 && random_one_in(&drawing->random, 7)) {  // once more
    copy_call(drawn, &drawing->drawn[random_below(&drawing->random, at)]);
    return;
  }
  copy_call(drawn, base);
  if (base->gives_tensor && random_one_in(&drawing->random, 4)) give_output(drawn->kernel, base);
  drawn->gives_tensor = false;
  if (!beside || !random_one_in(&drawing->random, 3)) change(drawing, drawn, base);
  if (drawing->word_count && random_one_in(&drawing->random, 4)) take_word(drawing, drawn->kernel);
  if (at > 0 && random_one_in(&drawing->random, 3))
    take_value(drawing, drawn->kernel, drawing->drawn[random_below(&drawing->random, at)].kernel);
  if (random_one_in(&drawing->random, 5)) lay_tensors(drawing, drawn);
  if (random_one_in(&drawing->random, 12)) share_memory(drawing, drawn);
  drawn->call.earlier = (unsigned char)random_below(&drawing->random, 4);
  drawn->call.takes = -1;
  if (random_one_in(&drawing->random, 5))
    drawn->call.takes = (int)random_below(&drawing->random, drawn->kernel->parameter_count + 1u);
}

// What the call returned, if that is a tensor or begins with one.
static void note_result(Drawn *drawn, const ApartOutcome *outcome)
{
  static const char shape[] = "the shape of " KERNEL_APART_RESULT;
  for (uint32_t i = 0; i + 1 < outcome->count && !drawn->gives_tensor; ++i) {
    const ApartPart *part = &outcome->parts[i], *type = &outcome->parts[i + 1];
    const size_t rank = part->size / sizeof *drawn->shape;
    if (strncmp(part->name, shape, sizeof shape - 1) != 0 || rank > KERNEL_RANK_MAX ||
        type->size != sizeof drawn->dtype)
      continue;
    memcpy(drawn->shape, outcome->bytes + part->first, part->size);
    memcpy(&drawn->dtype, outcome->bytes + type->first, sizeof drawn->dtype);
    drawn->rank = (int32_t)rank;
    drawn->gives_tensor = true;
  }
}

static void note_word(Drawing *drawing, const char *word, size_t size)
{
  char copy[WORD_MAX];
  if (size == 0 || size >= sizeof copy || drawing->word_count == WORDS_MAX) return;
  snprintf(copy, sizeof copy, "%.*s", (int)size, word);
  for (unsigned i = 0; i < drawing->word_count; ++i)
    if (strcmp(drawing->words[i], copy) == 0) return;
  memcpy(drawing->words[drawing->word_count++], copy, sizeof copy);
}

// The words of a message but for the first, which is its kind.
static void note_words(Drawing *drawing, const char *message)
{
  static const char parts[] = " ,.;:()[]{}<>|/\"'`!?\n\t";
  const char *at = strstr(message, ": ");
  while (at && *at) {
    at += strspn(at, parts);
    const size_t size = strcspn(at, parts);
    note_word(drawing, at, size);
    at += size;
  }
}

static void keep_base(Drawing *drawing, const Drawn *drawn)
{
  Pool *pool = &drawing->pools[drawn->pool];
  const bool room = pool->count < BASES_MAX;
  Drawn *base =
      &pool->bases[room ? pool->count : 1 + random_below(&drawing->random, BASES_MAX - 1)];
  copy_call(base, drawn);
  // Memory is laid out anew for each.
  memset(base->call.forms, 0, sizeof base->call.forms);
  base->call.held_apart = false;
  base->call.output = base->call.input = base->call.takes = -1;
  if (room) ++pool->count;
}

static void add_base(Drawing *drawing, unsigned number, const Kernel *kernel)
{
  Pool *pool = &drawing->pools[number];
  if (pool->count == BASES_MAX) return;
  Drawn drawn = {.kernel = kernel_new_copy(kernel),
                 .call = {.output = -1, .input = -1, .takes = -1},
                 .pool = number};
  drawn.call.kernel = drawn.kernel;
  pool->bases[pool->count++] = drawn;
}

// The example, and what is known to be taken in its place.
static void add_bases(Drawing *drawing)
{
  Kernel *other = kernel_new_copy(drawing->kernel);
  const Kernel *beside;
  add_base(drawing, 0, drawing->kernel);
  for (unsigned i = 0; i < 8 && kernel_variant(drawing->kernel, i, other); ++i)
    add_base(drawing, 0, other);
  kernel_copy(other, drawing->kernel);
  if (kernel_make_large(other)) add_base(drawing, 0, other);
  free(other);
  for (drawing->pool_count = 1; (beside = kernel_beside(drawing->pool_count - 1));
       ++drawing->pool_count)
    add_base(drawing, drawing->pool_count, beside);
}

Drawing *drawing_new(const Kernel *kernel)
{
  Drawing *drawing = calloc(1, sizeof *drawing);
  if (!drawing) case_inconclusive("no memory for calls");
  drawing->kernel = kernel;
  drawing->random = 1;
  add_bases(drawing);
  return drawing;
}

unsigned drawing_begin(Drawing *drawing, SeriesCall calls[SERIES_MAX])
{
  const Pool *own = &drawing->pools[0];
  unsigned count = 0;
  for (; count < own->count && count < SERIES_MAX; ++count) calls[count] = own->bases[count].call;
  calls[0].promised = kernel_has_example(drawing->kernel);
  drawing->begins = true;
  return count;
}

void drawing_next(Drawing *drawing, SeriesCall calls[SERIES_MAX])
{
  drawing->begins = false;
  drawing->with = drawing->pool_count > 1 && random_one_in(&drawing->random, 2)
                      ? 1 + (unsigned)random_below(&drawing->random, drawing->pool_count - 1)
                      : 0;
  for (unsigned k = 0; k < SERIES_MAX; ++k) {
    draw(drawing, k);
    calls[k] = drawing->drawn[k].call;
  }
}

void drawing_note(Drawing *drawing, unsigned i, const ApartOutcome *outcome)
{
  Drawn *drawn = drawing->begins ? &drawing->pools[0].bases[i] : &drawing->drawn[i];
  if (outcome->end == APART_REFUSED) note_words(drawing, outcome->refusal);
  if (outcome->end != APART_SERVED) return;
  note_result(drawn, outcome);
  if (!drawing->begins) keep_base(drawing, drawn);
}
