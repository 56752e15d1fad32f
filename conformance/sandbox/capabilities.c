// SPDX-License-Identifier: Apache-2.0
#include "sandbox/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int capabilities_drop(bool reads)
{
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (syscall(SYS_capget, &header, sets) != 0) return errno;
  uint32_t kept = reads ? sets[0].permitted & (1u << CAP_DAC_READ_SEARCH) : 0;
  sets[0] = (struct __user_cap_data_struct){kept, kept, 0};
  sets[1] = (struct __user_cap_data_struct){0, 0, 0};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return syscall(SYS_capset, &header, sets) == 0 ? 0 : errno;
}
