#!/usr/bin/env bash
# A Kubernetes node with real containers on this machine, as root.
#
#   node.sh up HOME            starts etcd, the control plane, containerd, kubelet, kube-proxy and CoreDNS
#   node.sh run HOME COMMAND   runs a command there, with KUBECONFIG of an administrator
#   node.sh image HOME FILE    loads an image in the format of `docker save`
#   node.sh down HOME          ends it; nothing is left but HOME
#
# SLUICE_NODE_BIN is a folder with etcd, kubectl, kube-*, kubelet and coredns. From Debian: containerd, runc,
# containernetworking-plugins, iptables.
# All of it runs in namespaces of its own (processes, mounts, network): with the first process of these everything ends,
# is unmounted and disconnected.
set -euo pipefail

address=172.31.0.1 name=node

init() { # the pid, outside, of the first process in the namespaces; nothing when there is none
  local it
  it=$(cat "$home/unshare.pid" 2>/dev/null || true)
  if [ -n "$it" ] && grep -q unshare "/proc/$it/comm" 2>/dev/null; then
    pgrep --parent "$it" || true
  fi
}

inside() {
  nsenter --target "$(init)" --pid --mount --net --ipc --uts env --chdir="$PWD" KUBECONFIG="$home/admin.kubeconfig" PATH="$SLUICE_NODE_BIN:$PATH" "$@"
}

await() { # SECONDS COMMAND: until it succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "not within time: $*" >&2; return 1; }
    read -rt 0.2 <> <(:) || true
  done
}

up() {
  mkdir -p "$home"/{certs,log,kubelet,containerd,volumes,etcd}
  credentials
  setsid unshare --pid --mount --net --ipc --uts --fork --mount-proc --kill-child \
    "$(realpath "$0")" main "$home" </dev/null >"$home/log/main" 2>&1 &
  echo $! >"$home/unshare.pid"
  await 60 test -e "$home/started"
  await 60 inside kubectl wait node $name --for=condition=Ready --timeout=1s
  inside kubectl apply -f "$home/volumes.yaml"
}

down() {
  local it
  it=$(init)
  [ -z "$it" ] || kill -KILL "$it"
  await 60 nothing_left
  rm -f "$home"/{unshare.pid,started}
}

nothing_left() {
  [ -z "$(init)" ] && find /sys/fs/cgroup -depth -type d -path '*/sluice-node*' -exec rmdir {} +
}

credentials() {
  local user
  [ -f "$home/sa.key" ] || openssl genrsa -out "$home/sa.key" 2048 2>/dev/null
  cat >"$home/tokens.csv" <<END
admin-token,admin,admin,system:masters
kube-controller-manager-token,system:kube-controller-manager,2
kube-scheduler-token,system:kube-scheduler,3
kube-proxy-token,system:kube-proxy,4
kubelet-token,system:node:$name,5,system:nodes
END
  for user in admin kube-controller-manager kube-scheduler kube-proxy kubelet; do
    cat >"$home/$user.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: node, cluster: {server: "https://$address:6443", certificate-authority: $home/certs/apiserver.crt}}]
users: [{name: $user, user: {token: $user-token}}]
contexts: [{name: node, context: {cluster: node, user: $user}}]
current-context: node
END
  done
  cat >"$home/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix:///run/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /sluice-node
cgroupsPerQOS: true
clusterDNS: [$address]
clusterDomain: cluster.local
resolvConf: ""
podLogsDir: $home/pod-logs
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
oomScoreAdj: 0
failSwapOn: false
END
  cat >"$home/containerd.toml" <<END
version = 2
root = "$home/containerd"
state = "/run/containerd-state"
[grpc]
address = "/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
# needs no CAP_SYS_RESOURCE
restrict_oom_score_adj = true
sandbox_image = "docker.io/library/busybox:1.37"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "$home/cni"
END
  mkdir -p "$home/cni"
  # each pod has a link of its own to the node: no bridge, and no kernel module for one
  cat >"$home/cni/10-ptp.conflist" <<END
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
 {"type": "ptp", "ipMasq": false, "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.244.0.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
END
  cat >"$home/Corefile" <<END
.:53 {
  bind $address
  errors
  kubernetes cluster.local {
    kubeconfig $home/admin.kubeconfig node
  }
  cache 5
}
END
  for user in 1 2 3 4; do
    mkdir -p "$home/volumes/$user"
    cat <<END
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: volume-$user}
spec:
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  local: {path: $home/volumes/$user}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [$name]}]}]}}
END
  done >"$home/volumes.yaml"
}

start() { # NAME COMMAND
  local part=$1
  shift
  "$@" >"$home/log/$part" 2>&1 &
}

main() { # the first process in the namespaces
  mount --make-rprivate /
  mount -t tmpfs tmpfs /run
  mkdir -p /var/lib/cni /run/var-log
  mount -t tmpfs tmpfs /var/lib/cni
  mount --bind /run/var-log /var/log
  # what kubelet sets for the whole machine, it sets in a copy
  local it
  for it in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    cat "/proc/sys/$it" >"/run/${it##*/}"
    mount --bind "/run/${it##*/}" "/proc/sys/$it"
  done
  for it in /sys/fs/cgroup/*/; do
    mkdir -p "$it/sluice-node"
  done
  hostname $name
  ip link set lo up
  ip link add uplink type bridge
  ip address add $address/24 dev uplink
  ip link set uplink up
  ip route add 10.96.0.0/16 dev uplink
  echo 1 >/proc/sys/net/ipv4/ip_forward

  start etcd etcd --data-dir="$home/etcd" --unsafe-no-fsync --log-level=warn
  start containerd containerd --config="$home/containerd.toml"
  start kube-apiserver kube-apiserver --etcd-servers=http://127.0.0.1:2379 --bind-address=$address --advertise-address=$address \
    --cert-dir="$home/certs" --token-auth-file="$home/tokens.csv" --authorization-mode=Node,RBAC --kubelet-preferred-address-types=InternalIP \
    --service-cluster-ip-range=10.96.0.0/16 --service-account-issuer=https://kubernetes.default.svc \
    --service-account-key-file="$home/sa.key" --service-account-signing-key-file="$home/sa.key"
  await 60 kubectl --kubeconfig="$home/admin.kubeconfig" get --raw=/readyz
  start kube-controller-manager kube-controller-manager --kubeconfig="$home/kube-controller-manager.kubeconfig" \
    --service-account-private-key-file="$home/sa.key" --root-ca-file="$home/certs/apiserver.crt" \
    --use-service-account-credentials=true --leader-elect=false
  start kube-scheduler kube-scheduler --kubeconfig="$home/kube-scheduler.kubeconfig" --leader-elect=false
  start kubelet kubelet --config="$home/kubelet.yaml" --kubeconfig="$home/kubelet.kubeconfig" --root-dir="$home/kubelet" \
    --hostname-override=$name --node-ip=$address
  start kube-proxy kube-proxy --kubeconfig="$home/kube-proxy.kubeconfig" --hostname-override=$name --cluster-cidr=10.244.0.0/24 \
    --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0s --conntrack-tcp-timeout-close-wait=0s
  start coredns coredns -conf "$home/Corefile"
  touch "$home/started"
  wait
}

command=${1:?} home=$(realpath -m "${2:?}")
shift 2
: "${SLUICE_NODE_BIN:?}"
PATH=$SLUICE_NODE_BIN:$PATH
case $command in
  up) up ;;
  main) main ;;
  down) down ;;
  run) inside "$@" ;;
  image) inside ctr --address /run/containerd.sock --namespace k8s.io images import "$(realpath "$1")" ;;
  *) exit 2 ;;
esac
