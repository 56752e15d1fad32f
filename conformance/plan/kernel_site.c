// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_site.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const int64_t kernel_ints_tried[KERNEL_INTS_TRIED] = {-1,        0,         INT32_MAX,
                                                      INT32_MIN, INT64_MAX, INT64_MIN};
const double kernel_floats_tried[KERNEL_FLOATS_TRIED] = {0, -1.5, 1e30, NAN, INFINITY};
const char *const kernel_texts_tried[KERNEL_TEXTS_TRIED] = {
    "", "no such word",
    "a text of more than sixty bytes, which no list of words in any function is going to hold"};

// --- Options -------------------------------------------------------------------------------------

enum { SIZES_TRIED = 4, LENGTHS_TRIED = 3 };

// The most dimensions of a tensor among types, and in them.
static uint32_t most_dimensions(const Signature *signature, SignatureRange types)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < types.count; ++i) {
    const SignatureType *type = signature_type(signature, types.first + i);
    const uint32_t inside = type->kind == KERNEL_TENSOR
                                ? type->shape.count
                                : most_dimensions(signature, type->children);
    if (inside > most) most = inside;
  }
  return most;
}

// Sizes for which the work may be shared by threads, by the number of dimensions: a tensor of all has
// a million elements or so. They have many divisors, or they are primes.
static int64_t large_size(const Signature *signature, const SignatureForm *form, unsigned order,
                          bool prime)
{
  static const int64_t large[][4] = {{400, 304, 272, 144}, {144, 112, 96, 80}, {44, 40, 36, 32}},
                       primes[][4] = {{397, 307, 271, 149}, {139, 113, 97, 83}, {43, 41, 37, 31}};
  const uint32_t dimensions = most_dimensions(signature, form->parameters);
  const unsigned row = dimensions < 3 ? 0 : dimensions == 3 ? 1 : 2;
  return (prime ? primes : large)[row][order % 4];
}

int64_t kernel_site_size(const Signature *signature, const SignatureForm *form,
                         const KernelSite *site, unsigned option)
{
  static const int64_t usual[] = {4, 3, 5, 7, 6, 8, 9, 10};
  const unsigned order = site->order;
  uint32_t listed = 0;
  if (site->of != SIGNATURE_NONE) {
    const SignatureVariable *variable = signature_variable(signature, site->of);
    listed = variable->values.count;
    if (option < listed)
      return signature_value(signature, variable->values.first + option)->integer;
  } else if (option == 0) {
    return usual[order % 8] + (order / 8) * 8;
  }
  switch (option - (listed ? listed : 1)) {
    case 0:
      return 1;
    case 1:
      return 11 + 2 * (int64_t)order;
    case 2:
      return 16;
    case SIZES_TRIED - 1:
      return large_size(signature, form, order, false);
    case SIZES_TRIED:
      return KERNEL_MANY + order;
    default:
      return large_size(signature, form, order, true);
  }
}

int32_t kernel_site_rank(unsigned option)
{
  static const int32_t ranks[] = {2, 1, 3, 0};
  return ranks[option % 4];
}

// The number at this place of the list, where the first that is not 0 comes first.
static int64_t listed_length(const Signature *signature, SignatureRange lengths, unsigned option)
{
  unsigned first = 0;
  while (first + 1 < lengths.count &&
         signature_value(signature, lengths.first + first)->integer == 0)
    ++first;
  const unsigned at = option == 0 ? first : option <= first ? option - 1 : option;
  return signature_value(signature, lengths.first + at)->integer;
}

int64_t kernel_site_length(const Signature *signature, const SignatureType *type, bool rest,
                           unsigned option)
{
  static const int64_t usual[] = {2, 0, 1, 5}, counts[] = {3, 0, 1};
  const SignatureRange lengths = type->lengths;
  if (lengths.count && option >= lengths.count && !rest)
    return usual[1 + (option - lengths.count) % LENGTHS_TRIED];
  if (lengths.count && rest)
    // The most are the example's.
    return signature_value(signature, lengths.first + (lengths.count - 1 - option) % lengths.count)
        ->integer;
  if (lengths.count) return listed_length(signature, lengths, option % lengths.count);
  return rest ? counts[option % 3] : usual[option % 4];
}

