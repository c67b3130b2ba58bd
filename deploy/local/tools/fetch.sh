#!/usr/bin/env bash
# fetch.sh CACHE BINARY=VERSION... [kubeapitest]
# Sees to it that CACHE/bin/BINARY/VERSION/BINARY runs and says that it is of that version, or of a newer patch release of the same minor.
# What is missing is a link to one on PATH that fits, else the official release, when its published SHA-256 fits, else built from the Go
# modules pinned here. "kubeapitest" lays etcd, kube-apiserver and kubectl out as io.fabric8:kube-api-test wants them.
# It prints lines for the launcher that begin with begin, detail, done, say or origin; other lines tell why it fails.
# SLUICE_RELEASES is a mirror to use in place of https:/, SLUICE_GO the go command, SLUICE_PATH where to look in place of PATH.
set -uo pipefail
cache=$1
shift
tools=$(cd "$(dirname "$0")" && pwd)
go=${SLUICE_GO:-go} oldest_go=1.25.0
os=$(uname -s | tr '[:upper:]' '[:lower:]')
arch=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
unreachable='' ours=''

choose() { # BINARY VERSION: from here on it is about this one
  local major minor it
  binary=$1 version=$2 path=$cache/bin/$1/$2/$1 reasons='' origin=''
  target=$path.partial member='' stamp='' ask=(--version)
  case $binary in
    etcd)
      site=github.com/etcd-io/etcd/releases/download/v$version file=etcd-v$version-$os-$arch.tar.gz sums=SHA256SUMS
      member=etcd-v$version-$os-$arch/etcd
      module=kubernetes package=go.etcd.io/etcd/server/v3
      ;;
    kubectl | kubelet | kube-apiserver | kube-controller-manager | kube-proxy | kube-scheduler)
      site=dl.k8s.io/v$version/bin/$os/$arch file=$binary sums=$binary.sha256
      module=kubernetes package=k8s.io/kubernetes/cmd/$binary
      IFS=. read -r major minor _ <<<"$version"
      for it in "gitVersion=v$version" "gitMajor=$major" "gitMinor=$minor" gitTreeState=clean; do
        stamp+=" -X k8s.io/component-base/version.$it"
      done
      [ "$binary" = kubectl ] && ask=(version --client)
      ;;
    temporal)
      site=github.com/temporalio/cli/releases/download/v$version file=temporal_cli_${version}_${os}_$arch.tar.gz sums=checksums.txt
      member=temporal
      module=temporal package=github.com/temporalio/cli/cmd/temporal
      stamp="-X github.com/temporalio/cli/temporalcli.Version=$version"
      ;;
    coredns)
      site=github.com/coredns/coredns/releases/download/v$version file=coredns_${version}_${os}_$arch.tgz sums=$file.sha256
      member=coredns
      module=coredns package=.
      ask=(-version)
      ;;
    helm)
      site=get.helm.sh file=helm-v$version-$os-$arch.tar.gz sums=$file.sha256sum
      member=$os-$arch/helm
      module=helm package=helm.sh/helm/v3/cmd/helm
      stamp="-X helm.sh/helm/v3/internal/version.version=v$version -X helm.sh/helm/v3/internal/version.gitTreeState=clean"
      for it in chartutil lint/rules; do
        stamp+=" -X helm.sh/helm/v3/pkg/$it.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/$it.k8sVersionMinor=34"
      done
      ask=(version --short)
      ;;
    *)
      echo "unknown binary '$binary'"
      exit 2
      ;;
  esac
}

reason() { # WHY A WAY IS CLOSED
  reasons+=$'\n  - '$1
}

version_of() { # FILE: what it says its version is; nothing when it does not run
  local said
  said=$(timeout 20 "$1" "${ask[@]}" 2>&1 </dev/null) && grep -oE '[0-9]+(\.[0-9]+){2}(-[0-9A-Za-z.-]+)?' <<<"$said" | head -n 1
}

