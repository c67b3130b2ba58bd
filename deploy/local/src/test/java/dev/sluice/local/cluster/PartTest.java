package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartTest {

  private static final List<String> SLEEP = List.of("sh", "-c", "echo started; exec sleep 600");
  private static final Duration GRACE = Duration.ofSeconds(10);

  @TempDir Path home;
  private HttpServer ready;

  @BeforeEach
  void serve() throws IOException {
    ready = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ready.createContext("/ready", exchange -> answer(exchange, 200));
    ready.createContext("/unready", exchange -> answer(exchange, 503));
    ready.start();
  }

  @AfterEach
  void end() {
    part(SLEEP, "/ready").kill();
    ready.stop(0);
  }

  @Test
  void startsInASessionOfItsOwn() {
    Part part = part(SLEEP, "/ready");

    part.start();
    part.awaitReady(GRACE);

    long pid = part.pid().orElseThrow();
    // the process is there before its launcher has moved it
    await().untilAsserted(() -> assertThat(session(pid)).isEqualTo(Long.toString(pid)));
  }

  private static String session(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
  }

  @Test
  void writesWhatItSaysToItsLog() {
    part(SLEEP, "/ready").start();

    await()
        .atMost(GRACE)
        .untilAsserted(
            () -> assertThat(home.resolve("logs/etcd.log")).content().startsWith("started"));
  }

  @Test
  void beginsANewLogWhenTheOldOneIsLong() throws IOException {
    Path log = home.resolve("logs/etcd.log");
    Files.createDirectories(log.getParent());
    Files.writeString(log.resolveSibling("etcd.log.1"), "older");
    long length = (20L << 20) + 1;
    try (RandomAccessFile old = new RandomAccessFile(log.toFile(), "rw")) {
      old.setLength(length);
    }

    part(SLEEP, "/ready").start();

    assertThat(log.resolveSibling("etcd.log.1")).hasSize(length);
    assertThat(Files.size(log)).isLessThan(length);
  }

  @Test
  void goesOnWithALogThatIsNotLong() throws IOException {
    Path log = home.resolve("logs/etcd.log");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "before\n");

    part(SLEEP, "/ready").start();

    assertThat(log).content().startsWith("before\n");
    assertThat(log.resolveSibling("etcd.log.1")).doesNotExist();
  }

  @Test
  void startsOnce() {
    Part part = part(SLEEP, "/ready");
    part.start();
    long pid = part.pid().orElseThrow();

    part.start();

    assertThat(part.pid()).hasValue(pid);
  }

  @Test
  void isKnownToAnotherProcessByItsRecord() {
    part(SLEEP, "/ready").start();

    assertThat(part(SLEEP, "/ready").state()).isEqualTo(Part.State.READY);
  }

  @Test
  void isGoneAfterAKill() {
    Part part = part(SLEEP, "/ready");
    part.start();

    part.kill();

    assertThat(part.isAlive()).isFalse();
    assertThat(part.state()).isEqualTo(Part.State.STOPPED);
  }

  @Test
  void isKilledWhenItDoesNotEndByItself() {
    Part part =
        part(List.of("sh", "-c", "trap '' TERM; sleep 600 & wait; wait; sleep 600"), "/ready");
    part.start();

    part.stop(Duration.ofMillis(200));

    assertThat(part.isAlive()).isFalse();
    new MarkedProcesses(home).all().forEach(ProcessIdentity::kill);
  }

  @Test
  void isOutdatedWhenItsCommandChanged() {
    part(SLEEP, "/ready").start();

    assertThat(part(List.of("sleep", "601"), "/ready").state()).isEqualTo(Part.State.OUTDATED);
  }

  @Test
  void isUnreadyWhileItDoesNotAnswer() {
    part(SLEEP, "/unready").start();

    assertThat(part(SLEEP, "/unready").state()).isEqualTo(Part.State.UNREADY);
  }

  @Test
  void wasNeverStartedAtFirst() {
    assertThat(part(SLEEP, "/ready").state()).isEqualTo(Part.State.STOPPED);
  }

  @Test
  void showsItsLogWhenItEndsAtOnce() {
    Part part = part(List.of("sh", "-c", "echo 'bad flag: --foo'; exit 1"), "/unready");
    part.start();

    assertThatThrownBy(() -> part.awaitReady(GRACE))
        .hasMessageContaining("etcd does not get ready")
        .hasMessageContaining("bad flag: --foo");
  }

  @Test
  void namesWhoHoldsItsPort() {
    Part.Spec spec = spec(SLEEP, "/ready", List.of(ready.getAddress().getPort()));
    Part part = new Part(spec, TestConfigs.in(home));

    assertThatThrownBy(part::start)
        .hasMessageContaining("etcd needs port " + ready.getAddress().getPort())
        .hasMessageContaining("taken by pid " + ProcessHandle.current().pid())
        .hasMessageContaining("SLUICE_PORT_BASE");
  }

  @Test
  void isStoppedWhenItsRecordIsCutShort() throws IOException {
    Part part = part(SLEEP, "/ready");
    part.start();
    Path record = home.resolve("run/etcd.properties");
    String whole = Files.readString(record);

    Files.writeString(record, whole.substring(0, whole.indexOf("startTicks=") + 8));

    assertThat(part.state()).isEqualTo(Part.State.STOPPED);
    Files.writeString(record, whole);
  }

  @Test
  void showsTheLastLinesOfALog() throws IOException {
    Path log = Files.writeString(home.resolve("a.log"), "one\ntwo\nthree\n");

    assertThat(Part.tail(log, 2)).isEqualTo("two\nthree");
    assertThat(Part.tail(home.resolve("none.log"), 2)).startsWith("(cannot be read: ");
  }

  private Part part(List<String> command, String path) {
    return new Part(spec(command, path, List.of()), TestConfigs.in(home));
  }

  private Part.Spec spec(List<String> command, String path, List<Integer> ports) {
    return new Part.Spec(
        PartName.ETCD,
        command,
        Map.of(NodeSettings.CLUSTER_MARK, home.toString(), NodeSettings.PART_MARK, "etcd"),
        ports,
        "http://127.0.0.1:" + ready.getAddress().getPort() + path);
  }

  private static void answer(com.sun.net.httpserver.HttpExchange exchange, int status)
      throws IOException {
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }
}
