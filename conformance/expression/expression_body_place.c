// SPDX-License-Identifier: Apache-2.0
// Matrix products, and elements that go to places that other elements name.
#include <string.h>

#include "expression/expression_arrays.h"
#include "expression/expression_bodies.h"
#include "expression/expression_elements.h"

bool body_matmul(ExpressionMachine *machine, const ExpressionFunction *function,
                 const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  return machine_need_array(machine, arguments->given[0], "x") &&
         machine_need_array(machine, arguments->given[1], "y") &&
         arrays_matmul(machine, arguments->given[0], arguments->given[1], out);
}

static bool need_indices(ExpressionMachine *machine, ExpressionValue *value)
{
  if (!machine_need_array(machine, value, "an index")) return false;
  // No elements have no type of their own.
  return value->kind == EXPRESSION_INT || value->count == 0 ||
         machine_fail(machine, "indexes are integers");
}

static bool place_of(ExpressionMachine *machine, long double index, int64_t extent, size_t *place)
{
  if (index < -extent || index >= extent)
    return machine_fail(machine, "index %.0Lf is outside an extent of %lld", index,
                        (long long)extent);
  *place = (size_t)(index < 0 ? index + extent : index);
  return true;
}

// The shape of the indices, then that of a row of `base`.
static bool scattered_shape(ExpressionMachine *machine, const ExpressionValue *base,
                            const ExpressionValue *indices, int32_t *rank, int64_t *shape)
{
  *rank = indices->rank + base->rank - 1;
  if (*rank > EXPRESSION_RANK_MAX)
    return machine_fail(machine, "an array has at most %d dimensions", EXPRESSION_RANK_MAX);
  memcpy(shape, indices->shape, (size_t)indices->rank * sizeof *shape);
  memcpy(shape + indices->rank, base->shape + 1, (size_t)(base->rank - 1) * sizeof *shape);
  return true;
}

static bool scatter(ExpressionMachine *machine, const ExpressionValue *indices,
                    const ExpressionValue *values, ExpressionValue *out)
{
  size_t row = indices->count ? values->count / indices->count : 0;
  for (size_t i = 0; i < indices->count; ++i) {
    size_t place = 0;
    if (!place_of(machine, indices->elements[i], out->shape[0], &place)) return false;
    for (size_t k = 0; k < row; ++k) {
      long double both[] = {out->elements[place * row + k], values->elements[i * row + k]};
      out->elements[place * row + k] =
          out->kind == EXPRESSION_INT ? element_integer_plus(both) : both[0] + both[1];
    }
  }
  return true;
}

bool body_scatter_add(ExpressionMachine *machine, const ExpressionFunction *function,
                      const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue *base = arguments->given[0], *indices = arguments->given[1],
                  *given = arguments->given[2], values;
  int64_t shape[EXPRESSION_RANK_MAX];
  int32_t rank;
  if (!machine_need_array(machine, base, "x") || !need_indices(machine, indices) ||
      !machine_need_array(machine, given, "values"))
    return false;
  if (base->rank == 0) return machine_fail(machine, "scatter_add adds to an array");
  if (!scattered_shape(machine, base, indices, &rank, shape) ||
      !elements_broadcast(machine, given, rank, shape, &values))
    return false;
  bool made = arrays_copy(machine, base, out);
  if (made) out->kind = elements_kind(base, given);
  if (made && out->kind == EXPRESSION_BOOL) out->kind = EXPRESSION_INT;
  if (made && !scatter(machine, indices, &values, out)) {
    machine_free(machine, out);
    made = false;
  }
  machine_free(machine, &values);
  return made;
}

bool body_bincount(ExpressionMachine *machine, const ExpressionFunction *function,
                   const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue *value = arguments->given[0];
  int64_t length;
  if (!need_indices(machine, value) ||
      !machine_need_integer(machine, arguments->given[1], "length", &length) ||
      !machine_new(machine, out, EXPRESSION_INT, 1, &length))
    return false;
  for (size_t i = 0; i < value->count; ++i) {
    if (value->elements[i] >= 0 && value->elements[i] < length) {
      out->elements[(size_t)value->elements[i]] += 1;
      continue;
    }
    machine_free(machine, out);
    return machine_fail(machine, "%.0Lf is outside %lld bins", value->elements[i],
                        (long long)length);
  }
  return true;
}

// The shape of what is taken: that of the indices along the axis, and as both broadcast in the others.
static bool taken_shape(ExpressionMachine *machine, const ExpressionValue *value,
                        const ExpressionValue *indices, int32_t axis, int64_t *shape)
{
  if (indices->rank != value->rank)
    return machine_fail(machine, "the indices have as many dimensions as the array");
  for (int32_t k = 0; k < value->rank; ++k) {
    const int64_t own = value->shape[k], other = indices->shape[k];
    if (k != axis && own != other && own != 1 && other != 1)
      return machine_fail(machine, "the shapes differ in axis %d", (int)k);
    shape[k] = k == axis || own == 1 ? other : own;
  }
  return true;
}

// Along the axis, the elements that the indices name; in the other axes, those at the same place; these broadcast.
bool body_take_along_axis(ExpressionMachine *machine, const ExpressionFunction *function,
                          const FunctionArguments *arguments, ExpressionValue *out)
{
  (void)function;
  ExpressionValue *value = arguments->given[0], *indices = arguments->given[1];
  int64_t number;
  int32_t axis;
  int64_t shape[EXPRESSION_RANK_MAX], at[EXPRESSION_RANK_MAX];
  if (!machine_need_array(machine, value, "x") || !need_indices(machine, indices) ||
      !machine_need_integer(machine, arguments->given[2], "axis", &number) ||
      !arrays_axis(machine, number, value->rank, &axis))
    return false;
  if (!taken_shape(machine, value, indices, axis, shape) ||
      !machine_new(machine, out, value->kind, value->rank, shape))
    return false;
  for (size_t i = 0; i < out->count; ++i) {
    size_t rest = i, place = 0, from = 0, which = 0;
    for (int32_t k = out->rank; k-- > 0; rest /= (size_t)shape[k])
      at[k] = (int64_t)(rest % (size_t)shape[k]);
    for (int32_t k = 0; k < out->rank; ++k)
      which = which * (size_t)indices->shape[k] + (size_t)(indices->shape[k] == 1 ? 0 : at[k]);
    if (!place_of(machine, indices->elements[which], value->shape[axis], &place)) {
      machine_free(machine, out);
      return false;
    }
    at[axis] = (int64_t)place;
    for (int32_t k = 0; k < out->rank; ++k)
      from = from * (size_t)value->shape[k] + (size_t)(value->shape[k] == 1 ? 0 : at[k]);
    out->elements[i] = value->elements[from];
  }
  return true;
}
