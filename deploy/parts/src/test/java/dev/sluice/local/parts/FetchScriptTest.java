package dev.sluice.local.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("a program that another test starts while a script is written keeps it busy")
class FetchScriptTest {

  private static final String ARCH = Fetching.platform();
  private static final String KUBECTL =
      "/dl.k8s.io/v1.34.2/bin/" + ARCH.replace('-', '/') + "/kubectl";

  private static final String BINARY = binary(Tool.KUBECTL);

  @TempDir Path folder;
  private final Map<String, byte[]> site = new ConcurrentHashMap<>();
  private HttpServer server;
  private Fetching fetching;

  @BeforeEach
  void pinAndServe() throws IOException {
    fetching = new Fetching(folder);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = site.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
          if (body != null) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    fetching.releases("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "ETCD, /github.com/etcd-io/etcd/releases/download/v3.6.4/, etcd-v3.6.4-ARCH.tar.gz,"
        + " SHA256SUMS, etcd-v3.6.4-ARCH/etcd",
    "TEMPORAL, /github.com/temporalio/cli/releases/download/v1.5.1/,"
        + " temporal_cli_1.5.1_UNDER.tar.gz, checksums.txt, temporal",
    "HELM, /get.helm.sh/, helm-v3.19.5-ARCH.tar.gz, helm-v3.19.5-ARCH.tar.gz.sha256sum, ARCH/helm"
  })
  void takesTheBinaryOutOfItsArchive(
      Tool tool, String base, String file, String sums, String member) throws Exception {
    byte[] archive = archive(here(member), binary(tool));
    site.put(base + here(file), archive);
    site.put(
        base + here(sums),
        (sha256("x") + "  y\n" + sha256(archive) + "  " + here(file)).getBytes(UTF_8));

    assertThat(fetch(tool)).isEqualTo(tool.version() + ", https:/" + base + here(file));
    assertThat(fetching.cache().binary(tool)).isExecutable().hasContent(binary(tool));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HASH", "HASH  kubectl", "HASH *kubectl", "UPPER *kubectl"})
  void installsABinaryWhoseChecksumFits(String published) throws IOException {
    String hash = sha256(BINARY);
    publish(
        BINARY, published.replace("HASH", hash).replace("UPPER", hash.toUpperCase(Locale.ROOT)));

    assertThat(fetch(Tool.KUBECTL)).isEqualTo("1.34.2, https:/" + KUBECTL);
    assertThat(fetching.cache().binary(Tool.KUBECTL)).isExecutable().hasContent(BINARY);
  }

  @Test
  void refusesABinaryWhoseChecksumDiffers() throws IOException {
    publish("something else", sha256(BINARY));

    assertThatThrownBy(() -> fetch(Tool.KUBECTL))
        .hasMessageContainingAll("has checksum", "published is " + sha256(BINARY));
    assertThat(fetching.cache().binary(Tool.KUBECTL).getParent()).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "<html>Not found</html>", "HASH other.tar.gz"})
  void saysWhenTheChecksumIsNotPublished(String published) throws IOException {
    publish(BINARY, published.replace("HASH", sha256(BINARY)));

    assertThatThrownBy(() -> fetch(Tool.KUBECTL))
        .hasMessageContainingAll("kubectl.sha256 of", "has no checksum for kubectl");
  }

  @ParameterizedTest
  @EnumSource(Tool.class)
  void isPinnedInItsGoModuleWithTheSameVersionAndChecksums(Tool tool) throws IOException {
    fetching.go(
        "go1.26.8",
        """
        { pwd; echo "$8"; } > '%1$s/built'
        printf '#!/bin/sh\\necho %2$s' > "$7"
        chmod +x "$7"
        """
            .formatted(folder, tool.version()));

    fetching.releases("http://127.0.0.1:1").provider(Fetching.TOOLS).provide(tool);

    List<String> built = Files.readAllLines(folder.resolve("built"));
    String pins = Files.readString(Path.of(built.get(0), "go.mod"));
    assertThat(pins).contains(built.get(1));
    assertThat(pins.lines().map(String::strip).map(line -> line.replaceFirst("^require ", "")))
        .anyMatch(
            line ->
                built.get(1).startsWith(line.split(" ", -1)[0])
                    && line.contains(" v" + tool.version()));
    assertThat(Files.readString(Path.of(built.get(0), "go.sum")))
        .contains(" v" + tool.version() + " h1:");
  }

  private void publish(String binary, String checksum) {
    site.put(KUBECTL, binary.getBytes(UTF_8));
    site.put(KUBECTL + ".sha256", checksum.getBytes(UTF_8));
  }

  private String fetch(Tool tool) {
    return fetching.provider().provide(List.of(tool)).get(tool);
  }

  /** What is served in place of a binary. */
  private static String binary(Tool tool) {
    return "#!/bin/sh\necho " + tool.version();
  }

  private static String here(String text) {
    return text.replace("ARCH", ARCH).replace("UNDER", ARCH.replace('-', '_'));
  }

  private static String sha256(String text) {
    return sha256(text.getBytes(UTF_8));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] archive(String member, String content)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("archive");
    Path file = folder.resolve(member);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Process tar =
        new ProcessBuilder("tar", "-czf", "out.tar.gz", member).directory(folder.toFile()).start();
    assertThat(tar.waitFor()).isZero();
    return Files.readAllBytes(folder.resolve("out.tar.gz"));
  }
}
