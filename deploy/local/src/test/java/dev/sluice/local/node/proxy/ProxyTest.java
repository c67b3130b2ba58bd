package dev.sluice.local.node.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.fault.ServiceFault;
import dev.sluice.local.node.service.Forward;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProxyTest {
  private static final InetSocketAddress LISTEN = new InetSocketAddress("127.22.250.2", 22200);

  private Proxy proxy;
  private ServerSocket pod;

  @BeforeEach
  void start() throws IOException {
    proxy = new Proxy();
    pod = new ServerSocket();
    pod.bind(new InetSocketAddress("127.22.250.3", 0));
    Thread echo = new Thread(this::echo);
    echo.setDaemon(true);
    echo.start();
  }

  @AfterEach
  void stop() throws Exception {
    proxy.apply(List.of(), Map.of()).get();
    proxy.close();
    pod.close();
  }

  /** Answers each connection with what it says. */
  private void echo() {
    try {
      while (true) {
        Socket socket = pod.accept();
        Thread answer =
            new Thread(
                () -> {
                  try (socket) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                  } catch (IOException e) {
                    // the client has left
                  }
                });
        answer.setDaemon(true);
        answer.start();
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private void forward(Map<String, ServiceFault> faults) throws Exception {
    InetSocketAddress endpoint = (InetSocketAddress) pod.getLocalSocketAddress();
    proxy.apply(List.of(new Forward("ns/s", LISTEN, List.of(endpoint))), faults).get();
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(LISTEN, 5000);
    return socket;
  }

  private static void echoes(Socket socket, String text) throws IOException {
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(text.getBytes(UTF_8));
    assertThat(new String(socket.getInputStream().readNBytes(text.length()), UTF_8))
        .isEqualTo(text);
  }

  @Test
  void bytesArriveInBothDirections() throws Exception {
    forward(Map.of());

    try (Socket socket = connect()) {
      echoes(socket, "hello");
    }
  }

  @Test
  void muchMoreThanABufferArrivesWholeAndInOrder() throws Exception {
    forward(Map.of());
    byte[] sent = new byte[5_000_000];
    new Random(7).nextBytes(sent);

    try (Socket socket = connect()) {
      socket.setSoTimeout(60_000);
      Thread writer =
          new Thread(
              () -> {
                try {
                  socket.getOutputStream().write(sent);
                  socket.shutdownOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      byte[] received = socket.getInputStream().readAllBytes();
      writer.join();

      assertThat(Arrays.equals(received, sent)).isTrue();
    }
  }

  @Test
  void aServiceWithoutEndpointsRefusesConnections() throws Exception {
    proxy.apply(List.of(new Forward("ns/s", LISTEN, List.of())), Map.of()).get();

    assertThatThrownBy(ProxyTest::connect).isInstanceOf(ConnectException.class);
  }

  @Test
  void anEndpointThatDoesNotAnswerCutsTheConnection() throws Exception {
    InetSocketAddress nobody = new InetSocketAddress("127.22.250.4", 22201);
    proxy.apply(List.of(new Forward("ns/s", LISTEN, List.of(nobody))), Map.of()).get();

    assertThatThrownBy(
            () -> {
              try (Socket socket = connect()) {
                socket.setSoTimeout(20_000);
                if (socket.getInputStream().read() < 0) {
                  throw new IOException("ended");
                }
              }
            })
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void aStalledConnectionIsSilentAndGoesOnAfterwards() throws Exception {
    forward(Map.of());
    try (Socket socket = connect()) {
      echoes(socket, "before");
      forward(Map.of("ns/s", ServiceFault.STALL));

      socket.getOutputStream().write("after".getBytes(UTF_8));
      socket.setSoTimeout(200);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      forward(Map.of());

      socket.setSoTimeout(20_000);
      assertThat(new String(socket.getInputStream().readNBytes(5), UTF_8)).isEqualTo("after");
    }
  }

  @Test
  void aConnectionMadeDuringAStallIsServedAfterwards() throws Exception {
    forward(Map.of("ns/s", ServiceFault.STALL));
    try (Socket socket = connect()) {
      forward(Map.of());

      echoes(socket, "late");
    }
  }

  @Test
  void aDropCutsOpenConnectionsAndRefusesNewOnesUntilItIsOver() throws Exception {
    forward(Map.of());
    try (Socket socket = connect()) {
      echoes(socket, "before");
      forward(Map.of("ns/s", ServiceFault.DROP));

      socket.setSoTimeout(20_000);
      assertThatThrownBy(() -> socket.getInputStream().read()).hasMessageContaining("reset");
      assertThatThrownBy(ProxyTest::connect).isInstanceOf(ConnectException.class);
    }
    forward(Map.of());
    try (Socket socket = connect()) {
      echoes(socket, "again");
    }
  }

  @Test
  void aServiceThatIsGoneLetsGoOfItsPort() throws Exception {
    forward(Map.of());
    proxy.apply(List.of(), Map.of()).get();

    try (ServerSocket other = new ServerSocket()) {
      other.bind(LISTEN);
      assertThat(other.isBound()).isTrue();
    }
  }
}