static bool same_value(const Signature *signature, const SignatureValue *a, const SignatureValue *b)
{
  if (a->kind != b->kind) return false;
  if (a->kind == KERNEL_FLOAT) return a->number == b->number;
  if (a->kind == KERNEL_STRING || a->kind == KERNEL_BYTES)
    return a->text_size == b->text_size &&
           memcmp(signature_text(signature, a->text), signature_text(signature, b->text),
                  a->text_size) == 0;
  return a->integer == b->integer;
}

uint32_t kernel_site_example(const Signature *signature, const SignatureType *type)
{
  if (type->example == SIGNATURE_NONE) return 0;
  const SignatureValue *example = signature_value(signature, type->example);
  for (uint32_t i = 0; i < type->values.count; ++i)
    if (same_value(signature, signature_value(signature, type->values.first + i), example))
      return i;
  return 0;
}

// --- All of a form -------------------------------------------------------------------------------

typedef struct Walk {
  const Signature *signature;
  const SignatureForm *form;
  KernelSites *sites;
  int parent;
  uint8_t parent_option;
  uint32_t sizes[2];  // not listed, listed
} Walk;

static KernelSite *add(Walk *walk, KernelSiteKind kind, uint32_t of, unsigned promised,
                       unsigned explored)
{
  static KernelSite dropped;
  KernelSites *sites = walk->sites;
  if (promised + explored < 2 && kind != KERNEL_SITE_SIZE) return &dropped;
  if (sites->count == KERNEL_SITES_MAX) return &dropped;
  if (promised > 200) promised = 200;
  KernelSite *site = &sites->items[sites->count++];
  *site = (KernelSite){.kind = kind,
                       .of = of,
                       .promised = (uint8_t)promised,
                       .options = (uint8_t)(promised + explored),
                       .parent = walk->parent,
                       .parent_option = walk->parent_option};
  return site;
}

int kernel_site_find(const KernelSites *sites, KernelSiteKind kind, uint32_t of, const char *name)
{
  for (int i = 0; i < sites->count; ++i)
    if (sites->items[i].kind == kind &&
        (name ? strcmp(sites->items[i].name, name) == 0 : sites->items[i].of == of))
      return i;
  return -1;
}

static void add_size(Walk *walk, const char *name, uint32_t variable)
{
  if (kernel_site_find(walk->sites, KERNEL_SITE_SIZE, 0, name) >= 0) return;
  uint32_t listed =
      variable == SIGNATURE_NONE ? 0 : signature_variable(walk->signature, variable)->values.count;
  KernelSite *site = add(walk, KERNEL_SITE_SIZE, variable, listed ? listed : 1, SIZES_TRIED);
  snprintf(site->name, sizeof site->name, "%.*s", KERNEL_SYMBOL_MAX - 1, name);
  site->order = walk->sizes[listed > 0]++;
}

// Parameters have values of their own.
static bool is_parameter(const Walk *walk, const char *name)
{
  const SignatureRange range = walk->form->parameters;
  for (uint32_t i = 0; i < range.count; ++i) {
    const SignatureType *type = signature_type(walk->signature, range.first + i);
    if (strcmp(signature_text(walk->signature, type->name), name) == 0) return true;
  }
  return walk->form->rest != SIGNATURE_NONE &&
         strcmp(signature_text(walk->signature,
                               signature_type(walk->signature, walk->form->rest)->name),
                name) == 0;
}

static void add_sizes_of(Walk *walk, SignatureText text)
{
  ExpressionError error;
  Expression *expression = expression_parse(signature_text(walk->signature, text), &error);
  for (size_t i = 0; expression && expression_name(expression, i); ++i)
    if (!is_parameter(walk, expression_name(expression, i)))
      add_size(walk, expression_name(expression, i), SIGNATURE_NONE);
  expression_free(expression);
}

