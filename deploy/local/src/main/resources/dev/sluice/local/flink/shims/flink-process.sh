# Sourced by the other scripts: how a Flink process starts on the local node. Stands in for Flink's
# bin/config.sh and bin/flink-console.sh, which are in no Maven artifact.
#
# From the node:  FLINK_HOME       shared, read only: lib/, classpath, local-node.jar
#                 FLINK_ROOT       this container's /opt/flink
#                 FLINK_CONF_DIR, POD_IP, TMPDIR, SLUICE_HOSTS_FILE
# From the image: JAVA_HOME        the Java that SLUICE_CLASS_ARCHIVE fits
#                 SLUICE_MEMORY_CACHE  folder of memory settings already worked out
#                 SLUICE_CLASS_ARCHIVE the class data archive; without it, lists of classes are written beside it

: "${FLINK_HOME:?}" "${FLINK_ROOT:?}" "${FLINK_CONF_DIR:?}" "${POD_IP:?}"
: "${SLUICE_HOSTS_FILE:?}" "${JAVA_HOME:?}" "${SLUICE_MEMORY_CACHE:?}" "${SLUICE_CLASS_ARCHIVE:?}"

SHIMS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TMPDIR=${TMPDIR:-$FLINK_ROOT/tmp}
export FLINK_CONF_DIR FLINK_LIB_DIR="$FLINK_ROOT/lib" # Flink looks for usrlib, plugins and opt beside lib
export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}

# Other pods and other people's processes share this machine's addresses, so each process binds its own pod's only.
BIND_JOBMANAGER=(-Djobmanager.bind-host="$POD_IP" -Drest.bind-address="$POD_IP")
BIND_TASKMANAGER=(-Dtaskmanager.host="$POD_IP" -Dtaskmanager.bind-host="$POD_IP")

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

config_file() {
  local f
  for f in config.yaml flink-conf.yaml; do
    if [ -f "$FLINK_CONF_DIR/$f" ]; then
      echo "$FLINK_CONF_DIR/$f"
      return
    fi
  done
  die "no config.yaml in $FLINK_CONF_DIR"
}

# "a.b.c: value" lines from nested or flat YAML; maps of scalars are all that Flink's scripts need.
flat_config() {
  awk '
    /^[[:space:]]*(#|$)/ { next }
    match($0, /^ */) {
      depth = RLENGTH; line = substr($0, depth + 1); colon = index(line, ":")
      if (!colon) next
      key = substr(line, 1, colon - 1); value = substr(line, colon + 1); gsub(/^[ \t]+|[ \t\r]+$/, "", value)
      while (top && indent[top] >= depth) top--
      full = (top ? path[top] "." : "") key
      if (value == "") { indent[++top] = depth; path[top] = full; next }
      if (value ~ /^".*"$/ || value ~ /^\x27.*\x27$/) value = substr(value, 2, length(value) - 2)
      print full ": " value
    }' "$(config_file)"
}

config_value() {
  flat_config | awk -v key="$1: " 'index($0, key) == 1 { value = substr($0, length(key) + 1) } END { print value }'
}

# What the pod brings as configuration, or else the image's own, which says where its jars lie for POST /jars/:jar/run.
# FLINK_PROPERTIES are added to it. Once only, and the last value of each key: one that stands there twice ends Flink.
add_flink_properties() {
  local file mark='# from FLINK_PROPERTIES' properties=${FLINK_PROPERTIES:-}
  if [ ! -f "$FLINK_CONF_DIR/config.yaml" ] && [ ! -f "$FLINK_CONF_DIR/flink-conf.yaml" ]; then
    touch "$FLINK_CONF_DIR/config.yaml"
    properties="web.upload.dir: $FLINK_ROOT"$'\n'$properties
  fi
  [ -n "$properties" ] || return 0
  file=$(config_file)
  grep -qxF "$mark" "$file" || { printf '\n%s\n' "$mark" && flink_properties "$file" <<<"$properties"; } >>"$file"
}

# Lines "key: value" with $NAME and ${NAME} in values replaced as envsubst does it. A value is text and no YAML: it is quoted,
# but in flink-conf.yaml, where quotes would be part of it.
flink_properties() {
  awk -v file="$1" '
    { colon = index($0, ":"); key = substr($0, 1, colon - 1); rest = substr($0, colon + 1); value = "" }
    !colon || /^[ \t]*#/ { next }
    {
      while (match(rest, /\$([A-Za-z_][A-Za-z_0-9]*|[{][A-Za-z_][A-Za-z_0-9]*[}])/)) {
        name = substr(rest, RSTART + 1, RLENGTH - 1); gsub(/[{}]/, "", name)
        value = value substr(rest, 1, RSTART - 1) ENVIRON[name]; rest = substr(rest, RSTART + RLENGTH)
      }
      value = value rest
      gsub(/^[ \t]+|[ \t\r]+$/, "", key); gsub(/^[ \t]+|[ \t\r]+$/, "", value)
      if (file ~ /config.yaml$/ && value !~ /^[\x22\x27]/) { gsub(/\x27/, "&&", value); value = "\x27" value "\x27" }
      if (!(key in values)) keys[++count] = key
      values[key] = value
    }
    END { for (i = 1; i <= count; i++) print keys[i] ": " values[keys[i]] }'
}

# The -D arguments among "$@", one per line, also those written as "-D" "key=value".
dynamic_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      -D) [ $# -gt 1 ] && shift && echo "-D$1" ;;
      -D*) echo "$1" ;;
    esac
    shift
  done
}

