package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFileTest {

  @TempDir Path folder;

  private static ServiceHost host(String address, String namespace, String name) {
    return new ServiceHost(
        address, List.of(name + "." + namespace, name + "." + namespace + ".svc", name));
  }

  @Test
  void thisMachinesOwnNamesComeFirstAsTheFileReplacesAllOtherResolution() {
    assertThat(HostsFile.text("mine", List.of())).isEqualTo("127.0.0.1 localhost mine\n");
  }

  @Test
  void eachPodOfAHeadlessServiceHasALineWithAllItsNames() {
    String text =
        HostsFile.text("mine", List.of(host("127.0.1.2", "a", "jm"), host("127.0.1.3", "a", "jm")));

    assertThat(text)
        .contains("127.0.1.2 jm.a jm.a.svc jm\n")
        .contains("127.0.1.3 jm.a jm.a.svc jm\n");
  }

  @Test
  void aShortNameOfTwoNamespacesMeansTheFirst() {
    String text =
        HostsFile.text("mine", List.of(host("127.0.1.2", "a", "jm"), host("127.0.1.3", "b", "jm")));

    assertThat(text).contains("127.0.1.2 jm.a jm.a.svc jm\n").contains("127.0.1.3 jm.b jm.b.svc\n");
  }

  @Test
  void aServiceCannotTakeThisMachinesName() {
    assertThat(HostsFile.text("mine", List.of(host("127.0.1.2", "a", "mine"))))
        .contains("127.0.1.2 mine.a mine.a.svc\n");
  }

  @Test
  void aPodIsItsOwnLocalhost() throws Exception {
    HostsFile file =
        new HostsFile(folder.resolve("hosts"), Files.createDirectory(folder.resolve("pods")));

    Path own = file.ofPod(folder.resolve("pods/one"), "127.0.1.9");

    assertThat(Files.readString(own)).startsWith("127.0.1.9 localhost ");
  }

  @Test
  void aPodsFileFollowsTheServices() throws Exception {
    HostsFile file =
        new HostsFile(folder.resolve("hosts"), Files.createDirectory(folder.resolve("pods")));
    Path own = file.ofPod(folder.resolve("pods/one"), "127.0.1.9");

    file.write(List.of(host("127.0.1.2", "a", "jm")));

    assertThat(Files.readString(own))
        .startsWith("127.0.1.9 localhost ")
        .contains("127.0.1.2 jm.a jm.a.svc jm\n");
  }

  @Test
  void aPodThatStartsLaterFindsTheServicesThereAre() throws Exception {
    HostsFile file =
        new HostsFile(folder.resolve("hosts"), Files.createDirectory(folder.resolve("pods")));
    file.write(List.of(host("127.0.1.2", "a", "jm")));

    Path own = file.ofPod(folder.resolve("pods/one"), "127.0.1.9");

    assertThat(Files.readString(own)).contains("127.0.1.2 jm.a jm.a.svc jm\n");
  }

  @Test
  void aNodeThatStartsAgainBringsPodFilesUpToDate() throws Exception {
    Path pods = Files.createDirectory(folder.resolve("pods"));
    Path own = new HostsFile(folder.resolve("hosts"), pods).ofPod(pods.resolve("one"), "127.0.1.9");

    new HostsFile(folder.resolve("hosts"), pods).write(List.of(host("127.0.1.2", "a", "jm")));

    assertThat(Files.readString(own)).startsWith("127.0.1.9 ").contains("127.0.1.2 jm.a");
  }
}
