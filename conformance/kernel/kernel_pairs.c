// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_pairs.h"

#include <stdio.h>
#include <string.h>

#include "battery/clock.h"
#include "plan/kernel_choice.h"

// An argument or a size, and what is listed for it.
typedef struct Listed {
  bool is_size;
  uint32_t at;            // among the arguments, or the sizes
  SignatureRange values;  // none: of a bool, which has both
} Listed;

enum { LISTED_MAX = 16, VALUES_MOST = 6, SECONDS = 5, WORDS_MAX = 80 };

static SignatureRange up_to_some(SignatureRange values)
{
  if (values.count > VALUES_MOST) values.count = VALUES_MOST;
  return values;
}

static bool has_texts(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_STRING || parameter->kind == KERNEL_DTYPE;
}

static uint32_t collect(const KernelTrying *trying, Listed listed[LISTED_MAX])
{
  const Signature *signature = trying->signature;
  const Kernel *kernel = trying->kernel;
  const SignatureForm *form = signature_form(signature, kernel->form);
  uint32_t count = 0;
  for (uint32_t i = 0; i < kernel->size_count && count < LISTED_MAX; ++i) {
    const SignatureVariable *size = kernel_listed_sizes(signature, kernel, kernel->sizes[i].name);
    if (size) listed[count++] = (Listed){true, i, up_to_some(size->values)};
  }
  for (uint32_t i = 0; i < form->parameters.count && count < LISTED_MAX; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    const SignatureType *type = signature_type(signature, form->parameters.first + i);
    const bool has_values =
        type->kind == parameter->kind && type->values.count > 0 &&
        (parameter->kind == KERNEL_INT || parameter->kind == KERNEL_FLOAT || has_texts(parameter));
    if (has_values) listed[count++] = (Listed){false, i, up_to_some(type->values)};
    if (parameter->kind == KERNEL_BOOL) listed[count++] = (Listed){.at = i};
  }
  return count;
}

static uint32_t value_count(const Listed *listed)
{
  return listed->values.count ? listed->values.count : 2;
}

// Sets the value at this place of the list. False if the call is as before, or can't be made.
static bool set(KernelTrying *trying, const Listed *listed, uint32_t which, char words[WORDS_MAX])
{
  const Signature *signature = trying->signature;
  const SignatureValue *value =
      listed->values.count ? signature_value(signature, listed->values.first + which) : NULL;
  if (listed->is_size) {
    const KernelSize *size = &trying->kernel->sizes[listed->at];
    snprintf(words, WORDS_MAX, "%s = %lld", size->name, (long long)value->integer);
    return value->integer != size->size &&
           kernel_resize(signature, trying->changed, size->name, value->integer);
  }
  const KernelParameter *own = &trying->kernel->parameters[listed->at];
  KernelParameter *changed = &trying->changed->parameters[listed->at];
  const int64_t integer = value ? value->integer : which;
  if (has_texts(own)) {
    const char *text = signature_text(signature, value->text);
    if (value->text_size >= KERNEL_TEXT_MAX) return false;
    kernel_set_text(changed, text, value->text_size);
    snprintf(words, WORDS_MAX, "%.40s = \"%.30s\"", own->name, text);
    return changed->text_size != kernel_text_length(own) ||
           memcmp(changed->text, own->text, changed->text_size) != 0;
  }
  if (own->kind == KERNEL_FLOAT) {
    changed->number = value->kind == KERNEL_FLOAT ? value->number : (double)value->integer;
    snprintf(words, WORDS_MAX, "%.40s = %.17g", own->name, changed->number);
    return changed->number != own->number;
  }
  changed->integer = integer;
  snprintf(words, WORDS_MAX, "%.40s = %lld", own->name, (long long)integer);
  return integer != own->integer;
}

static void try_pair(KernelTrying *trying, const Listed *one, const Listed *other)
{
  char words[WORDS_MAX], more[WORDS_MAX];
  kernel_begin_one(trying);
  for (uint32_t i = 0; i < value_count(one); ++i)
    for (uint32_t k = 0; k < value_count(other); ++k) {
      kernel_copy(trying->changed, trying->kernel);
      if (set(trying, one, i, words) && set(trying, other, k, more))
        kernel_try_changed(trying, "with %s and %s", words, more);
    }
}

void kernel_try_pairs(KernelTrying *trying)
{
  Listed listed[LISTED_MAX];
  const uint32_t count = collect(trying, listed);
  trying->unlisted = true;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = i + 1; k < count && clock_leaves(SECONDS); ++k)
      try_pair(trying, &listed[i], &listed[k]);
  trying->unlisted = false;
}
