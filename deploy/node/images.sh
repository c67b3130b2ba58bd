#!/usr/bin/env bash
# images.sh FOLDER busybox|temporal|flink...: makes the images that the examples and the chart name, where no registry is reached: flink:2.2,
# temporalio/temporal and busybox.
# From Debian: debootstrap and busybox. From Maven: Flink's jars.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
local=$here/../local/src/main/resources/dev/sluice/local
mkdir -p "$folder"

image() { # NAME ROOT CONFIGURATION: FOLDER/....tar as of `docker save`
  local work
  work=$(mktemp -d "$folder/.XXXXXX")
  tar --create --file="$work/layer.tar" --directory="$2" --sort=name --numeric-owner .
  cat >"$work/config.json" <<END
{"architecture": "amd64", "os": "linux", "config": $3,
 "rootfs": {"type": "layers", "diff_ids": ["sha256:$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)"]}}
END
  echo "[{\"Config\": \"config.json\", \"RepoTags\": [\"$1\"], \"Layers\": [\"layer.tar\"]}]" >"$work/manifest.json"
  tar --create --file="$folder/$(tr '/:' '--' <<<"$1").tar" --directory="$work" manifest.json config.json layer.tar
  rm -rf "$work"
}

busybox() {
  local root=$folder/busybox it
  mkdir -p "$root"/{bin,tmp,etc}
  chmod 1777 "$root/tmp"
  cp /bin/busybox "$root/bin/busybox"
  # and what the C library loads to look names up
  for it in $(ldd /bin/busybox | grep -o '/[^ ]*') /lib/*/libnss_dns.so.2 /lib/*/libnss_files.so.2; do
    cp --dereference --parents "$it" "$root"
  done
  chroot "$root" /bin/busybox --install -s /bin
  image busybox:1.37 "$root" '{"Env": ["PATH=/bin"], "Cmd": ["sleep", "2147483647"]}'
}

temporal() {
  local root=$folder/temporal
  mkdir -p "$root"/{tmp,etc,usr/local/bin}
  chmod 1777 "$root/tmp"
  cp "${SLUICE_TEMPORAL:?}" "$root/usr/local/bin/temporal"
  echo 'temporal:x:1000:1000::/home/temporal:/none' >"$root/etc/passwd"
  image temporalio/temporal:1.5.1 "$root" '{"User": "temporal", "Env": ["PATH=/usr/local/bin"], "Entrypoint": ["temporal"]}'
}

flink() {
  local root=$folder/flink home=$folder/flink/opt/flink it
  [ -x "$root/usr/bin/java" ] || debootstrap --variant=minbase --include=openjdk-17-jre-headless,procps bookworm "$root" >"$folder/debootstrap.log"
  rm -rf "$home"
  mkdir -p "$home"/{bin,conf,lib,log,plugins,usrlib}
  mvn -q -B -f "$local/flink/home/pom.xml" dependency:copy-dependencies -Dflink.version=2.2.1 -Dflink.container.version=2.1.0 \
    -Dflink.kubernetes.version=2.2.0 -Dhome.lib="$home/lib"
  # also in place of the example of the same folder, which is in no Maven artifact
  mkdir -p "$home/examples/streaming"
  cp "${SLUICE_JOB:?}" "$home/usrlib/counter-job.jar"
  ln -s ../../usrlib/counter-job.jar "$home/examples/streaming/StateMachineExample.jar"
  cp "$local"/flink/shims/{log4j-console.properties,jvm.args} "$home/bin"
  for it in /docker-entrypoint.sh /opt/flink/bin/kubernetes-{jobmanager,taskmanager}.sh; do
    cp "$here/flink-process.sh" "$root$it"
  done
  grep -q ^flink: "$root/etc/passwd" || chroot "$root" useradd --system --uid 9999 --user-group --home-dir /opt/flink flink
  chroot "$root" chown -R flink:flink /opt/flink
  image flink:2.2 "$root" '{"User": "flink", "WorkingDir": "/opt/flink", "Entrypoint": ["/docker-entrypoint.sh"],
    "Env": ["FLINK_HOME=/opt/flink", "PATH=/opt/flink/bin:/usr/local/bin:/usr/bin:/bin"]}'
}

for it in "${@:2}"; do
  "$it"
done
