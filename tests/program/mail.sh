#!/usr/bin/env bash
# Mail of devices on several machines: between ranks of this one, through shared memory and through sockets.
# Usage: mail.sh PROGRAM TEST_PARTITION
source "$(dirname "$0")/support.sh"
needs_mpi
for n in 2 3; do
  expect 0 timeout 120 mpirun -n $n --bind-to none "$2" "[.mail]" -w NoTests
  expect 0 timeout 120 mpirun -n $n --bind-to none --mca pml ob1 --mca btl self,tcp "$2" "[.mail]" -w NoTests
done
finish
