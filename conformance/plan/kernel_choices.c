// SPDX-License-Identifier: Apache-2.0
// Which calls of a signature are tried.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_choice.h"
#include "plan/kernel_site.h"
#include "plan/kernel_solve.h"

enum { PAIRED_MOST = 24, CALLS_MOST = 80, FILLED_MOST = 80 };

// --- Words ---------------------------------------------------------------------------------------

// The parameter or element that is made of this type, NULL if there is none.
static const KernelParameter *made_of(const Kernel *kernel, uint32_t type)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].type == type) return &kernel->parameters[i];
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    if (kernel->elements[i].type == type) return &kernel->elements[i];
  return NULL;
}

static const char *name_of_type(const Signature *signature, uint32_t type, const Kernel *kernel)
{
  const char *name = signature_text(signature, signature_type(signature, type)->name);
  if (*name) return name;
  const KernelParameter *made = made_of(kernel, type);
  return made && made->name[0] ? made->name : "an element";
}

static void say_value(const KernelParameter *parameter, char *out, size_t capacity)
{
  switch (parameter ? parameter->kind : KERNEL_ANY) {
    case KERNEL_INT:
      snprintf(out, capacity, "%lld", (long long)parameter->integer);
      return;
    case KERNEL_BOOL:
      snprintf(out, capacity, "%s", parameter->integer ? "true" : "false");
      return;
    case KERNEL_FLOAT:
      snprintf(out, capacity, "%g", parameter->number);
      return;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      snprintf(out, capacity, strlen(parameter->text) > 24 ? "\"%.24s...\"" : "\"%s\"",
               parameter->text);
      return;
    case KERNEL_NONE:
      snprintf(out, capacity, "None");
      return;
    default:
      snprintf(out, capacity, "%.40s",
               parameter && parameter->text[0] ? parameter->text : "another");
  }
}

static void describe(const Signature *signature, const KernelSite *site, unsigned option,
                     const Kernel *kernel, KernelChoice *choice)
{
  char value[48];
  int64_t size = 0;
  char *words = choice->words;
  const size_t room = sizeof choice->words;
  const bool of_type = site->kind >= KERNEL_SITE_GIVEN && site->kind != KERNEL_SITE_BROADCAST;
  const char *name = of_type ? name_of_type(signature, site->of, kernel) : site->name;
  const KernelParameter *made = of_type ? made_of(kernel, site->of) : NULL;
  switch (site->kind) {
    case KERNEL_SITE_SIZE:
      kernel_size_of(kernel, site->name, &size);
      snprintf(words, room, "%s = %lld", name, (long long)size);
      snprintf(choice->settle, sizeof choice->settle, "\"sizes\": {\"%s\": [%lld]}", name,
               (long long)size);
      return;
    case KERNEL_SITE_DTYPE_VARIABLE:
    case KERNEL_SITE_DEVICE_VARIABLE: {
      const SignatureVariable *variable = signature_variable(signature, site->of);
      const SignatureValue *word = signature_value(signature, variable->values.first + option);
      snprintf(words, room, "%.40s: %.40s", signature_text(signature, variable->name),
               signature_text(signature, word->text));
      return;
    }
    case KERNEL_SITE_NAMED_RANK:
      snprintf(words, room, "%d extents for *%s", (int)kernel_site_rank(option), name);
      snprintf(choice->settle, sizeof choice->settle, "\"shape\" without \"*%s\"", name);
      return;
    case KERNEL_SITE_COUNT:
      snprintf(words, room, "%u arguments", kernel->parameter_count);
      return;
    case KERNEL_SITE_GIVEN:
      snprintf(words, room, "%s: None", name);
      return;
    case KERNEL_SITE_RANK:
      snprintf(words, room, "%s: %d dimensions", name, made ? (int)made->rank : 0);
      snprintf(choice->settle, sizeof choice->settle,
               "\"shape\" of %s with as many extents as it takes", name);
      return;
    case KERNEL_SITE_BROADCAST:
      snprintf(words, room, "an extent of 1 for #%s",
               signature_text(signature, signature_extent(signature, site->of)->text));
      return;
    case KERNEL_SITE_LENGTH:
      snprintf(words, room, "%s: %u elements", name,
               made ? made->element_count / (made->kind == KERNEL_MAP && !made->keyed ? 2 : 1) : 0);
      snprintf(choice->settle, sizeof choice->settle, "\"length\" of %s", name);
      return;
    case KERNEL_SITE_VARIANT:
      snprintf(words, room, "%s: %s", name,
               kernel_kind_names[signature_type(
                                     signature,
                                     signature_type(signature, site->of)->children.first + option)
                                     ->kind]);
      return;
    case KERNEL_SITE_DTYPE:
    case KERNEL_SITE_DEVICE:
    case KERNEL_SITE_VALUE:
      say_value(made, value, sizeof value);
      snprintf(words, room, "%.40s: %s", name, value);
      snprintf(choice->settle, sizeof choice->settle, "%s of %.40s",
               signature_type(signature, site->of)->kind == KERNEL_INT ||
                       signature_type(signature, site->of)->kind == KERNEL_FLOAT
                   ? "\"min\" and \"max\", \"values\" or \"examples\","
                   : "\"values\"",
               name);
      return;
  }
}

