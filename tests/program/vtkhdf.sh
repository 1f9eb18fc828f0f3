#!/usr/bin/env bash
# Frames in one HDF5 file, killed and resumed. The bytes of the file may differ after a resume, its numbers may not. Exit code 77
# (skipped) without HDF5, or without h5diff, which compares the numbers.
# Usage: vtkhdf.sh PROGRAM
source "$(dirname "$0")/support.sh"

"$cleave" info | grep -q 'output formats.*, vtkhdf' || not_tested "the program is built without HDF5"
many="--quiet --set output.fields_every=20 --set output.checkpoint_every=100 --set output.format=vtkhdf"
expect 0 "$cleave" run case.yaml $many --output series
grep -q '"status": "done"' series/summary.json && [ ! -e series/bulk.pvd ] || fail "files of a VTKHDF series"
sleep 1.1 # times in a file would be others
expect 0 "$cleave" run case.yaml $many --output again
cmp series/bulk.vtkhdf again/bulk.vtkhdf || fail "a VTKHDF series has other bytes the second time"
"$cleave" run case.yaml $many --output cut 2>stderr &
process=$!
wait_for_file cut/checkpoint_000000400.bin
kill -KILL $process
wait $process 2>/dev/null
expect 0 "$cleave" run case.yaml $many --output cut --resume
for file in history.csv fragments.csv; do cmp series/$file cut/$file || fail "$file of a VTKHDF series"; done
mkdir numbers && cp cut/bulk.vtkhdf cut/cracks.vtkhdf numbers
# A series that is gone, or that has too few frames, is told before anything is cut.
expect 0 "$cleave" run case.yaml $many --set time.steps=10 --output short
rm cut/bulk.vtkhdf
for series in none short; do
  [ $series = none ] || cp $series/bulk.vtkhdf cut
  before=$(state_of cut)
  expect 2 "$cleave" run case.yaml $many --output cut --resume
  one_report
  grep -q '[1-9][0-9]* of the [0-9]* frames of bulk.vtkhdf' stderr || fail "frames that are missing: $(cat stderr)"
  expect 2 "$cleave" run case.yaml $many --output cut --resume --force
  [ "$before" = "$(state_of cut)" ] || fail "results were cut before frames were found missing"
done
# A series that is removed, or replaced by another, is not made anew in the middle of a run, which ends with that reason.
long="--quiet --set time.steps=200000000 --set output.fields_every=2000 --set output.format=vtkhdf"
for series in bulk cracks; do
  for how in removed replaced; do
    start lost $long 2>stderr
    for _ in $(seq 1000); do [ -s lost/cracks.vtkhdf ] && [ "$(cat lost/fragments.csv 2>/dev/null | wc -l)" -gt 1 ] && break; sleep 0.01; done
    if [ $how = removed ]; then rm lost/$series.vtkhdf; else cp lost/$series.vtkhdf copy && mv copy lost/$series.vtkhdf; fi
    before=$(cksum lost/$series.vtkhdf 2>/dev/null)
    wait $started; code=$?
    [ $code -eq 1 ] || fail "exit code $code of a run whose $series.vtkhdf was $how: $(cat stderr)"
    one_report
    says "lost/$series.vtkhdf: this file was moved, removed or replaced while the run wrote into it; put it back and go on with --resume"
    status_is lost interrupted
    [ "$(cksum lost/$series.vtkhdf 2>/dev/null)" = "$before" ] || fail "$series.vtkhdf was $how, and the run wrote where it was"
    rm -r lost
  done
done
# What is in the way of a series is said once.
for name in bulk.vtkhdf.tmp bulk.vtkhdf; do
  mkdir -p way/$name/full
  expect 1 "$cleave" run case.yaml $many --output way
  one_report
  says "way/$name: cannot be written (Is a directory); check the free space and the permissions"
  [ "$(grep -o 'cannot be written' stderr | wc -l)" -eq 1 ] || fail "a report within another: $(cat stderr)"
  rm -r way
done
if ! command -v h5diff >/dev/null; then
  [ $failures -eq 0 ] || finish
  not_tested "there is no h5diff to compare the numbers; Debian's package is hdf5-tools"
fi
for series in bulk cracks; do
  for steps in Values PointOffsets CellOffsets ConnectivityIdOffsets; do
    h5diff series/$series.vtkhdf numbers/$series.vtkhdf /VTKHDF/Steps/$steps || fail "$steps of $series.vtkhdf"
  done
  h5diff series/$series.vtkhdf numbers/$series.vtkhdf || fail "$series.vtkhdf differs after SIGKILL and --resume"
done
finish
