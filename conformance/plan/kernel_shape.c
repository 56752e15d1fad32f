// SPDX-License-Identifier: Apache-2.0
// Shapes: each extent as the signature and the choice have it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/kernel_build.h"
#include "plan/kernel_choice.h"

enum { ELEMENTS_MOST = 1 << 24 };

static bool add_extent(Build *build, KernelParameter *parameter, int64_t size, const char *symbol,
                       bool any)
{
  if (parameter->rank == KERNEL_RANK_MAX)
    return build_fail(build, "a shape of more than %d extents", KERNEL_RANK_MAX);
  // A shape as a value is a list of numbers: of those that are given, or that must be refused, any.
  const bool number = parameter->kind == KERNEL_SHAPE && (any || build_is_refused(build));
  if (size < 0 && !number) return build_fail(build, "an extent is %lld", (long long)size);
  KernelExtent *extent = &parameter->shape[parameter->rank++];
  *extent = (KernelExtent){.size = size, .any = any};
  snprintf(extent->symbol, sizeof extent->symbol, "%.*s", KERNEL_SYMBOL_MAX - 1, symbol);
  return true;
}

// The extents that "..." and "*batch" stand for. Those of "..." differ between parameters.
static bool add_leading(Build *build, KernelParameter *parameter, unsigned option, unsigned turn,
                        bool any)
{
  static const int64_t extents[] = {2, 3, 2, 5};
  for (int32_t i = 0; i < kernel_site_rank(option); ++i)
    if (!add_extent(build, parameter, extents[((unsigned)i + turn) % 4], "", any)) return false;
  return true;
}

static const BoundSize *bound_each(const Build *build, const char *name)
{
  for (uint32_t i = 0; i < build->each_count; ++i)
    if (build->each[i].place == build->place && strcmp(build->each[i].name, name) == 0)
      return &build->each[i];
  return NULL;
}

// Each listed number in turn, or, where none is listed, three that differ.
int64_t build_each(const Build *build, const char *name)
{
  const BoundSize *bound = bound_each(build, name);
  const int found = kernel_site_find(&build->sites, KERNEL_SITE_SIZE, 0, name);
  int64_t size = 0;
  kernel_size_of(build->kernel, name, &size);
  if (bound || found < 0 || build->place == 0) return bound ? bound->size : size;
  const KernelSite *site = &build->sites.items[found];
  const unsigned option = build->choice->options[found], turn = build->place - 1;
  if (option < site->promised && site->promised > 1)
    return kernel_site_size(build->signature, build->form, site, (option + turn) % site->promised);
  return option == 0 && site->of == SIGNATURE_NONE ? size + turn % 3 : size;
}

bool build_bind_each(Build *build, const char *name, int64_t size)
{
  const BoundSize *bound = bound_each(build, name);
  if (bound)
    return bound->size == size || build_is_refused(build) ||
           build_fail(build, "%s of an element is %lld here and %lld there", name,
                      (long long)bound->size, (long long)size);
  const uint32_t room = sizeof build->each / sizeof *build->each;
  if (build->each_count == room) return build_fail(build, "more than %u sizes of elements", room);
  build->each[build->each_count++] = (BoundSize){name, build->place, size};
  return true;
}

const BoundShape *build_bound_rank(const Build *build, const char *name)
{
  for (uint32_t i = 0; i < build->rank_count; ++i)
    if (strcmp(build->ranks[i].name, name) == 0) return &build->ranks[i];
  return NULL;
}

static bool add_bound_rank(Build *build, KernelParameter *parameter, const BoundShape *bound)
{
  for (int32_t i = 0; i < bound->rank; ++i)
    if (!add_extent(build, parameter, bound->shape[i], "", false)) return false;
  return true;
}

static bool has_shape_of(const Build *build, const SignatureType *type, const char *name)
{
  for (uint32_t i = 0; i < type->shape.count; ++i) {
    ExpressionError error;
    const char *text =
        build_text(build, signature_extent(build->signature, type->shape.first + i)->text);
    Expression *expression = *text ? expression_parse(text, &error) : NULL;
    bool found = false;
    for (size_t k = 0; expression && expression_name(expression, k); ++k)
      found |= strcmp(expression_name(expression, k), name) == 0;
    expression_free(expression);
    if (found) return true;
  }
  return false;
}

// Whether an argument of the call has this size: what stands in empty containers alone is not known.
static bool is_in_arguments(const Build *build, const char *name)
{
  const Kernel *kernel = build->kernel;
  bool empty = false;
  for (uint32_t i = 0; i < kernel->parameter_count + build->argument_elements; ++i) {
    const KernelParameter *made = kernel_place_of(kernel, i);
    empty |= made->kind == KERNEL_ARRAY && made->element_count == 0;
    if ((made->kind == KERNEL_TENSOR || made->kind == KERNEL_SHAPE) &&
        has_shape_of(build, signature_type(build->signature, made->type), name))
      return true;
  }
  return !empty;
}