// --- The list ------------------------------------------------------------------------------------

static void put_parents(const KernelSites *sites, int site, KernelChoice *choice,
                        bool pinned[KERNEL_SITES_MAX])
{
  for (int up = sites->items[site].parent, from = site; up >= 0; up = sites->items[up].parent) {
    choice->options[up] = sites->items[from].parent_option;
    pinned[up] = true;
    from = up;
  }
}

typedef struct List {
  const Signature *signature;
  KernelChoice *choices;
  size_t count, capacity;
  Kernel *kernel, *plain;  // own; where calls are made to see whether they can be
} List;

static bool is_there(const List *list, const KernelChoice *choice)
{
  for (size_t i = 0; i < list->count; ++i) {
    const KernelChoice *other = &list->choices[i];
    if (other->form == choice->form && other->contents == choice->contents &&
        other->bounded == choice->bounded && other->call == choice->call &&
        other->whole == choice->whole &&
        memcmp(other->options, choice->options, sizeof choice->options) == 0)
      return true;
  }
  return false;
}

static bool same_value(const KernelParameter *one, const KernelParameter *other)
{
  return one->kind == other->kind && one->integer == other->integer &&
         one->number == other->number && one->rank == other->rank &&
         one->element_count == other->element_count && one->text_size == other->text_size &&
         memcmp(&one->dtype, &other->dtype, sizeof one->dtype) == 0 &&
         memcmp(&one->device, &other->device, sizeof one->device) == 0 &&
         memcmp(one->shape, other->shape, sizeof one->shape) == 0 &&
         strcmp(one->text, other->text) == 0;
}

// Whether the call in list->kernel is the example: what a listed call gives is not varied.
static bool is_example(const List *list, const KernelChoice *example)
{
  char problem[KERNEL_PROBLEM_MAX];
  if (example->settings.count == 0 || example->call > 0 ||
      !kernel_of_choice(list->signature, example, list->plain, problem) ||
      kernel_place_count(list->kernel) != kernel_place_count(list->plain))
    return false;
  for (uint32_t i = 0; i < kernel_place_count(list->kernel); ++i)
    if (!same_value(kernel_place_of(list->kernel, i), kernel_place_of(list->plain, i)))
      return false;
  return true;
}

// Whether conditions were met by something that nobody promises, and that the example has not.
static bool has_unpromised(const List *list, const KernelChoice *choice)
{
  KernelSites sites;
  kernel_sites_of(list->signature, choice->form, &sites);
  for (size_t i = 0; i < list->count; ++i) {
    const KernelChoice *example = &list->choices[i];
    if (example->form != choice->form) continue;
    for (int site = 0; site < sites.count; ++site) {
      const KernelSite *at = &sites.items[site];
      const bool used = at->parent < 0 || choice->options[at->parent] == at->parent_option;
      if (used && choice->options[site] >= at->promised &&
          choice->options[site] != example->options[site])
        return true;
    }
    return false;
  }
  return false;
}

