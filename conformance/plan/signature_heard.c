// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_heard.h"

// As how many calls one counts: the elements of large tensors take longer to write than a call takes.
static unsigned cost_of(const Kernel *call)
{
  const double at_once = 1 << 14, most = 1000, elements = kernel_elements(call);
  return 1 + (unsigned)(elements < at_once * most ? elements / at_once : most);
}

bool signature_heard_ask(Search *search, const Kernel *call, ProbeAnswer *answer)
{
  *answer = (ProbeAnswer){0};
  if (search->left == 0) return false;
  const unsigned cost = cost_of(call);
  search->left -= cost < search->left ? cost : search->left;
  ++search->idle;
  answer->outcome = answer->written = 0;
  if (!search->make(search->context, call, answer)) return false;
  refusal_shorten(answer->message);
  return true;
}

uint64_t signature_heard_hash(const char *message)
{
  char form[512];
  uint64_t hash = UINT64_C(14695981039346656037);
  refusal_form(message, form, sizeof form);
  for (const char *c = form; *c; ++c) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  return hash;
}

bool signature_heard_is_news(Search *search, const char *message)
{
  uint64_t hash = signature_heard_hash(message);
  for (size_t i = 0; i < search->seen_count; ++i)
    if (search->seen[i] == hash) return false;
  if (search->seen_count == SEEN_MAX) return false;
  search->seen[search->seen_count++] = hash;
  search->idle = 0;
  return true;
}