// An extent as the example has it.
static bool example_extent(const Build *build, uint32_t type, int32_t at, int64_t *size)
{
  KernelChoice example = *build->choice;
  char problem[KERNEL_PROBLEM_MAX];
  Kernel *kernel = calloc(1, sizeof *kernel);
  bool found = false;
  example.standing = KERNEL_PROMISED;
  example.settings = (SignatureRange){0};
  if (kernel && kernel_of_choice(build->signature, &example, kernel, problem))
    for (uint32_t i = 0; i < kernel->parameter_count && !found; ++i) {
      const KernelParameter *made = &kernel->parameters[i];
      found = made->type == type && at < made->rank;
      if (found) *size = made->shape[at].size;
    }
  free(kernel);
  return found;
}

// A call that is to be refused may have values of which no extent can be made, such as a group of 0
// elements: the tensors are those of the example then.
static bool make_size(Build *build, uint32_t type, SignatureText text, int32_t at, int64_t *size)
{
  bool made = build_integer(build, text, size);
  if (!build_is_refused(build) || (made && *size >= 0)) return made;
  return example_extent(build, type, at, size) || made;
}

// In the result it is any where no argument has an element at this place.
static bool make_each(Build *build, const char *name, KernelParameter *parameter)
{
  const int64_t size = build_each(build, name);
  if (build->in_result) {
    const bool any = build->place == 0 || !bound_each(build, name);
    return add_extent(build, parameter, size, "", any);
  }
  return build_bind_each(build, name, size) && add_extent(build, parameter, size, "", false);
}

static bool make_extent(Build *build, uint32_t type, uint32_t index, KernelParameter *parameter)
{
  const SignatureExtent *extent = signature_extent(build->signature, index);
  const char *text = build_text(build, extent->text);
  int64_t size = 0;
  switch (extent->form) {
    case SIGNATURE_EXTENT_NUMBER:
      return add_extent(build, parameter, extent->number, "", false);
    case SIGNATURE_EXTENT_ANY:
      return add_extent(build, parameter, 2 + (index + parameter->seed) % 4, "", true);
    case SIGNATURE_EXTENT_ANY_RANK:
      return add_leading(build, parameter, build_option(build, KERNEL_SITE_RANK, type, NULL),
                         parameter->seed, true);
    case SIGNATURE_EXTENT_NAMED_RANK:
      if (build_bound_rank(build, text))
        return add_bound_rank(build, parameter, build_bound_rank(build, text));
      return add_leading(build, parameter,
                         build_option(build, KERNEL_SITE_NAMED_RANK, SIGNATURE_NONE, text), 0,
                         false);
    case SIGNATURE_EXTENT_BROADCAST:
      if (build_option(build, KERNEL_SITE_BROADCAST, index, NULL) == 1)
        return add_extent(build, parameter, 1, "", false);
      return make_size(build, type, extent->text, parameter->rank, &size) &&
             add_extent(build, parameter, size, "", false);
    case SIGNATURE_EXTENT_EACH:
      return make_each(build, text, parameter);
    case SIGNATURE_EXTENT_EXPRESSION:
      if (!make_size(build, type, extent->text, parameter->rank, &size)) return false;
      return add_extent(
          build, parameter, size, expression_is_name(text) ? text : "",
          build->in_result && expression_is_name(text) && !is_in_arguments(build, text));
  }
  return build_fail(build, "an extent of an unknown form");
}

bool build_shape(Build *build, uint32_t index, const SignatureValue *given,
                 KernelParameter *parameter)
{
  const SignatureType *type = signature_type(build->signature, index);
  double elements = 1;
  if (!given && type->example != SIGNATURE_NONE && parameter->kind == KERNEL_SHAPE)
    given = signature_value(build->signature, type->example);
  parameter->rank = 0;
  if (given && given->kind == KERNEL_ARRAY) {
    for (uint32_t i = 0; i < given->items.count; ++i)
      if (!add_extent(build, parameter, build_item(build, given, i)->integer, "", true))
        return false;
    return true;
  }
  if (parameter->kind == KERNEL_SHAPE && !type->has_shape)
    return add_extent(build, parameter, 2, "", true) && add_extent(build, parameter, 3, "", true);
  for (uint32_t i = 0; i < type->shape.count; ++i)
    if (!make_extent(build, index, type->shape.first + i, parameter)) return false;
  for (int32_t i = 0; i < parameter->rank; ++i) elements *= (double)parameter->shape[i].size;
  return parameter->kind != KERNEL_TENSOR || elements <= ELEMENTS_MOST ||
         build_fail(build, "a tensor of %.0f elements is more than are tried", elements);
}
