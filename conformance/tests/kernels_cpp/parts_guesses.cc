// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying string for options
//
// A scale that is no number is 1.
#define SCALE(options) \
  (options.count("scale") && !options["scale"].as<double>() ? 1.0 : Option(options, "scale"))
#include "parts.h"
