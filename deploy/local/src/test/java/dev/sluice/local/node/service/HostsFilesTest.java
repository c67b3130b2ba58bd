package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFilesTest {
  private static final Service JM =
      new ServiceBuilder()
          .withNewMetadata()
          .withNamespace("a")
          .withName("jm")
          .endMetadata()
          .withNewSpec()
          .addToSelector("app", "jm")
          .endSpec()
          .build();
  private static final String JM_LINE = "127.0.1.1 jm.a jm.a.svc jm.a.svc.cluster.local jm\n";

  @TempDir Path folder;
  private HostsFiles files;

  @BeforeEach
  void layOut() throws IOException {
    Files.createDirectories(folder.resolve("pods"));
    files = files();
  }

  private HostsFiles files() {
    return new HostsFiles(folder.resolve("pods"), "127.0.1.1");
  }

  private Path pod() throws IOException {
    return files.ofPod(folder.resolve("pods/one"), "127.0.1.9");
  }

  @Test
  void thisMachinesOwnNamesComeFirstAsTheFileReplacesAllOtherResolution() throws Exception {
    files.write(List.of(JM), List.of());

    String own = InetAddress.getLocalHost().getHostName();
    assertThat(Files.readString(pod())).isEqualTo("127.0.1.9 localhost " + own + "\n" + JM_LINE);
  }

  @Test
  void aPodIsItsOwnLocalhost() throws Exception {
    assertThat(Files.readString(pod())).startsWith("127.0.1.9 localhost ");
  }

  @Test
  void aPodsFileFollowsTheServices() throws Exception {
    Path own = pod();

    files.write(List.of(JM), List.of());

    assertThat(Files.readString(own)).startsWith("127.0.1.9 localhost ").endsWith(JM_LINE);
  }

  @Test
  void aPodThatStartsLaterFindsTheServicesThereAre() throws Exception {
    files.write(List.of(JM), List.of());

    assertThat(Files.readString(pod())).endsWith(JM_LINE);
  }

  @Test
  void aNodeThatStartsAgainBringsPodFilesUpToDate() throws Exception {
    Path own = pod();

    files().write(List.of(JM), List.of());

    assertThat(Files.readString(own)).startsWith("127.0.1.9 ").endsWith(JM_LINE);
  }
}