# What the memory settings follow from. In flat configuration that is a few lines; in any other shape, the whole file.
memory_key() {
  local file
  file=$(config_file)
  if grep -qE '^[[:space:]]+[^#[:space:]]|^- ' "$file"; then
    cat "$file"
  else
    grep -iE 'memory|heap|cpu|slots|resource' "$file" || true
  fi
  printf '%s\n' "$FLINK_HOME" "$@"
}

# memory_settings GET_JM_RESOURCE_PARAMS|GET_TM_RESOURCE_PARAMS -Dkey=value...
# Sets MEMORY_JVM (JVM options) and MEMORY_ARGS (-D arguments), worked out by Flink itself, half a second each, and kept.
memory_settings() {
  local what=$1 kept answer result=BASH_JAVA_UTILS_EXEC_RESULT:
  shift
  mkdir -p "$SLUICE_MEMORY_CACHE" "$TMPDIR"
  kept=$SLUICE_MEMORY_CACHE/$what-$(memory_key "$@" | sha256sum | cut -c1-24)
  if [ ! -s "$kept" ]; then
    # the result goes to stdout behind a prefix, among log lines that matter only when it fails
    "$JAVA_HOME/bin/java" -Xmx96m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData "@$SHIMS/jvm.args" \
      -Dlog4j.configurationFile="file:$SHIMS/log4j-console.properties" -Dlog.file="$TMPDIR/memory.log" \
      -cp "$(<"$FLINK_HOME/classpath")" org.apache.flink.runtime.util.bash.BashJavaUtils \
      "$what" --configDir "$FLINK_CONF_DIR" "$@" >"$TMPDIR/memory.out" 2>&1 || true
    if ! grep -q "$result" "$TMPDIR/memory.out"; then
      cat "$TMPDIR/memory.out"
      die "Flink cannot work out the memory of this process, see above"
    fi
    answer=$(mktemp "$kept.XXXXXX")
    sed -n "s/^.*$result//p" "$TMPDIR/memory.out" >"$answer"
    mv "$answer" "$kept"
  fi
  { read -r MEMORY_JVM; read -r -a MEMORY_ARGS || true; } <"$kept"
}

