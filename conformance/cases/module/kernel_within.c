// SPDX-License-Identifier: Apache-2.0
// Calls within a signature file that say the same in another way: refused, or served as the call that says it
// as the file does.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/kernel_battery.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN };

typedef struct Judging {
  Iut *iut;
  const Kernel *kernel;
  const Signature *signature;
  unsigned judged;
} Judging;

// A call holds on to its kernel.
static const char not_described[] = "no signature file describes it (--signatures)";

static bool is_described(const Kernel *kernel, const Signature *signature)
{
  return signature && kernel->chosen && !signature->tentative &&
         signature->origin == SIGNATURE_FROM_FILE;
}

static const Signature *require_file(const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  if (!is_described(kernel, signature)) case_not_applicable("%s", not_described);
  return signature;
}

static const char *place_name(const Kernel *kernel, uint32_t place, char text[64])
{
  if (place < kernel->parameter_count) return parameter_name(kernel, place, text);
  const char *key = kernel_place_of(kernel, place)->name;
  snprintf(text, 64, *key ? "the entry \"%s\"" : "an element of a container", key);
  return text;
}

// Makes `other`; `as` is the call that it says the same as. NULL if that is not served.
static KernelCall *serve(Judging *judging, const Kernel *as)
{
  KernelCall *call = new_right_call(judging->iut, as);
  if (end_of_call(call) != CALL_RETURNS) return NULL;
  make_call(call);
  return call->returned == 0 ? call : NULL;
}

__attribute__((format(printf, 4, 5))) static void judge(Judging *judging, const Kernel *other,
                                                        KernelCall *as, const char *format, ...)
{
  char words[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  KernelCall *call = new_right_call(judging->iut, other);
  note_call(call, "with %s: ", words);
  make_call(call);
  ++judging->judged;
  if (call->returned == 0)
    expect_same_values(call, as);
  else
    expect_that(true, "it is refused, or served alike", "refused");
}

// --- Ints for floats -----------------------------------------------------------------------------

// Whether the value may be of a variant, where an int may mean something else.
static bool may_be_int(const Signature *signature, uint32_t type)
{
  for (uint32_t i = 0; i < signature->types.count; ++i) {
    const SignatureType *outer = signature_type(signature, i);
    if (outer->kind == KERNEL_VARIANT && type >= outer->children.first &&
        type < outer->children.first + outer->children.count)
      return true;
  }
  return signature_type(signature, type)->kind != KERNEL_FLOAT;
}

// A whole number that is served as a float in this place, as the call with it; NULL: there is none.
static KernelCall *serve_whole(Judging *judging, uint32_t place, double *number)
{
  static const double some[] = {2, 1, 3, 0, -1};
  const double own = kernel_place_of(judging->kernel, place)->number;
  for (size_t i = 0; i <= sizeof some / sizeof *some; ++i) {
    *number = i == 0 ? own : some[i - 1];
    Kernel *made = kernel_new_copy(judging->kernel);
    kernel_place(made, place)->number = *number;
    if (*number != floor(*number) || fabs(*number) > 1e6 || call_is_outside(made)) continue;
    KernelCall *call = serve(judging, made);
    if (call) return call;
  }
  return NULL;
}

KERNEL_CASE(int_is_the_same_number, .clauses = {KER_52}, .needs = NEEDS_A_RUN,
            .title = "an int in the place of a float is refused, or is the same number")
{
  Judging judging = {.iut = iut, .kernel = kernel, .signature = require_file(kernel)};
  require_right_call(iut, kernel);
  for (uint32_t place = 0; place < kernel_place_count(kernel); ++place) {
    const KernelParameter *at = kernel_place_of(kernel, place);
    char name[64];
    double number;
    if (at->kind != KERNEL_FLOAT || may_be_int(judging.signature, at->type)) continue;
    KernelCall *as = serve_whole(&judging, place, &number);
    if (!as) continue;
    Kernel *other = kernel_new_copy(kernel);
    kernel_place(other, place)->kind = KERNEL_INT;
    kernel_place(other, place)->integer = (int64_t)number;
    judge(&judging, other, as, "the int %lld for %s", (long long)number,
          place_name(kernel, place, name));
  }
  if (judging.judged == 0) case_not_applicable("it takes no float that may be a whole number");
}

// --- Entries of maps -----------------------------------------------------------------------------

static bool is_entry(const Kernel *kernel, uint32_t place)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *map = kernel_place_of(kernel, i);
    const uint32_t first = kernel->parameter_count + map->first_element;
    if (map->keyed && place >= first && place < first + map->element_count) return true;
  }
  return false;
}

// (Without a map there are no entries.)
static bool has_map(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(kernel, i)->keyed) return true;
  return false;
}

static const char *lacks_map(const CaseInstance *instance, const char *why)
{
  if (!is_described(instance->kernel, instance->signature)) return not_described;
  return has_map(instance->kernel) ? NULL : why;
}

static const char no_optional[] = "it takes no map with entries that may be left out";
static const char no_others[] = "its signature file says \"other_keys\": \"ignored\" of no map";

static const char *lacks_optional_entries(const CaseInstance *instance)
{
  return lacks_map(instance, no_optional);
}

static const char *lacks_other_keys(const CaseInstance *instance)
{
  return lacks_map(instance, no_others);
}

KERNEL_CASE(none_is_as_if_left_out, .clauses = {KER_52}, .needs = NEEDS_A_RUN,
            .lacks = lacks_optional_entries, .after_right_call = true,
            .title = "an optional entry of a map that is None is refused, or is as if left out")
{
  Judging judging = {.iut = iut, .kernel = kernel, .signature = require_file(kernel)};
  require_right_call(iut, kernel);
  for (uint32_t place = kernel->parameter_count; place < kernel_place_count(kernel); ++place) {
    char name[64];
    if (!is_entry(kernel, place) || !kernel_place_of(kernel, place)->optional) continue;
    Kernel *left_out = kernel_new_copy(kernel), *none = kernel_new_copy(kernel);
    kernel_place(left_out, place)->kind = kernel_place(none, place)->kind = KERNEL_NONE;
    kernel_place(left_out, place)->is_given = false;
    kernel_place(none, place)->is_given = true;
    KernelCall *as = call_is_outside(left_out) ? NULL : serve(&judging, left_out);
    if (as) judge(&judging, none, as, "None for %s", place_name(kernel, place, name));
  }
  if (judging.judged == 0) case_not_applicable("%s", no_optional);
}

KERNEL_CASE(other_keys_are_ignored, .clauses = {KER_52, KER_8}, .needs = NEEDS_A_RUN,
            .lacks = lacks_other_keys, .after_right_call = true,
            .title = "entries that a map need not have change nothing, where the file says so")
{
  Judging judging = {.iut = iut, .kernel = kernel, .signature = require_file(kernel)};
  KernelCall *right = require_right_call(iut, kernel);
  for (uint32_t place = 0; place < kernel_place_count(kernel); ++place) {
    const KernelParameter *map = kernel_place_of(kernel, place);
    if (!map->keyed ||
        signature_type(judging.signature, map->type)->others != SIGNATURE_OTHERS_IGNORED)
      continue;
    Kernel *other = kernel_new_copy(kernel);
    if (!kernel_add_entry(other, kernel_place(other, place), "no_such_key")) continue;
    KernelCall *call = new_right_call(iut, other);
    note_call(call, "with the key \"no_such_key\" besides: ");
    make_call(call);
    ++judging.judged;
    if (expect_served(call)) expect_same_outcome(call, right);
  }
  if (judging.judged == 0) case_not_applicable("%s", no_others);
}
