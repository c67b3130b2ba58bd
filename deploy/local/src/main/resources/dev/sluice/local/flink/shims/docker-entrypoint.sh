#!/usr/bin/env bash
# Stands in for the entry point of the Flink image: the modes jobmanager, standalone-job and
# taskmanager, or any other command as it is.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/flink-process.sh"

add_flink_properties

case "${1:-help}" in
  jobmanager)
    shift
    run_jobmanager org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint \
      --configDir "$FLINK_CONF_DIR" -- "$@"
    ;;
  standalone-job)
    shift
    run_jobmanager org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint \
      --configDir "$FLINK_CONF_DIR" -- "$@"
    ;;
  taskmanager)
    shift
    run_taskmanager "$@"
    ;;
  help | history-server)
    die "'${1:-}' is not available on the local node; use jobmanager, standalone-job, taskmanager or a command"
    ;;
  *)
    exec "$@"
    ;;
esac