static void walk_shape(Walk *walk, uint32_t type, SignatureRange shape)
{
  for (uint32_t i = 0; i < shape.count; ++i) {
    const SignatureExtent *extent = signature_extent(walk->signature, shape.first + i);
    const char *text = signature_text(walk->signature, extent->text);
    const int parent = walk->parent;
    switch (extent->form) {
      case SIGNATURE_EXTENT_BROADCAST:
        add_sizes_of(walk, extent->text);
        add(walk, KERNEL_SITE_BROADCAST, shape.first + i, 2, 0);
        break;
      case SIGNATURE_EXTENT_EACH:
      case SIGNATURE_EXTENT_EXPRESSION:
        // Of all calls, whatever the points above are at.
        walk->parent = -1;
        add_sizes_of(walk, extent->text);
        walk->parent = parent;
        break;
      case SIGNATURE_EXTENT_ANY_RANK:
        add(walk, KERNEL_SITE_RANK, type, 3, 1);
        break;
      case SIGNATURE_EXTENT_NAMED_RANK:
        if (kernel_site_find(walk->sites, KERNEL_SITE_NAMED_RANK, 0, text) < 0) {
          walk->parent = -1;
          KernelSite *site = add(walk, KERNEL_SITE_NAMED_RANK, SIGNATURE_NONE, 3, 1);
          snprintf(site->name, sizeof site->name, "%.*s", KERNEL_SYMBOL_MAX - 1, text);
          walk->parent = parent;
        }
        break;
      default:
        break;
    }
  }
}

static void add_value(Walk *walk, uint32_t index, const SignatureType *type)
{
  unsigned limits = (type->least != 0) + (type->most != 0);
  unsigned listed = type->values.count ? type->values.count : 1;
  if (type->values.count && !type->takes_others) {
    add(walk, KERNEL_SITE_VALUE, index, listed, 0);
    return;
  }
  switch (type->kind) {
    case KERNEL_INT:
      add(walk, KERNEL_SITE_VALUE, index, listed + limits, KERNEL_INTS_TRIED);
      break;
    case KERNEL_FLOAT:
      add(walk, KERNEL_SITE_VALUE, index, listed + limits, KERNEL_FLOATS_TRIED);
      break;
    case KERNEL_BOOL:
      add(walk, KERNEL_SITE_VALUE, index, 1, 1);
      break;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      add(walk, KERNEL_SITE_VALUE, index, listed, KERNEL_TEXTS_TRIED);
      break;
    default:
      break;
  }
}

static void walk_type(Walk *walk, uint32_t index, unsigned depth);

static void walk_children(Walk *walk, const SignatureType *type, unsigned depth)
{
  for (uint32_t i = 0; i < type->children.count; ++i)
    walk_type(walk, type->children.first + i, depth + 1);
}

// Whether a formula has elements of this parameter by their number, such as "parts[0]".
static bool names_elements(const char *formula, const char *name)
{
  const size_t size = strlen(name);
  const char *at = formula;
  while (size > 0 && (at = strstr(at, name))) {
    const bool begins = at == formula || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    at += size;
    if (begins && at[0] == '[' && isdigit((unsigned char)at[1])) return true;
  }
  return false;
}

// How many lengths besides the listed ones are tried. What is stated of single elements is stated for
// arrays of these.
static unsigned lengths_tried(const Walk *walk, const SignatureType *type)
{
  const char *name = signature_text(walk->signature, type->name);
  for (uint32_t i = 0; i < walk->form->expected.count; ++i) {
    const SignatureExpected *expected =
        signature_expected(walk->signature, walk->form->expected.first + i);
    if (names_elements(signature_text(walk->signature, expected->formula), name)) return 0;
  }
  return LENGTHS_TRIED;
}

