#!/usr/bin/env bash
# Kills, signals, damaged checkpoints, frames and rows, full disks, directories that become read-only or are moved, two runs in one
# directory: after each the files of the resumed run are those of an undisturbed one, or nothing was touched. Takes minutes; not
# part of ctest.
# Full disks need the right to mount a tmpfs, without it files are limited in size; read-only directories need root.
# Usage: torture.sh PROGRAM [KILLS [SIGNALS [DISKS [PAIRS [DAMAGED [RESULTS [MOVES]]]]]]]   (default: 100 20 10 20 293 200 20)
source "$(dirname "$0")/support.sh"
kills=${2:-100} signals=${3:-20} disks=${4:-10} pairs=${5:-20} damaged=${6:-293} results=${7:-200} moves=${8:-20}
RANDOM=7
options=(--quiet --set time.steps=4000 --set output.fields_every=250 --set output.checkpoint_every=130)
run() { local directory=$1; shift; "$cleave" run case.yaml --output "$directory" "${options[@]}" "$@"; }
launch() { local directory=$1; shift; "$cleave" run case.yaml --output "$directory" "${options[@]}" "$@" 2>>log & process=$!; }

start_time=$(date +%s%N)
expect 0 run whole
milliseconds=$((($(date +%s%N) - start_time) / 1000000))
pause() { sleep "$(awk "BEGIN { print $RANDOM / 32768 * $milliseconds / 1000 }")"; }

# Goes on where that is possible, starts again otherwise, and compares.
complete() {
  if ls $1/checkpoint_*.bin >/dev/null 2>&1; then resumed=$((resumed + 1)); expect 0 run $1 --resume; else expect 0 run $1; fi
  same_results whole $1
  status_is $1 done
  [ -z "$(find $1 -name '*.tmp' -o -name run.lock)" ] || fail "$(ls $1)"
}
count() { echo "$1: $2, of which $early ended early and $resumed were resumed from a checkpoint; failures so far $failures"; }
# note CODE: counts the runs that did not reach their end by themselves.
note() { [ "$1" -eq 0 ] || early=$((early + 1)); }

for signal in KILL:137:$kills INT:130:$signals TERM:143:$signals HUP:129:$signals USR1:138:$signals; do
  IFS=: read -r name expected times <<<"$signal"
  resumed=0 early=0
  for _ in $(seq "$times"); do
    rm -rf part
    launch part
    pause
    kill -"$name" $process 2>/dev/null
    wait $process 2>/dev/null
    code=$?
    [ $code -eq "$expected" ] || [ $code -eq 0 ] || fail "exit code $code after SIG$name"
    note $code
    complete part
  done
  count "SIG$name" "$times"
done

