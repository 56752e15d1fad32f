// SPDX-License-Identifier: Apache-2.0
// How much memory a case may take.
#ifndef TVMFFI_CONFORMANCE_BATTERY_ADDRESS_SPACE_H_
#define TVMFFI_CONFORMANCE_BATTERY_ADDRESS_SPACE_H_

// From here on this process, and those that it forks, may have 2 GiB of address space more than it has now; malloc then gives
// NULL instead of taking the machine down. Not under sanitizers, which reserve terabytes and have limits of their own
// (TVMFFI_CONFORM_NO_MEMORY_LIMIT).
void address_space_limit(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_ADDRESS_SPACE_H_
