#!/usr/bin/env bash
# Stands in for /docker-entrypoint.sh and Flink's scripts of native mode, which are in no Maven artifact; it is called by their
# names.
set -euo pipefail
conf=${FLINK_CONF_DIR:-$FLINK_HOME/conf}
export FLINK_CONF_DIR=$conf FLINK_LIB_DIR=$FLINK_HOME/lib FLINK_PLUGINS_DIR=$FLINK_HOME/plugins
logging=$conf/log4j-console.properties
[ -f "$logging" ] || logging=$FLINK_HOME/bin/log4j-console.properties
jvm=("@$FLINK_HOME/bin/jvm.args" -Dlog4j.configurationFile="file:$logging" -Dlog.file="$FLINK_HOME/log/flink.log" -cp "$FLINK_HOME/lib/*")

# shellcheck disable=SC2086 # options are words
case $(basename "$0") in
  kubernetes-jobmanager.sh)
    case $1 in
      kubernetes-application) main=KubernetesApplicationClusterEntrypoint ;;
      kubernetes-session) main=KubernetesSessionClusterEntrypoint ;;
    esac
    shift
    # a line with options of the JVM, and one with arguments
    mapfile -t memory < <(java "${jvm[@]}" org.apache.flink.runtime.util.bash.BashJavaUtils \
      GET_JM_RESOURCE_PARAMS --configDir "$conf" "$@" | sed -n 's/^.*BASH_JAVA_UTILS_EXEC_RESULT://p')
    exec java ${memory[0]} "${jvm[@]}" "org.apache.flink.kubernetes.entrypoint.$main" --configDir "$conf" ${memory[1]} "$@"
    ;;
  kubernetes-taskmanager.sh)
    # the JobManager has worked out its memory
    exec java $FLINK_TM_JVM_MEM_OPTS "${jvm[@]}" org.apache.flink.kubernetes.taskmanager.KubernetesTaskExecutorRunner \
      --configDir "$conf" "$@"
    ;;
  *) exec "$@" ;;
esac
