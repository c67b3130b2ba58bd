#!/bin/sh
# Runs one attempt of one container and writes down what became of it, so that the node can die and
# come back: container.sh ATTEMPT_DIR EVENT_FILE COMMAND [ARG...]
# ATTEMPT_DIR/claimed  made by the first runner of this attempt; a second one goes away quietly
# ATTEMPT_DIR/wrapper, ATTEMPT_DIR/pid  "<pid> <start time in clock ticks since boot> <id of this boot>"
# ATTEMPT_DIR/exit     exit code; 128+n after signal n
# ATTEMPT_DIR/log      both outputs
attempt=$1
event=$2
shift 2
read -r boot </proc/sys/kernel/random/boot_id
identity() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  pid=$1
  set -- ${stat##*) }
  shift 19
  echo "$pid $1 $boot"
}
mkdir "$attempt/claimed" 2>/dev/null || exit 0
identity $$ >"$attempt/wrapper"
: >"$attempt/log"
# who ends everything at once ends this shell last: it still has to say how the process ended
# (a handler, not '', as a signal that is ignored here would be ignored by the process too)
signalled=
trap signalled=1 TERM INT HUP
setsid "$@" >>"$attempt/log" 2>&1 </dev/null &
child=$!
identity "$child" >"$attempt/pid.new" || echo "$child 0 $boot" >"$attempt/pid.new"
mv "$attempt/pid.new" "$attempt/pid"
echo started >"$event"
while :; do
  signalled=
  wait "$child"
  code=$?
  [ -z "$signalled" ] && break
done
# what a container's end would take with it
kill -s KILL -- "-$child" 2>/dev/null
echo "$code" >"$attempt/exit.new"
mv "$attempt/exit.new" "$attempt/exit"
echo "ended $code" >"$event"
