#!/usr/bin/env bash
# fetch.sh BINARY VERSION TARGET
# Puts a binary at TARGET: the official release, when its published SHA-256 fits, else built from the Go modules pinned here.
# It prints lines for the launcher that begin with begin, detail, done, origin or reason; other lines are errors.
# Exit code 1: no way is open, each has given its reason. 2: something is broken.
# SLUICE_RELEASES is a mirror to use in place of https:/, SLUICE_GO the go command, SLUICE_UNREACHABLE hosts not to ask again.
set -uo pipefail
binary=$1 version=$2 target=$3
tools=$(cd "$(dirname "$0")" && pwd)
go=${SLUICE_GO:-go} oldest_go=1.25.0
os=$(uname -s | tr '[:upper:]' '[:lower:]')
arch=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
member='' stamp=''
case $binary in
  etcd)
    site=github.com/etcd-io/etcd/releases/download/v$version file=etcd-v$version-$os-$arch.tar.gz sums=SHA256SUMS
    member=etcd-v$version-$os-$arch/etcd
    module=kubernetes package=go.etcd.io/etcd/server/v3
    ;;
  kubectl | kube-apiserver | kube-controller-manager)
    site=dl.k8s.io/v$version/bin/$os/$arch file=$binary sums=$binary.sha256
    module=kubernetes package=k8s.io/kubernetes/cmd/$binary
    IFS=. read -r major minor _ <<<"$version"
    for it in "gitVersion=v$version" "gitMajor=$major" "gitMinor=$minor" gitTreeState=clean; do
      stamp+=" -X k8s.io/component-base/version.$it"
    done
    ;;
  temporal)
    site=github.com/temporalio/cli/releases/download/v$version file=temporal_cli_${version}_${os}_$arch.tar.gz sums=checksums.txt
    member=temporal
    module=temporal package=github.com/temporalio/cli/cmd/temporal
    stamp="-X github.com/temporalio/cli/temporalcli.Version=$version"
    ;;
  helm)
    site=get.helm.sh file=helm-v$version-$os-$arch.tar.gz sums=$file.sha256sum
    member=$os-$arch/helm
    module=helm package=helm.sh/helm/v3/cmd/helm
    stamp="-X helm.sh/helm/v3/internal/version.version=v$version"
    ;;
  *)
    echo "nobody knows where '$binary' comes from"
    exit 2
    ;;
esac

need_space() { # MEGABYTES PURPOSE
  local free
  free=$(df -Pm "$(dirname "$target")" | awk 'NR == 2 { print $4 }')
  if [ "$free" -lt "$1" ]; then
    echo "$2 $binary needs about $1 MB in $(dirname "$target"), but only $free MB are free. Free some space, or put the cache elsewhere with SLUICE_CACHE."
    exit 2
  fi
}

get() { # FILE OF THE SITE, WHERE TO
  local url=${SLUICE_RELEASES:-https:/}/$site/$1 host=${site%%/*} said
  said=$(curl -fsSL --connect-timeout 3 --speed-limit 1 --speed-time 30 -o "$2" "$url" 2>&1)
  case $? in
    0) return 0 ;;
    22) echo "reason $url: ${said##*curl: (22) }" ;;
    23)
      echo "No space left on device: $said"
      exit 2
      ;;
    127) echo "reason downloading needs curl, which is not on PATH" ;;
    *) echo "reason $host is unreachable (${said##*curl: })" ;;
  esac
  return 1
}

release() {
  local part=$target.download published actual
  if [[ " ${SLUICE_UNREACHABLE:-} " == *" ${site%%/*} "* ]]; then
    echo "reason ${site%%/*} is unreachable"
    return 1
  fi
  get "$sums" "$part" || return 1
  published=$(awk -v file="$file" '{ sub(/^\*/, "", $2) } length($1) == 64 && (NF == 1 || $2 == file) { print tolower($1); exit }' "$part")
  if [ -z "$published" ]; then
    echo "reason $sums of $site has no checksum for $file"
    return 1
  fi
  need_space 500 Downloading
  echo "begin downloading $binary $version"
  get "$file" "$part" || return 1
  actual=$(sha256sum "$part" | cut -d' ' -f1)
  if [ "$actual" != "$published" ]; then
    echo "reason $file of $site has checksum $actual, published is $published"
    return 1
  fi
  if [ -z "$member" ]; then
    mv "$part" "$target"
  elif ! tar -xzOf "$part" "$member" >"$target"; then
    echo "reason tar cannot extract $member from $file"
    return 1
  fi
  chmod +x "$target"
  echo "done checksum fits"
  echo "origin https://$site/$file"
}

build() {
  local found wanted="reason building needs Go $oldest_go or newer, and"
  export CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOWORK=off
  found=$("$go" version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  if [ -z "$found" ]; then
    echo "$wanted no 'go' is on PATH (https://go.dev/dl)"
    return 1
  elif [ "$(printf '%s\n' $oldest_go "$found" | sort -V | head -n 1)" != $oldest_go ]; then
    echo "$wanted the one on PATH is $found (https://go.dev/dl)"
    return 1
  elif [ ! -f "$tools/$module/go.mod" ]; then
    echo "reason the pinned Go module $tools/$module is missing"
    return 1
  fi
  need_space 1000 Building
  echo "begin building $binary $version from its Go modules"
  if ! (cd "$tools/$module" && "$go" build -v -trimpath -ldflags "-s -w $stamp" -o "$target" "$package") 2>&1 |
    awk '/^go: downloading / { print "detail " ++modules " modules downloaded"; fflush(); next }
      { print "detail " ++packages " packages compiled"; print; fflush() }'; then
    echo "Building $package failed. What is compiled so far is kept: run it again to go on from there."
    echo "A full disk needs about 4 GB ('go clean -cache' helps)."
    exit 2
  fi
  echo "done built"
  echo "origin built with Go $found"
}

trap 'rm -f "$target.download"' EXIT
release || build || exit 1
