#!/usr/bin/env bash
# base.sh FILE: makes a base image from this machine's Java 17 and C library, as a tarball that Jib takes
# ('tar://FILE'). For tests, and where no registry can be reached. There is no shell in it.
set -euo pipefail

file=${1:?usage: base.sh FILE}
java=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}

die() {
  echo "base.sh: $*" >&2
  exit 1
}

[[ -x $java/bin/jlink && -d $java/jmods ]] || die "$java is no JDK with jlink (Debian: apt-get install openjdk-17-jdk-headless)"
"$java/bin/java" --version | grep -q ' 17[.]' || die "$java is not Java 17"
case $(uname -m) in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
  *) die "no image is made for $(uname -m)" ;;
esac
if [[ $file -nt $java/release && $file -nt ${BASH_SOURCE[0]} ]]; then
  exit
fi

mkdir -p "$(dirname "$file")"
work=$(mktemp -d "$file.XXXXXX")
trap 'rm -rf "$work"' EXIT
umask 022
root=$work/root
mkdir -p "$root"/{dev,etc,home/nonroot,opt,proc,sys,tmp}
chmod 1777 "$root/tmp"

"$java/bin/jlink" --output "$root/opt/java" --strip-java-debug-attributes --no-header-files --no-man-pages \
  --add-modules java.se,jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.unsupported,jdk.zipfs
# the certificates that this machine trusts
cp -L "$java/lib/security/cacerts" "$root/opt/java/lib/security/cacerts"

# what Java loads without a display; and the rest of the C library, for native code in jars
programs=("$root"/opt/java/bin/java "$root"/opt/java/lib/lib{java,net,nio,zip,management,verify}.so "$root/opt/java/lib/server/libjvm.so")
for library in $(ldd "${programs[@]}" | grep -o ' /[^ ]*\|^\s*/[^ ]*ld-linux[^ ]*' | sort -u); do
  if [[ $library != "$root"* ]]; then
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  fi
  if [[ $library == */libc.so.* ]]; then
    for more in dl.so.2 pthread.so.0 rt.so.1 resolv.so.2 nss_dns.so.2 nss_files.so.2; do
      [[ -e ${library%/*}/lib$more ]] && cp -L "${library%/*}/lib$more" "$root${library%/*}/"
    done
  fi
done
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
printf 'root:x:0:0:root:/:/none\nnonroot:x:65532:65532:nonroot:/home/nonroot:/none\n' >"$root/etc/passwd"
printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"

tar --create --file="$work/layer.tar" --directory="$root" --sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner .
layer=$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)
cat >"$work/config.json" <<EOF
{"architecture":"$architecture","os":"linux","config":{"Env":["PATH=/opt/java/bin"]},
"rootfs":{"type":"layers","diff_ids":["sha256:$layer"]},"history":[{"created":"1970-01-01T00:00:01Z","created_by":"base.sh"}]}
EOF
echo '[{"Config":"config.json","RepoTags":["sluice-base:local"],"Layers":["layer.tar"]}]' >"$work/manifest.json"
tar --create --file="$work/image.tar" --directory="$work" manifest.json config.json layer.tar
mv "$work/image.tar" "$file"
