package dev.sluice.local.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
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
            .resolve(Tool.KUBE_APISERVER.version() + "-" + platform());
    Files.createDirectories(folder);
    for (Tool tool : TOOLS) {
      ResolvedTool binary = resolved.get(tool);
      if (binary == null) {
        throw new IllegalArgumentException(tool.binary() + " is missing");
      }
      Path draft = folder.resolve(tool.binary() + "." + ProcessHandle.current().pid());
      Files.deleteIfExists(draft);
      if (tool == Tool.ETCD) {
        Files.writeString(draft, loopbackEtcd(binary.path()));
        if (!draft.toFile().setExecutable(true)) {
          throw new IOException("cannot make " + draft + " executable");
        }
      } else {
        Files.createSymbolicLink(draft, binary.path());
      }
      Files.move(
          draft,
          folder.resolve(tool.binary()),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
    return cache.kubeApiTest();
  }

  /** Operating system and processor, named as Kubernetes names them. */
  static String platform() {
    String arch = System.getProperty("os.arch", "");
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT)
        + "-"
        + arch.replace("x86_64", "amd64").replace("aarch64", "arm64");
  }

  /** kube-api-test tells etcd to listen on every interface; nothing of ours may. */
  private static String loopbackEtcd(Path etcd) {
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
}
