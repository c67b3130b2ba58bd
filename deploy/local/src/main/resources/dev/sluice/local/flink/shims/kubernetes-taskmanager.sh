#!/usr/bin/env bash
# A TaskManager of native mode. The JobManager has worked out its memory: FLINK_TM_JVM_MEM_OPTS and -D arguments.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/flink-process.sh"

run_java taskmanager "${FLINK_TM_JVM_MEM_OPTS:-}" \
  org.apache.flink.kubernetes.taskmanager.KubernetesTaskExecutorRunner \
  --configDir "$FLINK_CONF_DIR" "$@" "${BIND_TASKMANAGER[@]}"
