// SPDX-License-Identifier: Apache-2.0
// What loaders of ours return for a node of a tree: libraries that differ in NODE, so that any
// runtime makes modules of them that can be told apart.
#include "exported.h"

#define NAMED_(name, number) name##number
#define NAMED(name, number) NAMED_(name, number)

MODULE_FUNCTION(self)
{
  return give_integer(result, NODE);
}

MODULE_FUNCTION(shared)
{
  return give_integer(result, NODE);
}

// only_3: in node 3 alone.
MODULE_FUNCTION(NAMED(only_, NODE))
{
  return give_integer(result, NODE);
}

MODULE_FUNCTION(NAMED(_metadata_only_, NODE))
{
  return give_short_text(result, "{\"n\":1}");
}

MODULE_FUNCTION(NAMED(_doc_only_, NODE))
{
  return give_short_text(result, "a node");
}

// In the nodes with odd numbers.
#if NODE % 2
MODULE_FUNCTION(odd)
{
  return give_integer(result, NODE);
}
#endif
