// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_given.h"

#include <stdatomic.h>
#include <string.h>

#include "battery/access.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_result.h"

enum { WORDS_MAX = 4096, FLOATS_MAX = 4096 };

// Functions may be called by several threads: then the order differs, and so does what is compared.
static atomic_bool noting;
static atomic_uint word_count, float_count;
static uint64_t words[WORDS_MAX];
static double floats[FLOATS_MAX];

static void note_word(uint64_t word)
{
  const unsigned at = atomic_fetch_add(&word_count, 1);
  if (at < WORDS_MAX) words[at] = word;
}

static void note_float(double number)
{
  const unsigned at = atomic_fetch_add(&float_count, 1);
  if (at < FLOATS_MAX) floats[at] = number;
}

static void note_bytes(const TVMFFIByteArray *bytes)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);  // FNV-1a
  for (size_t i = 0; i < bytes->size; ++i)
    hash = (hash ^ (unsigned char)bytes->data[i]) * UINT64_C(0x100000001b3);
  note_word(bytes->size);
  note_word(hash);
}

static void note_tensor(const DLTensor *tensor, const TVMFFIByteArray *elements)
{
  uint64_t dtype = 0;
  memcpy(&dtype, &tensor->dtype, sizeof tensor->dtype);
  note_word(dtype);
  for (int32_t k = 0; k < tensor->ndim; ++k) note_word((uint64_t)tensor->shape[k]);
  const size_t width = (size_t)tensor->dtype.bits * tensor->dtype.lanes / 8;
  const bool is_float = tensor->dtype.code == kDLFloat || tensor->dtype.code == kDLBfloat;
  double number;
  if (!is_float || width == 0 || tensor->dtype.lanes != 1) {
    note_bytes(elements);
    return;
  }
  for (size_t i = 0; i < elements->size / width; ++i)
    if (kernel_element_read((const unsigned char *)elements->data, (int64_t)(i * width) * 8,
                            tensor->dtype, &number))
      note_float(number);
}

static void note_value(Iut *iut, const TVMFFIAny *value)
{
  TVMFFIByteArray bytes;
  note_word((uint64_t)value->type_index);
  if (value->type_index == kTVMFFIFloat)
    note_float(value->v_float64);
  else if (result_elements(iut, value, &bytes))
    note_tensor(object_body(iut, value->v_obj), &bytes);
  else if (result_text(iut, value, &bytes))
    note_bytes(&bytes);
  else if (value->type_index <= kTVMFFIDevice && value->type_index != kTVMFFIOpaquePtr)
    note_word(value->v_uint64);
}

void kernel_given_begin(void)
{
  atomic_store(&word_count, 0);
  atomic_store(&float_count, 0);
  atomic_store(&noting, true);
}

void kernel_given_note(Iut *iut, const TVMFFIAny *args, int32_t count)
{
  if (!atomic_load(&noting)) return;
  note_word((uint64_t)count);
  for (int32_t i = 0; i < count; ++i) note_value(iut, &args[i]);
}

bool kernel_given_end(ApartOutcome *outcome)
{
  atomic_store(&noting, false);
  if (!outcome) return true;
  const unsigned word_end = atomic_load(&word_count), float_end = atomic_load(&float_count);
  return kernel_apart_add(outcome, "what functions were given", words,
                          word_end < WORDS_MAX ? word_end : WORDS_MAX, false) &&
         kernel_apart_add(outcome, "the floats that functions were given", floats,
                          float_end < FLOATS_MAX ? float_end : FLOATS_MAX, true);
}