static bool add(List *list, KernelChoice *choice, const bool pinned[KERNEL_SITES_MAX])
{
  char problem[KERNEL_PROBLEM_MAX];
  if (list->count == list->capacity ||
      !kernel_choice_solve(list->signature, choice, pinned, list->kernel, problem) ||
      is_there(list, choice))
    return false;
  // Of the form's own choices the example is the first.
  for (size_t i = 0; i < list->count; ++i)
    if (list->choices[i].form == choice->form) {
      if (is_example(list, &list->choices[i])) return false;
      break;
    }
  if (choice->standing == KERNEL_PROMISED && has_unpromised(list, choice))
    choice->standing = KERNEL_EXPLORED;
  list->choices[list->count++] = *choice;
  return true;
}

static void add_option(List *list, const KernelChoice *example, const KernelSites *sites, int site,
                       unsigned option)
{
  bool pinned[KERNEL_SITES_MAX] = {false};
  KernelChoice choice = *example;
  const KernelSite *at = &sites->items[site];
  const bool promised =
      option < at->promised && !signature_form(list->signature, example->form)->only_calls;
  choice.standing = promised ? KERNEL_PROMISED : KERNEL_EXPLORED;
  choice.options[site] = (uint8_t)option;
  pinned[site] = true;
  put_parents(sites, site, &choice, pinned);
  if (add(list, &choice, pinned))
    describe(list->signature, at, option, list->kernel, &list->choices[list->count - 1]);
}

// Each option of each point, once: those that are promised, or the others.
static void add_each(List *list, const KernelChoice *example, const KernelSites *sites,
                     KernelStanding standing)
{
  for (int site = 0; site < sites->count; ++site) {
    const KernelSite *at = &sites->items[site];
    const unsigned first = standing == KERNEL_PROMISED ? 0 : at->promised;
    const unsigned last = standing == KERNEL_PROMISED ? at->promised : at->options;
    for (unsigned option = first; option < last; ++option)
      if (option != example->options[site]) add_option(list, example, sites, site, option);
  }
}

static bool has_pair(const List *list, uint32_t form, const int sites[2], const unsigned options[2])
{
  for (size_t i = 0; i < list->count; ++i) {
    const KernelChoice *choice = &list->choices[i];
    if (choice->form == form && choice->call == 0 && choice->standing == KERNEL_PROMISED &&
        choice->options[sites[0]] == options[0] && choice->options[sites[1]] == options[1])
      return true;
  }
  return false;
}

// A choice with two options that are in none yet; the rest is drawn.
static void add_pair(List *list, const KernelChoice *example, const KernelSites *sites,
                     const int pair[2], const unsigned options[2], uint32_t *state)
{
  bool pinned[KERNEL_SITES_MAX] = {false};
  KernelChoice choice = *example;
  char first[sizeof choice.words];
  for (int i = 0; i < sites->count; ++i)
    choice.options[i] = (uint8_t)kernel_draw(state, sites->items[i].promised);
  for (int i = 0; i < 2; ++i) {
    choice.options[pair[i]] = (uint8_t)options[i];
    pinned[pair[i]] = true;
    put_parents(sites, pair[i], &choice, pinned);
  }
  if (choice.options[pair[0]] != options[0] || choice.options[pair[1]] != options[1] ||
      !add(list, &choice, pinned))
    return;
  KernelChoice *added = &list->choices[list->count - 1];
  describe(list->signature, &sites->items[pair[0]], options[0], list->kernel, added);
  memcpy(first, added->words, sizeof first);
  describe(list->signature, &sites->items[pair[1]], options[1], list->kernel, added);
  const size_t length = strlen(added->words);
  snprintf(added->words + length, sizeof added->words - length, ", %.*s",
           (int)(sizeof added->words - 3 - length), first);
}

