package dev.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ReservedPortTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void whoIsToldItListensThereAgainAndAgain() throws Exception {
    try (ReservedPort port = new ReservedPort()) {
      for (int i = 0; i < 3; i++) {
        try (ServerSocket server = new ServerSocket(port.number(), 1, LOOPBACK);
            Socket client = new Socket(LOOPBACK, port.number())) {
          assertThat(client.getPort()).isEqualTo(server.getLocalPort());
        }
      }
    }
  }

  /** As the kernel does for who asks for any port. */
  @Test
  void whoDoesNotAskForItByNameDoesNotGetIt() throws Exception {
    try (ReservedPort port = new ReservedPort();
        Socket another = new Socket()) {
      another.setReuseAddress(false);

      assertThatThrownBy(() -> another.bind(new InetSocketAddress(LOOPBACK, port.number())))
          .isInstanceOf(BindException.class);
    }
  }
}
