package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.service.ServiceTable.Host;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostsFileTest {

  private static Host host(String address, String namespace, String name) {
    return new Host(
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
}
