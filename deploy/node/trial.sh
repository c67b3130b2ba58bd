#!/usr/bin/env bash
# trial.sh: what docs/install.md says, on a real kubelet and containerd (node.sh). Root; Debian's containerd, runc,
# containernetworking-plugins, iptables, debootstrap, busybox, openssl and jq. It takes about 10 minutes and 4 GB of memory, and
# leaves nothing but the images in ${SLUICE_NODE_HOME:-/tmp/sluice-node}.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
home=${SLUICE_NODE_HOME:-/tmp/sluice-node} cache=${SLUICE_CACHE:-$HOME/.cache/sluice}
export SLUICE_NODE_BIN=$home/bin

step() { echo "$(date +%T) $*"; }
on_node() { "$here/node.sh" run "$home/node" "$@"; }
kubectl() { on_node kubectl "$@"; }
helm() { on_node helm "$@" 2>&1 | grep -v 'symbolic link'; }
status() { kubectl get flinkdep state-machine -o jsonpath="{.status.$1}"; }

fail() {
  echo "FAILED: $*"
  kubectl get events -A --sort-by=.lastTimestamp | tail -n 30
  kubectl get pods -A
  exit 1
}

await() { # SECONDS WHAT COMMAND: until it succeeds
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "$what"
    read -rt 0.5 <> <(:) || true
  done
}

binaries() {
  local tool version wanted=(kubelet=1.34.2 kube-proxy=1.34.2 kube-scheduler=1.34.2 coredns=1.13.1)
  for tool in etcd kube-apiserver kube-controller-manager kubectl temporal helm; do
    version=$(sed -n "s/.*(\"$tool\", \"\(.*\)\").*/\1/p" deploy/parts/src/main/java/dev/sluice/local/parts/Tool.java)
    wanted+=("$tool=$version")
  done
  deploy/local/tools/fetch.sh "$cache" "${wanted[@]}" | grep -v ^detail
  mkdir -p "$SLUICE_NODE_BIN"
  for tool in "${wanted[@]}"; do
    ln -sfn "$cache/bin/${tool%=*}/${tool#*=}/${tool%=*}" "$SLUICE_NODE_BIN/${tool%=*}"
  done
}

images() {
  local it
  mvn -q -B package -pl deploy/image,deploy/sample-job -am -DskipTests -Dsluice.image.skip=false
  SLUICE_TEMPORAL=$SLUICE_NODE_BIN/temporal SLUICE_JOB=$(ls deploy/sample-job/target/sluice-sample-job-*.jar) \
    "$here/images.sh" "$home/images" busybox temporal flink
  for it in "$home"/images/*.tar deploy/image/target/sluice-image.tar; do
    "$here/node.sh" image "$home/node" "$it"
  done
}

rest() { # PATH below that of the job, in Flink's REST API
  kubectl get --raw "/api/v1/namespaces/default/services/state-machine-rest:8081/proxy/jobs/$(status jobStatus.jobId)$1"
}

count() { # GAUGE of the sample job: its sum
  local vertex
  vertex=$(rest '' | jq -r '.vertices[] | select(.name | test("^counter( -> .*)?$")).id')
  rest "/vertices/$vertex/subtasks/metrics?get=counter.$1&agg=sum" | jq -er '.[0].sum | floor'
}

counts() { await 60 'the job reports no counts' count total; count total; }

is_exact() { # COUNTED BEFORE: nothing is lost or doubled, and the state is not older
  await 60 'the job reports no counts' count restored
  local restored lost doubled
  restored=$(count restored) lost=$(count lost) doubled=$(count doubled)
  step "counted before: $1, restored: $restored, lost: $lost, doubled: $doubled"
  if [ "$restored" -lt "$1" ] || [ "$lost$doubled" != 00 ]; then
    fail 'the state did not survive'
  fi
}

is_at() { [ "$(status operation.step) $(status operation.targetGeneration)" = "$1 $(kubectl get flinkdep state-machine -o jsonpath='{.metadata.generation}')" ]; }
is_blocked() { [ "$(status operation.state)" = Blocked ]; }
ready() { await 600 'the job is not ready' kubectl wait flinkdep state-machine --for=condition=Ready --timeout=5s; }
ended() { [ "$(status operation.type) $(status operation.state)" = "$1 Succeeded" ]; }

install() {
  helm "$1" sluice deploy/helm/sluice --namespace sluice-system --create-namespace --values deploy/helm/values/trial.yaml "${@:2}" | grep STATUS
  kubectl -n sluice-system rollout status deployment sluice-temporal sluice-controller sluice-worker --timeout=5m >/dev/null
}

[ "$(id -u)" = 0 ] || fail 'needs root'
mkdir -p "$home"
step 'Binaries'
binaries
trap '"$here/node.sh" down "$home/node"; rm -rf "$home/node"' EXIT
step 'A node'
"$here/node.sh" up "$home/node"
step 'Images'
images
step 'Install'
install install
helm test sluice --namespace sluice-system | grep Phase
kubectl apply -f deploy/helm/examples/state-machine.yaml
ready
before=$(counts)
step 'Two controllers and two workers with rights in one namespace; an upgrade with a savepoint, the leader and all workers killed in the middle'
install upgrade --set 'controller.replicas=2,worker.replicas=2,watchNamespaces={default}'
kubectl patch flinkdep state-machine --type merge -p '{"spec":{"job":{"parallelism":2}}}'
await 60 'the job is not stopped' is_at StopWithSavepoint
leader=$(kubectl -n sluice-system get lease sluice-controller -o jsonpath='{.spec.holderIdentity}')
kubectl -n sluice-system delete pod "$leader" --grace-period=0 --force
kubectl -n sluice-system delete pod -l app.kubernetes.io/component=worker --grace-period=0 --force
await 600 'the upgrade has not ended' ended Upgrade
ready
is_exact "$before"
step 'A snapshot'
kubectl apply -f - <<'END'
apiVersion: flink.apache.org/v1beta1
kind: FlinkStateSnapshot
metadata: {name: one}
spec: {jobReference: {kind: FlinkDeployment, name: state-machine}, savepoint: {}}
END
kubectl wait flinksnp one --for=jsonpath='{.status.state}'=COMPLETED --timeout=2m
step 'An upgrade to an image that does not exist, and the way back'
before=$(counts)
kubectl patch flinkdep state-machine --type merge -p '{"spec":{"image":"flink:0.0"}}'
await 120 'the missing image is not reported' is_blocked
kubectl annotate flinkdep state-machine sluice.dev/abort='no such image'
await 600 'the rollback has not ended' ended Rollback
is_exact "$before"
step 'Remove'
kubectl delete flinkbluegreendeployments,flinksessionjobs,flinkstatesnapshots,flinkdeployments --all --all-namespaces --timeout=2m
helm uninstall sluice --namespace sluice-system
kubectl delete -f deploy/crds
kubectl delete namespace sluice-system
kubectl delete pvc flink-data
left=$({
  kubectl get all,configmaps,secrets,serviceaccounts,leases,pvc -o name
  kubectl get namespaces,clusterroles,clusterrolebindings,roles,rolebindings,crds -A -o name | grep -E 'sluice|flink'
} | grep -v -x -e configmap/kube-root-ca.crt -e service/kubernetes -e serviceaccount/default || true)
[ -z "$left" ] || fail "left: $left"
step 'Nothing is left'