resumed=0 early=0
mkdir disk
for _ in $(seq "$disks"); do
  if mount -t tmpfs -o size=$((100 + RANDOM % 2500))k none disk 2>/dev/null; then
    run disk/part 2>>log
    code=$?
  else
    (ulimit -f $((30 + RANDOM % 130)); run disk/part 2>>log)
    code=$?
  fi
  [ $code -eq 1 ] || [ $code -eq 0 ] || fail "exit code $code on a full disk"
  note $code
  [ $code -eq 0 ] || status_is disk/part interrupted
  for frame in $(find disk/part -name '*.vtu'); do cmp "$frame" "whole/${frame#disk/part/}" || fail "$frame is truncated"; done
  mountpoint -q disk && mount -o remount,size=100m disk
  complete disk/part
  mountpoint -q disk && umount disk
  rm -rf disk/*
done
count "full disks" "$disks"

if [ "$(id -u)" -eq 0 ]; then
  resumed=0 early=0
  chmod 755 .
  for _ in $(seq "$disks"); do
    rm -rf readonly && mkdir readonly && chown nobody readonly
    setpriv --reuid=nobody --clear-groups "$cleave" run case.yaml --output readonly/part "${options[@]}" 2>>log & process=$!
    pause
    chmod a-w readonly readonly/part 2>/dev/null
    wait $process
    code=$?
    [ $code -eq 1 ] || [ $code -eq 0 ] || [ $code -eq 2 ] || fail "exit code $code in a directory that became read-only"
    note $code
    chmod u+w readonly readonly/part 2>/dev/null
    complete readonly/part
  done
  count "read-only directories" "$disks"
fi

resumed=0 early=0
for _ in $(seq "$pairs"); do
  rm -rf part
  launch part; first=$process
  launch part; second=$process
  wait $first; codes=$?
  wait $second; codes=$codes,$?
  [ $codes = 0,2 ] || [ $codes = 2,0 ] || fail "exit codes $codes of two runs in one directory"
  complete part
done
count "two runs in one directory" "$pairs"

# Half of them with the older checkpoint whole: it is taken. The other half with both damaged: nothing is touched.
resumed=0 early=0 refused=0
damage() {
  local size; size=$(stat -c %s "$1")
  local at=$(((RANDOM * 32768 + RANDOM) % size))
  case $(($2 % 3)) in
    0) printf "\\x$(printf %02x $(($(od -An -tu1 -j $at -N 1 "$1") ^ (1 << RANDOM % 8))))" |
         dd of="$1" bs=1 seek=$at conv=notrunc 2>/dev/null ;;
    1) truncate -s $at "$1" ;;
    2) local blocks=$((size / 512)) a b
       a=$((RANDOM % blocks)) b=$((RANDOM % blocks))
       dd if="$1" of=a bs=512 skip=$a count=1 2>/dev/null; dd if="$1" of=b bs=512 skip=$b count=1 2>/dev/null
       dd if=a of="$1" bs=512 seek=$b conv=notrunc 2>/dev/null; dd if=b of="$1" bs=512 seek=$a conv=notrunc 2>/dev/null ;;
  esac
}
cp -r whole source
for i in $(seq "$damaged"); do
  rm -rf part && cp -r source part
  newest=$(ls part/checkpoint_*.bin | tail -1) oldest=$(ls part/checkpoint_*.bin | head -1)
  damage "$newest" "$i"
  if [ $((i % 2)) -eq 0 ]; then
    complete part
  else
    damage "$oldest" "$((i / 2))"
    before=$(state_of part)
    run part --resume 2>stderr
    code=$?
    if cmp -s "$newest" "source/${newest#part/}" || cmp -s "$oldest" "source/${oldest#part/}"; then
      [ $code -eq 0 ] && same_results whole part || fail "exit code $code though one checkpoint is whole"
    else
      refused=$((refused + 1))
      [ $code -eq 2 ] || fail "exit code $code with two damaged checkpoints"
      [ "$(state_of part)" = "$before" ] || fail "something was touched"
    fi
  fi
done
count "damaged checkpoints" "$damaged"
echo "  both damaged and refused: $refused"

# Frames and rows that the newest checkpoint names: emptied, cut off, or with another bit. What came after it is written again.
resumed=0 early=0 refused=0
for i in $(seq "$results"); do
  rm -rf part && cp -r source part
  case $((i % 4)) in
    0) truncate -s 0 "part/bulk_0000$(printf %02d $((RANDOM % 16))).vtu" ;;
    1) file=part/cracks_0000$(printf %02d $((RANDOM % 16))).vtu; truncate -s -$((1 + RANDOM % $(stat -c %s "$file"))) "$file" ;;
    2) damage part/history.csv 0 ;;
    3) damage part/fragments.csv 0 ;;
  esac
  before=$(state_of part)
  run part --resume 2>stderr
  code=$?
  if [ $code -eq 2 ]; then
    refused=$((refused + 1))
    [ "$(state_of part)" = "$before" ] || fail "something was touched"
  else
    [ $code -eq 0 ] && [ $((i % 4)) -gt 1 ] || fail "exit code $code with a damaged result: $(cat stderr)"
    resumed=$((resumed + 1))
    same_results whole part
  fi
done
count "damaged frames and rows" "$results"
echo "  refused: $refused"

# The directory is moved away, and another run takes its place.
resumed=0 early=0 together=0
for _ in $(seq "$moves"); do
  rm -rf part moved
  launch part; first=$process
  pause
  mv part moved 2>/dev/null || { wait $first; continue; }
  run part 2>>log || fail "the second run in the old place fails"
  wait $first
  code=$?
  note $code
  [ $code -eq 1 ] || [ "$(grep -c '"status": "done"' moved/summary.json)" = 1 ] || fail "exit code $code of a run that was moved"
  same_results whole part
  status_is part done
  together=$((together + 1))
done
count "moved directories" "$together"
finish
