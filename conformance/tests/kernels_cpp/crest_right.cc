// SPDX-License-Identifier: Apache-2.0
// passes
#include "crest.h"