// Each two of what is promised together: what serves each of them may fail with both.
static void add_pairs(List *list, const KernelChoice *example, const KernelSites *sites)
{
  uint32_t state = 4711;
  const size_t last = list->count + PAIRED_MOST;
  if (signature_form(list->signature, example->form)->only_calls) return;
  for (int i = 0; i < sites->count; ++i)
    for (int k = i + 1; k < sites->count; ++k)
      for (unsigned a = 0; a < sites->items[i].promised; ++a)
        for (unsigned b = 0; b < sites->items[k].promised; ++b) {
          const int pair[2] = {i, k};
          const unsigned options[2] = {a, b};
          if (list->count < last && !has_pair(list, example->form, pair, options))
            add_pair(list, example, sites, pair, options, &state);
        }
}

// None for all that may be; false if there is nothing.
static bool leave_out(const KernelSites *sites, KernelChoice *choice, bool pinned[KERNEL_SITES_MAX])
{
  bool any = false;
  for (int i = 0; i < sites->count; ++i) {
    if (sites->items[i].kind != KERNEL_SITE_GIVEN || sites->items[i].parent >= 0) continue;
    choice->options[i] = 1;
    pinned[i] = any = true;
  }
  return any;
}

// The choice, and the same without what may be left out, which may be another way through the function.
static bool add_both_ways(List *list, KernelChoice *choice, const KernelSites *sites,
                          bool pinned[KERNEL_SITES_MAX])
{
  enum { ELEMENTS_MOST = 1 << 22 };
  KernelChoice other = *choice;
  const bool promised = choice->standing == KERNEL_PROMISED;
  bool added = add(list, choice, pinned);
  if (added && promised && kernel_elements(list->kernel) > ELEMENTS_MOST) {
    --list->count;
    return false;
  }
  if (!leave_out(sites, &other, pinned)) return added;
  strncat(other.words, ", without the rest", sizeof other.words - strlen(other.words) - 1);
  return add(list, &other, pinned) || added;
}

// All sizes large, or beyond that: with many divisors, and with none, so that what is shared by threads or
// blocks leaves a rest.
static void add_large(List *list, const KernelChoice *example, const KernelSites *sites)
{
  for (int odd = 0; odd < 2; ++odd) {
    bool pinned[KERNEL_SITES_MAX] = {false};
    KernelChoice choice = *example;
    snprintf(choice.words, sizeof choice.words, odd ? "large odd sizes" : "large sizes");
    choice.standing = KERNEL_EXPLORED;
    snprintf(choice.settle, sizeof choice.settle, "\"sizes\" with the sizes that it takes");
    for (int i = 0; i < sites->count; ++i) {
      if (sites->items[i].kind != KERNEL_SITE_SIZE) continue;
      choice.options[i] = (uint8_t)(sites->items[i].options + (odd ? 1 : -1));
      pinned[i] = true;
    }
    add_both_ways(list, &choice, sites, pinned);
  }
}

// The option with the largest of the sizes that are promised.
static unsigned largest_size(const List *list, const KernelChoice *example, const KernelSite *site)
{
  const SignatureForm *form = signature_form(list->signature, example->form);
  unsigned largest = 0;
  for (unsigned option = 1; option < site->promised; ++option)
    if (kernel_site_size(list->signature, form, site, option) >
        kernel_site_size(list->signature, form, site, largest))
      largest = option;
  return largest;
}

// The largest sizes of all lists together, as far as that stays small: what a function does with much
// of one kind alone may not show it.
static void add_largest(List *list, const KernelChoice *example, const KernelSites *sites)
{
  bool pinned[KERNEL_SITES_MAX] = {false};
  KernelChoice choice = *example;
  unsigned moved = 0;
  if (signature_form(list->signature, example->form)->only_calls) return;
  snprintf(choice.words, sizeof choice.words, "the largest sizes");
  choice.standing = KERNEL_PROMISED;
  for (int i = 0; i < sites->count; ++i) {
    if (sites->items[i].kind != KERNEL_SITE_SIZE || sites->items[i].promised < 2) continue;
    choice.options[i] = (uint8_t)largest_size(list, example, &sites->items[i]);
    pinned[i] = true;
    ++moved;
  }
  if (moved > 1) add_both_ways(list, &choice, sites, pinned);
}

