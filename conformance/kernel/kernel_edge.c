// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_edge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool kernel_int_edge(int64_t own, bool up, int64_t most, IntIsOutside *outside, void *context,
                     int64_t *edge)
{
  int64_t inside = own, beyond = own;
  for (int64_t step = 1; step > 0 && step <= most && !outside(context, beyond); step *= 4) {
    inside = beyond;
    if (__builtin_add_overflow(own, up ? step : -step, &beyond)) return false;
  }
  if (!outside(context, beyond)) return false;
  while (inside + 1 < beyond || beyond + 1 < inside) {
    const int64_t middle = inside + (beyond - inside) / 2;
    if (outside(context, middle))
      beyond = middle;
    else
      inside = middle;
  }
  *edge = beyond;
  return true;
}

bool kernel_float_edge(double own, bool up, FloatIsOutside *outside, void *context, double *edge)
{
  enum { HALVES = 60 };
  const double scale = fabs(own) > 1 ? fabs(own) : 1;
  double inside = own, beyond = own;
  char text[32];
  for (double step = scale / 1024; step < scale * 1e6 && !outside(context, beyond); step *= 4) {
    inside = beyond;
    beyond = up ? own + step : own - step;
  }
  if (!outside(context, beyond) || outside(context, own)) return false;
  for (int i = 0; i < HALVES; ++i) {
    const double middle = inside + (beyond - inside) / 2;
    if (outside(context, middle))
      beyond = middle;
    else
      inside = middle;
  }
  // The number that the condition has, as people write it.
  snprintf(text, sizeof text, "%.6g", fabs(beyond) < 1e-9 * scale ? 0 : beyond);
  *edge = strtod(text, NULL);
  return fabs(*edge - beyond) <= 1e-9 * scale && (double)(float)*edge == *edge &&
         outside(context, *edge);
}
