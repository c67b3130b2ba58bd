package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortOwnerTest {

  private static final String LINE =
      "   3: 0100007F:5208 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0"
          + " 113477 1 0000000000000000 100 0 0 10 0";

  @Test
  void namesTheProcessThatListens() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(PortOwner.isFree(socket.getLocalPort())).isFalse();
      assertThat(PortOwner.describe(socket.getLocalPort()))
          .startsWith("pid " + ProcessHandle.current().pid() + " (");
    }
  }

  @Test
  void findsAnUnusedPortFree() {
    try (ReservedPort unused = new ReservedPort()) {
      assertThat(PortOwner.isFree(unused.number())).isTrue();
    }
  }

  @Test
  void readsTheSocketOfAListener() {
    assertThat(PortOwner.sockets(List.of(LINE), 21_000)).containsExactly("socket:[113477]");
  }

  @Test
  void ignoresOtherPortsAndConnections() {
    assertThat(PortOwner.sockets(List.of(LINE), 21_001)).isEmpty();
    assertThat(PortOwner.sockets(List.of(LINE.replace(" 0A ", " 01 ")), 21_000)).isEmpty();
    assertThat(PortOwner.sockets(List.of("  sl  local_address rem_address   st"), 21_000))
        .isEmpty();
  }
}
