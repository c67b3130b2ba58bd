#!/bin/bash
# Runs one attempt of one container and writes down what became of it, so that the node can die and
# come back: container.sh ATTEMPT_DIR EVENT_FILE COMMAND [ARG...]
# ATTEMPT_DIR/wrapper  this shell; whoever makes the file owns the attempt: another runner, and one that comes after the
#                      node has given it up, goes away quietly
# ATTEMPT_DIR/pid      the process; both hold "<pid> <start time in clock ticks since boot> <id of this boot>"
# ATTEMPT_DIR/exit     exit code; 128+n after signal n; the node writes "137 unknown" when nobody saw the end
# ATTEMPT_DIR/log      both outputs
# All other variables are the container's: the names of this script's begin with sluice_, it has a PATH of its own, and
# what bash adds is taken away but for SHLVL. (sh would drop variables with a dot or a hyphen in their names.)
readonly sluice_attempt=$1 sluice_event=$2 sluice_path=$PATH
shift 2
export -n PWD OLDPWD
PATH=/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin
read -r sluice_boot </proc/sys/kernel/random/boot_id
sluice_identity() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$1" ${stat##*) }
  echo "$1 ${21} $sluice_boot"
}
sluice_identity $$ >"$sluice_attempt/wrapper.$$" && ln "$sluice_attempt/wrapper.$$" "$sluice_attempt/wrapper"
sluice_owned=$?
rm -f "$sluice_attempt/wrapper.$$"
[[ $sluice_owned == 0 ]] || exit 0
: >"$sluice_attempt/log"
# Who ends everything at once ends this shell last: it still has to say how the process ended.
# (A handler, not '', as a signal that is ignored here would be ignored by the process too.)
trap : TERM INT HUP
sluice_setsid=$(type -P setsid)
# In the foreground: bash loses the exit code of one in the background that ends in the moment in which a signal comes.
(
  sluice_identity "$BASHPID" >"$sluice_attempt/pid.new" || echo "$BASHPID 0 $sluice_boot" >"$sluice_attempt/pid.new"
  mv "$sluice_attempt/pid.new" "$sluice_attempt/pid"
  echo started >"$sluice_event"
  SLUICE_ATTEMPT=$sluice_attempt PATH=$sluice_path exec "$sluice_setsid" "$@" >>"$sluice_attempt/log" 2>&1 </dev/null
)
sluice_code=$?
read -r sluice_child _ <"$sluice_attempt/pid"
# What a container's end would take with it, in its process group and in sessions of their own. A process that becomes another
# program has no environment for a moment (nor a start of its code, field 26 of its stat, while it has memory, field 23): looks
# twice, and does not wait for ever for one that hangs there.
sluice_left() {
  grep -slzxF "SLUICE_ATTEMPT=$sluice_attempt" /proc/[0-9]*/environ
}
sluice_loads() {
  ((sluice_looks < 50)) && grep -sqE '\) [^Z]( -?[0-9]+){19} [1-9][0-9]*( -?[0-9]+){2} 0 ' /proc/[0-9]*/stat
}
sluice_looks=0
kill -s KILL -- "-$sluice_child" 2>/dev/null
while sluice_all=$(sluice_left || sluice_loads || sluice_left) || [[ -n $sluice_all ]]; do
  for sluice_pid in $sluice_all; do
    sluice_pid=${sluice_pid#/proc/}
    kill -s KILL "${sluice_pid%/environ}" 2>/dev/null
  done
  sluice_looks=$((sluice_looks + 1))
  sleep 0.1
done
until echo "$sluice_code" >"$sluice_attempt/exit.new" && mv "$sluice_attempt/exit.new" "$sluice_attempt/exit"; do
  [[ -d $sluice_attempt ]] || break
  sleep 1 # the disk is full
done
echo "ended $sluice_code" >"$sluice_event"
