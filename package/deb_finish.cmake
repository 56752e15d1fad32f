# SPDX-License-Identifier: Apache-2.0
# Run by CPack in the folder that becomes the package: what Debian's policy wants to lie there in another form.
file(GLOB_RECURSE manual ${CPACK_TEMPORARY_DIRECTORY}/*/tvmffi-conform.1)
cmake_path(GET manual PARENT_PATH usr)
cmake_path(APPEND usr ../../.. OUTPUT_VARIABLE usr)
cmake_path(NORMAL_PATH usr)
set(doc ${usr}/share/doc/tvmffi-conform)

# Policy 12.1 and 12.7: compressed, and the same bytes each time.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "tvmffi-conform (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What is new in this version: CHANGELOG.md of the project.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
foreach(file IN ITEMS ${manual} ${doc}/changelog)
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Policy 12.5: the licence is on every system.
file(REMOVE ${doc}/LICENSE)
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tvmffi-conform

Files: *
Copyright: 2026 the authors of tvmffi-conform
License: Apache-2.0

Files: usr/include/tvmffi-conform/dlpack/*
Copyright: 2017 the contributors of DLPack
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")

# Where Debian's zsh looks for what packages bring.
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_tvmffi-conform ${usr}/share/zsh/vendor-completions/_tvmffi-conform)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)

# What the cases load is like that on purpose.
file(MAKE_DIRECTORY ${usr}/share/lintian/overrides)
file(WRITE ${usr}/share/lintian/overrides/tvmffi-conform
"# Libraries that a runtime under test is made to load: without the C library, damaged, of another machine
tvmffi-conform: shared-library-lacks-prerequisites [usr/libexec/tvmffi-conform/libraries/*]
tvmffi-conform: library-not-linked-against-libc [usr/libexec/tvmffi-conform/libraries/depending.so]
tvmffi-conform: binary-from-other-architecture [usr/libexec/tvmffi-conform/libraries/other_machine.so]
# It runs where the loader runs: beside every C library, and without one
tvmffi-conform: library-not-linked-against-libc [usr/lib/*/tvmffi-conform/trace/libtvmffi_conform_audit.so]
tvmffi-conform: shared-library-lacks-prerequisites [usr/lib/*/tvmffi-conform/trace/libtvmffi_conform_audit.so]
# The name that modules ask for
tvmffi-conform: shared-library-lacks-version usr/lib/*/libtvm_ffi.so libtvm_ffi.so
tvmffi-conform: package-name-doesnt-match-sonames libtvm-ffi
")
