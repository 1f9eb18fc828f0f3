#!/usr/bin/env bash
# A disk that is full: one report with the file, and no frame that is not complete. Exit code 77 (skipped) where no file system may be
# mounted; limits.sh has files that may not grow.
# Usage: full_disk.sh PROGRAM
source "$(dirname "$0")/support.sh"

mkdir full && mount -t tmpfs -o size=300k tmpfs full 2>/dev/null || not_tested "no file system can be mounted: it takes root"
expect 1 "$cleave" run case.yaml --quiet --output full --set output.fields_every=20
one_report
grep -q 'full/.*: cannot be written (No space left on device)' stderr || fail "message for a full disk: $(cat stderr)"
for file in full/*.vtu; do
  [ "$(tail -c 11 $file)" = "</VTKFile>" ] || fail "$file is not complete"
done
for name in $(grep -o 'bulk_[0-9]*.vtu' full/bulk.pvd); do [ -e full/$name ] || fail "$name is listed but not there"; done
! ls full/*.tmp 2>/dev/null || fail "a temporary file is left on a full disk"
umount full
finish