// Whether all tensors are rows, and nothing of the caller's is called for each element.
static bool is_flat(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].rank > 1 || kernel->parameters[i].kind == KERNEL_FUNCTION)
      return false;
  for (uint32_t i = 0; i < kernel->element_count; ++i)
    if (kernel->elements[i].kind == KERNEL_TENSOR && kernel->elements[i].rank > 1) return false;
  return true;
}

// Of functions of rows, which do little for each element: each size alone, and all of them, so large
// that several threads are worth it.
static void add_many(List *list, const KernelChoice *example, const KernelSites *sites)
{
  char problem[KERNEL_PROBLEM_MAX];
  bool pinned[KERNEL_SITES_MAX];
  if (!kernel_of_choice(list->signature, example, list->kernel, problem) || !is_flat(list->kernel))
    return;
  memset(pinned, true, sizeof pinned);
  for (int alone = 0; alone <= sites->count; ++alone) {
    KernelChoice choice = *example;
    unsigned moved = 0;
    choice.standing = KERNEL_EXPLORED;
    snprintf(choice.words, sizeof choice.words, "many elements");
    snprintf(choice.settle, sizeof choice.settle, "\"sizes\" with the sizes that it takes");
    for (int i = 0; i < sites->count; ++i) {
      if (sites->items[i].kind != KERNEL_SITE_SIZE || (alone < sites->count && i != alone))
        continue;
      choice.options[i] = sites->items[i].options;
      ++moved;
    }
    if (moved > 0) add(list, &choice, pinned);
  }
}

// What tensors hold: those of floats without limits, and those with limits.
typedef struct Filling {
  KernelContents contents, bounded;
  const char *words, *bounded_words;
} Filling;

static const char *words_for_limits = "\"min\" and \"max\" of the tensors";

static bool takes_contents(const KernelParameter *parameter)
{
  return parameter->kind == KERNEL_TENSOR && parameter->typed &&
         kernel_role_is_read(parameter->role) && parameter->value_count == 0 &&
         parameter->contents != KERNEL_FROM_NPY;
}

static bool same_tensor(const KernelParameter *one, const KernelParameter *other)
{
  return one->kind == other->kind && one->contents == other->contents;
}

static bool same_contents(const Kernel *one, const Kernel *other)
{
  for (uint32_t i = 0; i < one->parameter_count; ++i)
    if (takes_contents(&one->parameters[i]) &&
        !same_tensor(&one->parameters[i], &other->parameters[i]))
      return false;
  for (uint32_t i = 0; i < one->element_count; ++i)
    if (takes_contents(&one->elements[i]) && !same_tensor(&one->elements[i], &other->elements[i]))
      return false;
  return true;
}

// The call of `of` with tensors that are filled in this way, if that makes another one, and conditions
// hold in it.
static bool add_filled(List *list, const KernelChoice *of, KernelContents contents,
                       KernelContents bounded, const char *words)
{
  KernelChoice choice = *of;
  char problem[KERNEL_PROBLEM_MAX];
  choice.standing = KERNEL_EXPLORED;
  choice.contents = contents;
  choice.bounded = bounded;
  if (list->count == list->capacity || is_there(list, &choice) ||
      !kernel_of_choice(list->signature, of, list->plain, problem) ||
      !kernel_of_choice(list->signature, &choice, list->kernel, problem) ||
      same_contents(list->plain, list->kernel))
    return false;
  snprintf(choice.words, sizeof choice.words, "%.*s%s%s", (int)(sizeof choice.words - 50),
           of->words, of->words[0] ? ", " : "", words);
  snprintf(choice.settle, sizeof choice.settle, "%s", words_for_limits);
  list->choices[list->count++] = choice;
  return true;
}

static void add_filling(List *list, const KernelChoice *of, const Filling *filling)
{
  if (filling->contents == KERNEL_RISING || filling->bounded == KERNEL_RISING ||
      !add_filled(list, of, filling->contents, filling->bounded, filling->words)) {
    if (filling->contents) add_filled(list, of, filling->contents, KERNEL_RISING, filling->words);
    if (filling->bounded)
      add_filled(list, of, KERNEL_RISING, filling->bounded, filling->bounded_words);
  }
}

