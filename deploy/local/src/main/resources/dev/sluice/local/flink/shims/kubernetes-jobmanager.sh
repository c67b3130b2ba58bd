#!/usr/bin/env bash
# The JobManager of native mode: kubernetes-jobmanager.sh kubernetes-application|kubernetes-session [-Dkey=value ...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/flink-process.sh"

entry=${1:-}
shift || true
case "$entry" in
  kubernetes-application) main=KubernetesApplicationClusterEntrypoint ;;
  kubernetes-session) main=KubernetesSessionClusterEntrypoint ;;
  *) die "unknown entry point '$entry'; use kubernetes-application or kubernetes-session" ;;
esac
run_jobmanager "org.apache.flink.kubernetes.entrypoint.$main" -- "$@"