# run_jobmanager MAIN [first arguments] -- [the container's arguments]
run_jobmanager() {
  local main=$1 first=() dynamic
  shift
  while [ "$1" != -- ]; do
    first+=("$1")
    shift
  done
  shift
  mapfile -t dynamic < <(dynamic_arguments "$@")
  memory_settings GET_JM_RESOURCE_PARAMS "${dynamic[@]}"
  # -D first: the standalone entry point takes everything from the first unknown argument on for the job's own
  run_java jobmanager "$MEMORY_JVM" "$main" "${first[@]}" "${MEMORY_ARGS[@]}" "${BIND_JOBMANAGER[@]}" "$@"
}

run_taskmanager() {
  local dynamic
  mapfile -t dynamic < <(dynamic_arguments "$@")
  memory_settings GET_TM_RESOURCE_PARAMS "${dynamic[@]}"
  run_java taskmanager "$MEMORY_JVM" org.apache.flink.runtime.taskexecutor.TaskManagerRunner \
    --configDir "$FLINK_CONF_DIR" "${MEMORY_ARGS[@]}" "$@" "${BIND_TASKMANAGER[@]}"
}

# The classes for this node, the home's jars in the order in which the class data archive was made, then what the pod
# added to lib.
classpath() {
  local jar cp
  cp=$FLINK_HOME/local-node.jar:$(<"$FLINK_HOME/classpath")
  for jar in "$FLINK_LIB_DIR"/*.jar; do
    [ ! -e "$jar" ] || [ -e "$FLINK_HOME/lib/${jar##*/}" ] || cp+=":$jar"
  done
  echo "$cp"
}

# run_java jobmanager|taskmanager "MEMORY OPTIONS" MAIN arguments...
run_java() {
  local role=$1 memory=$2 main=$3 own logging=$SHIMS/log4j-console.properties jvm=()
  shift 3
  own="$(config_value env.java.opts.all) $(config_value env.java.opts) $(config_value "env.java.opts.$role") ${JVM_ARGS:-}"
  [[ $own == *-XX:+Use*GC* ]] || jvm+=(-XX:+UseSerialGC)
  if [ -f "$FLINK_CONF_DIR/log4j-console.properties" ]; then
    logging=$FLINK_CONF_DIR/log4j-console.properties
  fi
  if [ -f "$SLUICE_CLASS_ARCHIVE" ]; then
    # at the address it was made for; Java 17 moves it by default, which writes to, and so copies, all of it
    jvm+=(-Xshare:auto -XX:SharedArchiveFile="$SLUICE_CLASS_ARCHIVE"
      -XX:ArchiveRelocationMode=0)
  else
    mkdir -p "${SLUICE_CLASS_ARCHIVE%/*}"
    jvm+=(-XX:DumpLoadedClassList="$(mktemp "${SLUICE_CLASS_ARCHIVE%/*}/seen-XXXXXX")")
  fi
  mkdir -p "$FLINK_ROOT/log" "$FLINK_ROOT/plugins" "$TMPDIR"
  cd "$FLINK_ROOT" # Flink keeps the paths of usrlib relative to the working directory, which is /opt/flink in the image
  # Tuned for start-up: 64 MB of metaspace avoids full GCs while classes load; bytecode verification is off; fewer methods
  # are compiled. Pekko's two schedulers tick 20 times a second each, not 100 times.
  # shellcheck disable=SC2086 # options are words
  exec "$JAVA_HOME/bin/java" $memory -XX:TieredStopAtLevel=1 -XX:MetaspaceSize=64m -XX:ReservedCodeCacheSize=48m -Xss512k -XX:-UsePerfData \
    -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:CompileThresholdScaling=2 -Dsun.reflect.inflationThreshold=2147483647 \
    -Dpekko.scheduler.tick-duration=50ms \
    "${jvm[@]}" "@$SHIMS/jvm.args" \
    -Djava.io.tmpdir="$TMPDIR" -Djdk.net.hosts.file="$SLUICE_HOSTS_FILE" -Djava.security.properties="$SHIMS/jvm.security" \
    -Dlog.file="$FLINK_ROOT/log/flink-$role-${HOSTNAME:-local}.log" \
    -Dlog4j.configurationFile="file:$logging" -Dlog4j2.disable.jmx=true \
    $own -cp "$(classpath)" "$main" "$@"
}