static void walk_kind(Walk *walk, uint32_t index, const SignatureType *type, unsigned depth)
{
  switch (type->kind) {
    case KERNEL_TENSOR:
      if (!type->dtype_variable) add(walk, KERNEL_SITE_DTYPE, index, type->dtypes.count, 0);
      if (!type->device_variable) add(walk, KERNEL_SITE_DEVICE, index, type->devices.count, 0);
      if (type->has_shape) walk_shape(walk, index, type->shape);
      break;
    case KERNEL_SHAPE:
      if (type->has_shape) walk_shape(walk, index, type->shape);
      break;
    case KERNEL_ARRAY:
    case KERNEL_MAP:
      if (type->lengths.count)
        add(walk, KERNEL_SITE_LENGTH, index, type->lengths.count, lengths_tried(walk, type));
      else if (!type->length && !type->has_entries)
        add(walk, KERNEL_SITE_LENGTH, index, 1, LENGTHS_TRIED);
      walk_children(walk, type, depth);
      break;
    case KERNEL_TUPLE:
      walk_children(walk, type, depth);
      break;
    default:
      add_value(walk, index, type);
  }
}

static void walk_variant(Walk *walk, uint32_t index, const SignatureType *type, unsigned depth)
{
  const int parent = walk->parent;
  const uint8_t parent_option = walk->parent_option;
  add(walk, KERNEL_SITE_VARIANT, index, type->children.count, 0);
  const int here = kernel_site_find(walk->sites, KERNEL_SITE_VARIANT, index, NULL);
  for (uint32_t i = 0; i < type->children.count; ++i) {
    if (here >= 0) {
      walk->parent = here;
      walk->parent_option = (uint8_t)i;
    }
    walk_type(walk, type->children.first + i, depth + 1);
  }
  walk->parent = parent;
  walk->parent_option = parent_option;
}

static void walk_type(Walk *walk, uint32_t index, unsigned depth)
{
  const SignatureType *type = signature_type(walk->signature, index);
  const int parent = walk->parent;
  const uint8_t parent_option = walk->parent_option;
  if (depth > SIGNATURE_DEPTH_MAX) return;
  // What nothing can be made of is None in each call.
  if (type->optional && type->kind != KERNEL_ANY && type->kind != KERNEL_OBJECT) {
    add(walk, KERNEL_SITE_GIVEN, index, 2, 0);
    const int here = kernel_site_find(walk->sites, KERNEL_SITE_GIVEN, index, NULL);
    if (here >= 0) {
      walk->parent = here;
      walk->parent_option = 0;
    }
  }
  if (type->kind == KERNEL_VARIANT)
    walk_variant(walk, index, type, depth);
  else
    walk_kind(walk, index, type, depth);
  walk->parent = parent;
  walk->parent_option = parent_option;
}

// The sizes of a result are those of the arguments; no call differs in its result alone.
void kernel_sites_of(const Signature *signature, uint32_t form_index, KernelSites *sites)
{
  const SignatureForm *form = signature_form(signature, form_index);
  Walk walk = {.signature = signature, .form = form, .sites = sites, .parent = -1};
  sites->count = 0;
  for (uint32_t i = 0; i < form->sizes.count; ++i)
    add_size(&walk,
             signature_text(signature, signature_variable(signature, form->sizes.first + i)->name),
             form->sizes.first + i);
  for (uint32_t i = 0; i < form->dtypes.count; ++i)
    add(&walk, KERNEL_SITE_DTYPE_VARIABLE, form->dtypes.first + i,
        signature_variable(signature, form->dtypes.first + i)->values.count, 0);
  for (uint32_t i = 0; i < form->devices.count; ++i)
    add(&walk, KERNEL_SITE_DEVICE_VARIABLE, form->devices.first + i,
        signature_variable(signature, form->devices.first + i)->values.count, 0);
  for (uint32_t i = 0; i < form->parameters.count; ++i)
    walk_type(&walk, form->parameters.first + i, 0);
  if (form->rest == SIGNATURE_NONE) return;
  const uint32_t listed = signature_type(signature, form->rest)->lengths.count;
  add(&walk, KERNEL_SITE_COUNT, form->rest, listed ? listed : 3, 0);
  walk_type(&walk, form->rest, 0);
}
