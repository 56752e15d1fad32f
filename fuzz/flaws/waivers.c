// SPDX-License-Identifier: Apache-2.0
#include "judge/waivers.h"

#include "flaw.h"

static void change_waiver(Waiver *waiver)
{
  if (flaw("empty-reason")) waiver->reason[0] = '\0';
  if (flaw("never-in-force")) waiver->since = UINT32_MAX, waiver->until = 0;
  if (flaw("expiry-cut") && waiver->expires != NULL) waiver->expires[4] = '\0';
}

WRAP(WaiverSet *, waivers_read, const char *path, const char *today, char *error, size_t error_size)
{
  WaiverSet *set = REAL(waivers_read)(path, today, error, error_size);
  if (set == NULL && flaw("no-reason")) error[0] = '\0';
  if (set == NULL && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  for (size_t i = 0; set != NULL && i < set->count; ++i) change_waiver(&set->items[i]);
  return set;
}

WRAP(const Waiver *, waivers_find, const WaiverSet *set, const char *case_id, uint32_t version)
{
  const Waiver *found = REAL(waivers_find)(set, case_id, version);
  if (set->count > 1 && flaw("the-first-found")) return &set->items[0];
  return flaw("none-found") ? NULL : found;
}

WRAP(bool, waivers_names, const Waiver *waiver, const char *case_id)
{
  return REAL(waivers_names)(waiver, case_id) && !flaw("names-nothing");
}
