package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeApiTestDirectoryTest {

  @TempDir Path folder;

  @Test
  void laysTheThreeBinariesOut() throws IOException {
    Path directory = lay();

    Path binaries = directory.resolve("k8s/1.34.2-" + KubeApiTestDirectory.platform());
    assertThat(binaries.resolve("kube-apiserver")).hasContent("#!/bin/sh\necho \"$@\"");
    assertThat(binaries.resolve("kubectl")).isExecutable();
    assertThat(binaries.resolve("etcd")).isExecutable();
  }

  @Test
  void keepsEtcdOnTheLoopbackAddress() throws Exception {
    Path etcd = lay().resolve("k8s/1.34.2-" + KubeApiTestDirectory.platform() + "/etcd");

    Process process =
        new ProcessBuilder(
                etcd.toString(), "--listen-client-urls", "http://0.0.0.0:2379", "--name=a b")
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("--listen-client-urls http://127.0.0.1:2379 --name=a b\n");
  }

  @Test
  void followsABinaryThatMoved() throws IOException {
    lay();
    Path link =
        cache().kubeApiTest().resolve("k8s/1.34.2-" + KubeApiTestDirectory.platform() + "/kubectl");
    Files.delete(link);
    Files.createSymbolicLink(link, folder.resolve("gone"));

    lay();

    assertThat(link).exists();
  }

  private Path lay() throws IOException {
    Map<Tool, ResolvedTool> resolved = new EnumMap<>(Tool.class);
    for (Tool tool : KubeApiTestDirectory.TOOLS) {
      Path binary = Scripts.of(folder.resolve("bin").resolve(tool.binary()), "echo \"$@\"");
      resolved.put(tool, new ResolvedTool(tool, binary, tool.version(), "test"));
    }
    return KubeApiTestDirectory.lay(cache(), resolved);
  }

  private CacheDirectory cache() {
    return new CacheDirectory(folder.resolve("cache"));
  }
}
