package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Lays the cached binaries out as {@code io.fabric8:kube-api-test} 7.5 wants them: {@code
 * <directory>/k8s/<version>-<os>-<arch>/{kube-apiserver,etcd,kubectl}}. It then downloads nothing.
 */
public final class KubeApiTestDirectory {

  private KubeApiTestDirectory() {}

  /** What it needs. */
  public static final List<Tool> TOOLS = List.of(Tool.KUBE_APISERVER, Tool.ETCD, Tool.KUBECTL);

  /**
   * Makes or repairs the layout.
   *
   * @return the directory to give to kube-api-test
   */
  public static Path lay(CacheDirectory cache, Map<Tool, ResolvedTool> resolved)
      throws IOException {
    Path folder =
        cache
            .kubeApiTest()
            .resolve("k8s")
            .resolve(Tool.KUBE_APISERVER.version() + "-" + Platform.current());
    Files.createDirectories(folder);
    for (Tool tool : TOOLS) {
      ResolvedTool binary = resolved.get(tool);
      if (binary == null) {
        throw new IllegalArgumentException(tool.binary() + " is missing");
      }
      if (tool == Tool.ETCD) {
        write(folder.resolve("etcd"), loopbackEtcd(binary.path()));
      } else {
        link(folder.resolve(tool.binary()), binary.path());
      }
    }
    return cache.kubeApiTest();
  }

  /** kube-api-test tells etcd to listen on every interface; nothing of ours may. */
  static String loopbackEtcd(Path etcd) {
    return """
        #!/bin/sh
        for argument in "$@"; do
          shift
          set -- "$@" "$(printf %%s "$argument" | sed 's/0\\.0\\.0\\.0/127.0.0.1/g')"
        done
        exec '%s' "$@"
        """
        .formatted(etcd);
  }

  private static void write(Path file, String script) throws IOException {
    if (Files.isExecutable(file) && Files.readString(file).equals(script)) {
      return;
    }
    Path temporary = Files.createTempFile(file.getParent(), "etcd", ".partial");
    Files.writeString(temporary, script);
    if (!temporary.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + temporary + " executable");
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void link(Path link, Path target) throws IOException {
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS)
        && Files.isSymbolicLink(link)
        && Files.readSymbolicLink(link).equals(target)) {
      return;
    }
    Path temporary = link.resolveSibling(link.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(temporary);
    Files.createSymbolicLink(temporary, target);
    Files.move(
        temporary, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
