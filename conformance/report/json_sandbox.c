// SPDX-License-Identifier: Apache-2.0
// What was in force, in every report in JSON.
#include <jansson.h>

#include "report/json_build.h"
#include "sandbox/sandbox.h"

static json_t *means_array(JsonBuild *build, const Sandbox *sandbox)
{
  json_t *array = json_array();
  for (unsigned i = 0; i < SANDBOX_MEANS_COUNT && sandbox->mode != SANDBOX_OFF; ++i) {
    const SandboxForce *force = &sandbox->state.means[i];
    json_t *object = json_object();
    json_put(build, object, "name", json_string(sandbox_means_name((SandboxMeans)i)));
    json_put(build, object, "in_force", json_boolean(force->in_force));
    json_put(build, object, "text", json_clean_string(force->why));
    json_add(build, array, object);
  }
  return array;
}

json_t *json_sandbox(JsonBuild *build, const Sandbox *sandbox)
{
  static const Sandbox none = {.mode = SANDBOX_OFF};
  json_t *object = json_object(), *promises = json_object();
  if (!sandbox) sandbox = &none;
  json_put(build, object, "mode", json_string(sandbox_mode_name(sandbox->mode)));
  json_put(build, object, "means", means_array(build, sandbox));
  for (unsigned i = 0; i < SANDBOX_PROMISE_COUNT; ++i)
    json_put(build, promises, sandbox_promise_name((SandboxPromise)i),
             json_boolean(sandbox_keeps(sandbox, (SandboxPromise)i)));
  json_put(build, object, "promises", promises);
  return object;
}