static void add_contents(List *list, const KernelChoice *example)
{
  static const Filling rows[] = {
      {KERNEL_SIGNED, KERNEL_RISING, "elements of both signs", ""},
      {KERNEL_ZEROS, KERNEL_RISING, "elements that are 0", ""},
      {KERNEL_SPECIAL, KERNEL_RISING, "NaN and infinities", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) add_filling(list, example, &rows[i]);
}

// With the example, and with each choice that goes through another branch of the function.
static void add_fillings(List *list, const KernelChoice *example, const KernelSites *sites)
{
  static const Filling rows[] = {
      {KERNEL_FINE, KERNEL_SORTED, "elements of many digits", "elements in order"},
      {KERNEL_NEGATIVE, KERNEL_LEAST, "negative elements", "elements at their least"},
      {KERNEL_LARGE, KERNEL_MOST, "large elements", "elements at their most"},
      {KERNEL_SMALL, KERNEL_RISING, "small elements", ""},
      {KERNEL_FEW, KERNEL_RISING, "equal elements", ""},
      {KERNEL_WIDE, KERNEL_RISING, "elements whose sums are long", ""},
      {KERNEL_HUGE, KERNEL_RISING, "huge elements", ""},
      {KERNEL_TINY, KERNEL_RISING, "tiny elements, and zeros of both signs", ""},
  };
  const size_t last = list->count + FILLED_MOST;
  for (size_t row = 0; row < sizeof rows / sizeof rows[0]; ++row) {
    add_filling(list, example, &rows[row]);
    for (int site = 0; site < sites->count; ++site) {
      const KernelSite *at = &sites->items[site];
      for (unsigned option = 0; option < at->promised && at->kind != KERNEL_SITE_SIZE; ++option) {
        bool pinned[KERNEL_SITES_MAX] = {false};
        KernelChoice choice = *example;
        char problem[KERNEL_PROBLEM_MAX];
        if (option == example->options[site] || list->count >= last) continue;
        choice.options[site] = (uint8_t)option;
        put_parents(sites, site, &choice, pinned);
        if (!kernel_of_choice(list->signature, &choice, list->kernel, problem)) continue;
        describe(list->signature, at, option, list->kernel, &choice);
        add_filling(list, &choice, &rows[row]);
      }
    }
  }
}

// Whether a float of 16 bits is read: sums in as many bits lose what is small among what is large, and
// are off by more than a rounding where they are of many elements.
static bool reads_halves(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    if (at->kind == KERNEL_TENSOR && at->typed && at->contents == KERNEL_WIDE &&
        at->dtype.bits == 16 && at->number > 1)
      return true;
  }
  return false;
}

// Each size large, alone.
static void add_long_sums_of(List *list, const KernelChoice *of, const KernelSites *sites)
{
  char problem[KERNEL_PROBLEM_MAX];
  for (int site = 0; site < sites->count; ++site) {
    KernelChoice choice = *of;
    if (sites->items[site].kind != KERNEL_SITE_SIZE) continue;
    choice.options[site] = (uint8_t)(sites->items[site].options - 1);
    choice.contents = KERNEL_WIDE;
    if (!kernel_of_choice(list->signature, &choice, list->kernel, problem) ||
        !reads_halves(list->kernel))
      continue;
    describe(list->signature, &sites->items[site], choice.options[site], list->kernel, &choice);
    choice.contents = KERNEL_RISING;
    add_filled(list, &choice, KERNEL_WIDE, KERNEL_RISING, "elements whose sums are long");
  }
}

// With each data type.
static void add_long_sums(List *list, const KernelChoice *example, const KernelSites *sites)
{
  add_long_sums_of(list, example, sites);
  for (int site = 0; site < sites->count; ++site) {
    const KernelSite *at = &sites->items[site];
    KernelChoice choice = *example;
    if (at->kind != KERNEL_SITE_DTYPE && at->kind != KERNEL_SITE_DTYPE_VARIABLE) continue;
    for (unsigned option = 0; option < at->promised; ++option) {
      choice.options[site] = (uint8_t)option;
      if (option != example->options[site]) add_long_sums_of(list, &choice, sites);
    }
  }
}

