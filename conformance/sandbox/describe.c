// SPDX-License-Identifier: Apache-2.0
// The sandbox in words.
#include <stdio.h>
#include <string.h>

#include "sandbox/sandbox.h"

const char *sandbox_means_name(SandboxMeans means)
{
  static const char *const names[] = {
#define MEANS(symbol, name) name,
#include "sandbox/means.def"
  };
  return names[means];
}

const char *sandbox_promise_name(SandboxPromise promise)
{
  static const char *const names[] = {
#define PROMISE(symbol, name, text) name,
#include "sandbox/promises.def"
  };
  return names[promise];
}

const char *sandbox_mode_name(SandboxMode mode)
{
  static const char *const names[] = {"auto", "on", "off"};
  return names[mode];
}

// Adds "name (why)" to a list, and returns its length then.
static size_t add(char *text, size_t size, size_t used, const char *name, const char *why)
{
  if (used >= size) return used;
  int length = snprintf(text + used, size - used, "%s%s%s%s%s", used ? ", " : "", name,
                        *why ? " (" : "", why, *why ? ")" : "");
  return used + (size_t)length;
}

static size_t list(const Sandbox *sandbox, bool in_force, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < SANDBOX_MEANS_COUNT; ++i) {
    const SandboxForce *force = &sandbox->state.means[i];
    if (force->in_force == in_force)
      used = add(text, size, used, sandbox_means_name((SandboxMeans)i), force->why);
  }
  return used;
}

void sandbox_describe_lacking(const Sandbox *sandbox, char *text, size_t size)
{
  list(sandbox, false, text, size);
}

void sandbox_describe(const Sandbox *sandbox, char *text, size_t size)
{
  char lacking[1024];
  if (sandbox->mode == SANDBOX_OFF) {
    snprintf(text, size, "off");
    return;
  }
  size_t used = list(sandbox, true, text, size);
  sandbox_describe_lacking(sandbox, lacking, sizeof lacking);
  if (lacking[0] && used < size)
    snprintf(text + used, size - used, "%snot %s", used ? "; " : "", lacking);
}
