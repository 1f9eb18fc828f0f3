#!/usr/bin/env bash
# A disk that is full, and a result that cannot be removed: one report with the file, and no frame that is not complete. Exit code 77
# (skipped) where a file system may not be mounted, or a file not be locked; limits.sh has files that may not grow.
# Usage: disks.sh PROGRAM
source "$(dirname "$0")/support.sh"
untested=

if mkdir full && mount -t tmpfs -o size=300k tmpfs full 2>/dev/null; then
  expect 1 "$cleave" run case.yaml --quiet --output full --set output.fields_every=20
  one_report
  grep -q 'full/.*: cannot be written (No space left on device)' stderr || fail "message for a full disk: $(cat stderr)"
  for file in full/*.vtu; do
    [ "$(tail -c 11 $file)" = "</VTKFile>" ] || fail "$file is not complete"
  done
  for name in $(grep -o 'bulk_[0-9]*.vtu' full/bulk.pvd); do [ -e full/$name ] || fail "$name is listed but not there"; done
  ! ls full/*.tmp 2>/dev/null || fail "a temporary file is left on a full disk"
  umount full
else
  untested="no file system can be mounted, which takes root, for a full disk"
fi

expect 0 "$cleave" run case.yaml --quiet --output stuck
if chattr +i stuck/history.csv 2>/dev/null; then
  expect 1 "$cleave" run case.yaml --quiet --output stuck --force
  one_report
  says 'stuck/history.csv: cannot be removed (Operation not permitted)'
  chattr -i stuck/history.csv
else
  untested+="${untested:+; }no file can be made one that cannot be removed (chattr +i)"
fi
[ -z "$untested" ] || [ $failures -gt 0 ] || not_tested "$untested"
finish