// Even one that can't be made: the case that makes it says why.
static void add_calls(List *list, const KernelChoice *example)
{
  const SignatureForm *form = signature_form(list->signature, example->form);
  for (uint32_t i = 0; i < form->calls.count && i < CALLS_MOST; ++i) {
    const SignatureCall *call = signature_call(list->signature, form->calls.first + i);
    if (call->refused) continue;
    KernelChoice choice = *example;
    choice.settings = call->arguments;
    choice.call = i + 1;
    snprintf(choice.words, sizeof choice.words, "calls[%u]", i);
    if (list->count < list->capacity) list->choices[list->count++] = choice;
  }
}

size_t kernel_choices(const Signature *signature, KernelChoice *choices, size_t capacity)
{
  List list = {
      signature, choices, 0, capacity, calloc(1, sizeof(Kernel)), calloc(1, sizeof(Kernel))};
  KernelChoice examples[8];
  KernelSites sites;
  uint32_t forms = signature->forms.count < 8 ? signature->forms.count : 8;
  const bool pinned[KERNEL_SITES_MAX] = {false};
  for (uint32_t form = 0; list.kernel && list.plain && form < forms; ++form) {
    char problem[KERNEL_PROBLEM_MAX];
    examples[form] = (KernelChoice){.form = form};
    const bool made = kernel_solve_example(signature, &examples[form], list.kernel, problem);
    if (form > 0)
      snprintf(examples[form].words, sizeof examples[form].words, "signatures[%u]", form);
    if (!(made && add(&list, &examples[form], pinned)) && form == 0) break;
    examples[form] = list.choices[list.count - 1];
    examples[form].words[0] = '\0';
  }
  for (uint32_t form = 0; list.count > 0 && form < forms; ++form) {
    if (examples[form].form != form) continue;
    kernel_sites_of(signature, form, &sites);
    add_calls(&list, &examples[form]);
    add_each(&list, &examples[form], &sites, KERNEL_PROMISED);
    add_pairs(&list, &examples[form], &sites);
    add_largest(&list, &examples[form], &sites);
    add_large(&list, &examples[form], &sites);
    add_many(&list, &examples[form], &sites);
    add_contents(&list, &examples[form]);
    add_fillings(&list, &examples[form], &sites);
    add_long_sums(&list, &examples[form], &sites);
  }
  for (uint32_t form = 0; list.count > 0 && form < forms; ++form) {
    if (examples[form].form != form) continue;
    kernel_sites_of(signature, form, &sites);
    add_each(&list, &examples[form], &sites, KERNEL_EXPLORED);
  }
  free(list.kernel);
  free(list.plain);
  return list.count;
}

size_t kernel_refusals(const Signature *signature, KernelRefused *refused, size_t capacity)
{
  char problem[KERNEL_PROBLEM_MAX];
  Kernel *kernel = calloc(1, sizeof *kernel);
  size_t count = 0;
  for (uint32_t f = 0; kernel && f < signature->forms.count; ++f) {
    const SignatureForm *form = signature_form(signature, f);
    KernelChoice example = {.form = f};
    if (!kernel_solve_example(signature, &example, kernel, problem))
      example = (KernelChoice){.form = f};
    example.standing = KERNEL_REFUSED;
    for (uint32_t i = 0; i < form->refusals.count && count < capacity; ++i) {
      const SignatureRefusal *refusal = signature_refusal(signature, form->refusals.first + i);
      if (refusal->when) continue;
      KernelRefused *added = &refused[count++];
      *added = (KernelRefused){example, refusal->kind, refusal->message};
      added->choice.settings = refusal->with;
      snprintf(added->choice.words, sizeof added->choice.words, "refuses[%u]", i);
    }
    for (uint32_t i = 0; i < form->calls.count && count < capacity; ++i) {
      const SignatureCall *call = signature_call(signature, form->calls.first + i);
      if (!call->refused) continue;
      KernelRefused *added = &refused[count++];
      *added = (KernelRefused){example, call->kind, call->message};
      added->choice.settings = call->arguments;
      snprintf(added->choice.words, sizeof added->choice.words, "calls[%u]", i);
    }
  }
  free(kernel);
  return count;
}