fits() { # VERSION: same minor, not older, no pre-release or vendor build
  [[ $1 =~ ^([0-9]+\.[0-9]+)\.([0-9]+)$ && ${BASH_REMATCH[1]} == "${version%.*}" && ${BASH_REMATCH[2]} -ge ${version##*.} ]]
}

# Beside each binary is what it was when its version was looked at, and where it came from: while that is so it need not be run.
is_checked() {
  local was
  [ -x "$path" ] && { read -r was && read -r origin; } 2>/dev/null <"$path.checked" && [ "$was" = "$(stat -Lc '%s %Y %i' "$path")" ]
}

check() { # FILE WHERE FROM: whether it fits
  found=$(version_of "$1")
  fits "$found" || return 1
  [ "$1" = "$path" ] || mv -fT "$1" "$path" || exit 2
  origin="$found, $2"
  { stat -Lc '%s %Y %i' "$path" && echo "$origin"; } >"$path.checked" || exit 2
}

provide() {
  if ! is_checked; then
    if ! mkdir -p "${path%/*}" "$cache/locks" || ! exec 9>"$cache/locks/$binary.lock"; then
      echo "$cache cannot be used: put the cache elsewhere with SLUICE_CACHE."
      exit 2
    fi
    if ! flock -n 9; then
      echo "say $binary is being fetched by another process: waiting"
      flock 9
    fi
    ours=$target
    if ! is_checked && ! check "$path" 'found in the cache'; then
      rm -f "${path%/*}"/*.partial*
      if ! link && ! release && ! build; then
        echo "$binary $version cannot be had:$reasons"
        echo 'Make one of these work, or put the binary on PATH.'
        exit 1
      elif ! check "$target" "$origin"; then
        echo "$binary ($origin) says its version is ${found:-nothing}, expected $version. Please report this."
        exit 2
      fi
    fi
    ours=''
    exec 9>&-
  fi
  echo "origin $origin"
}

link() {
  local candidate misfits=''
  while read -r candidate; do
    found=$(version_of "$candidate")
    if fits "$found"; then
      origin="PATH, $candidate"
      ln -s "$(realpath "$candidate")" "$target"
      # a program that goes by its name, such as that of snap or mise, is another one at the end of its link
      found=$(version_of "$target")
      fits "$found" && return
      rm -f "$target"
    fi
    misfits+="${misfits:+, }$candidate is ${found:-of unknown version}"
  done < <(PATH=${SLUICE_PATH-$PATH} && type -aP "$binary")
  reason "${misfits:-not on PATH}"
  return 1
}

need_space() { # MEGABYTES PURPOSE
  local free
  free=$(df -Pm "${path%/*}" | awk 'NR == 2 { print $4 }')
  if [ "$free" -lt "$1" ]; then
    echo "$2 $binary needs about $1 MB in ${path%/*}, but only $free MB are free. Free some space, or put the cache elsewhere with SLUICE_CACHE."
    exit 2
  fi
}

get() { # FILE OF THE SITE, WHERE TO
  local url=${SLUICE_RELEASES:-https:/}/$site/$1 host=${site%%/*} said
  said=$(curl -fsSL --connect-timeout 3 --speed-limit 1 --speed-time 30 -o "$2" "$url" 2>&1)
  case $? in
    0) return 0 ;;
    22) reason "$url: ${said##*curl: (22) }" ;;
    23)
      echo "No space left on device: $said"
      exit 2
      ;;
    127) reason 'downloading needs curl, which is not on PATH' ;;
    *)
      reason "$host is unreachable (${said##*curl: })"
      unreachable+=" $host "
      ;;
  esac
  return 1
}

release() {
  local part=$target.download published actual
  if [[ $unreachable == *" ${site%%/*} "* ]]; then
    reason "${site%%/*} is unreachable"
    return 1
  fi
  get "$sums" "$part" || return 1
  published=$(awk -v file="$file" '{ sub(/^\*/, "", $2) } length($1) == 64 && (NF == 1 || $2 == file) { print tolower($1); exit }' "$part")
  if [ -z "$published" ]; then
    reason "$sums of $site has no checksum for $file"
    return 1
  fi
  need_space 500 Downloading
  echo "begin downloading $binary $version"
  get "$file" "$part" || return 1
  actual=$(sha256sum "$part" | cut -d' ' -f1)
  if [ "$actual" != "$published" ]; then
    reason "$file of $site has checksum $actual, published is $published"
    return 1
  fi
  if [ -z "$member" ]; then
    mv "$part" "$target"
  elif ! tar -xzOf "$part" "$member" >"$target"; then
    reason "tar cannot extract $member from $file"
    return 1
  fi
  chmod +x "$target"
  echo "done checksum fits"
  origin=https://$site/$file
}

build() {
  local found wanted="building needs Go $oldest_go or newer, and"
  export CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOWORK=off
  found=$("$go" version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  if [ -z "$found" ]; then
    reason "$wanted no 'go' is on PATH (https://go.dev/dl)"
    return 1
  elif [ "$(printf '%s\n' $oldest_go "$found" | sort -V | head -n 1)" != $oldest_go ]; then
    reason "$wanted the one on PATH is $found (https://go.dev/dl)"
    return 1
  elif [ ! -f "$tools/$module/go.mod" ]; then
    reason "the pinned Go module $tools/$module is missing"
    return 1
  fi
  need_space 1000 Building
  echo "begin building $binary $version from its Go modules"
  if ! (cd "$tools/$module" && "$go" build -v -trimpath -ldflags "-s -w $stamp" -o "$target" "$package") 2>&1 |
    awk '/^go: downloading / { print "detail " ++modules " modules downloaded"; fflush(); next }
      { print "detail " ++packages " packages compiled"; print; fflush() }'; then
    echo "Building $package failed. What is compiled so far is kept: run it again to go on from there."
    echo "Building needs about 4 GB of free disk; 'go clean -cache' frees some."
    exit 2
  fi
  echo "done built"
  origin="built with Go $found"
}

# kube-api-test tells etcd to listen on every interface; nothing of ours may.
kube_api_test() {
  local folder=$cache/kubeapitest/k8s/$kubernetes-$os-$arch it quoted=$cache/bin/etcd/$etcd/etcd
  mkdir -p "$folder" || exit 2
  for it in kube-apiserver kubectl; do
    ln -s "$cache/bin/$it/$kubernetes/$it" "$folder/$it.$$" && mv -fT "$folder/$it.$$" "$folder/$it" || exit 2
  done
  cat >"$folder/etcd.$$" <<EOF || exit 2
#!/bin/sh
for argument in "\$@"; do
  shift
  set -- "\$@" "\$(printf %s "\$argument" | sed 's/0\\.0\\.0\\.0/127.0.0.1/g')"
done
exec ${quoted@Q} "\$@"
EOF
  chmod +x "$folder/etcd.$$" && mv -fT "$folder/etcd.$$" "$folder/etcd" || exit 2
}

trap '[ -z "$ours" ] || rm -f "$ours" "$ours.download"' EXIT
for wanted in "$@"; do
  case $wanted in
    kubeapitest) kube_api_test ;;
    *)
      choose "${wanted%=*}" "${wanted#*=}"
      provide
      case $binary in
        etcd) etcd=$version ;;
        kube-apiserver) kubernetes=$version ;;
      esac
      ;;
  esac
done
