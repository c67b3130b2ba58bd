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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchScriptTest {

  private static final Path TOOLS = Path.of("..", "local", "tools");
  private static final String ARCH = KubeApiTestDirectory.platform();
  private static final String KUBECTL =
      "/dl.k8s.io/v1.34.2/bin/" + ARCH.replace('-', '/') + "/kubectl";

  @TempDir Path folder;
  private final Map<String, byte[]> site = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> reasons = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void pinAndServe() throws IOException {
    Files.createDirectories(folder.resolve("tools/helm"));
    Files.writeString(folder.resolve("tools/helm/go.mod"), "module test");
    Files.copy(TOOLS.resolve("fetch.sh"), folder.resolve("tools/fetch.sh"));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          byte[] body = site.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(body == null ? 404 : 200, body == null ? -1 : body.length);
          if (body != null) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "ETCD, /github.com/etcd-io/etcd/releases/download/v3.6.4/, etcd-v3.6.4-ARCH.tar.gz,"
        + " SHA256SUMS, etcd-v3.6.4-ARCH/etcd",
    "TEMPORAL, /github.com/temporalio/cli/releases/download/v1.5.1/, temporal_cli_1.5.1_UNDER.tar.gz,"
        + " checksums.txt, temporal",
    "HELM, /get.helm.sh/, helm-v3.19.2-ARCH.tar.gz, helm-v3.19.2-ARCH.tar.gz.sha256sum, ARCH/helm"
  })
  void takesTheBinaryOutOfItsArchive(
      Tool tool, String base, String file, String sums, String member) throws Exception {
    byte[] archive = archive(here(member), "the binary");
    site.put(base + here(file), archive);
    site.put(
        base + here(sums),
        (sha256("x") + "  y\n" + sha256(archive) + "  " + here(file)).getBytes(UTF_8));

    assertThat(fetch(tool)).hasValue("https:/" + base + here(file));
    assertThat(target()).isExecutable().hasContent("the binary");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HASH", "HASH  kubectl", "HASH *kubectl", "UPPER *kubectl"})
  void installsABinaryWhoseChecksumFits(String published) throws IOException {
    String hash = sha256("the binary");
    publish(
        "the binary",
        published.replace("HASH", hash).replace("UPPER", hash.toUpperCase(Locale.ROOT)));

    assertThat(fetch(Tool.KUBECTL)).hasValue("https:/" + KUBECTL);
    assertThat(target()).isExecutable().hasContent("the binary");
  }

  @Test
  void refusesABinaryWhoseChecksumDiffers() throws IOException {
    publish("something else", sha256("the binary"));

    assertThat(fetch(Tool.KUBECTL)).isEmpty();
    assertThat(reasons.get(0)).contains("has checksum", "published is " + sha256("the binary"));
    assertThat(folder.resolve("target")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "<html>Not found</html>", "HASH other.tar.gz"})
  void saysWhenTheChecksumIsNotPublished(String published) throws IOException {
    publish("the binary", published.replace("HASH", sha256("the binary")));

    assertThat(fetch(Tool.KUBECTL)).isEmpty();
    assertThat(reasons.get(0)).contains("kubectl.sha256 of", "has no checksum for kubectl");
  }

  @Test
  void saysWhatTheSiteAnswers() throws IOException {
    assertThat(fetch(Tool.KUBECTL)).isEmpty();
    assertThat(reasons.get(0)).contains(KUBECTL + ".sha256", "404");
  }

  @Test
  void asksAnUnreachableHostOnlyOnce() throws IOException {
    FetchScript script = script("http://127.0.0.1:1");

    script.run(Tool.KUBECTL, target(), reasons);
    script.run(Tool.KUBE_APISERVER, target(), reasons);

    assertThat(reasons.get(0)).startsWith("dl.k8s.io is unreachable (");
    assertThat(reasons.get(2)).isEqualTo("dl.k8s.io is unreachable");
    assertThat(requests).hasValue(0);
  }

  @Test
  void buildsInTheFolderOfThePins() throws IOException {
    go("go1.26.8", "pwd > '" + folder + "/where'; echo \"$GOFLAGS $CGO_ENABLED\" > \"$7\"");

    assertThat(fetch(Tool.HELM)).hasValue("built with Go 1.26.8");
    assertThat(target()).hasContent("-mod=readonly 0");
    assertThat(folder.resolve("where")).content().endsWith("tools/helm\n");
  }

  @Test
  void saysWhatToInstallWhenThereIsNoGo() throws IOException {
    assertThat(fetch(Tool.HELM)).isEmpty();
    assertThat(reasons.get(1))
        .isEqualTo("building needs Go 1.25.0 or newer, and no 'go' is on PATH (https://go.dev/dl)");
  }

  @ParameterizedTest
  @CsvSource({"1.22.12", "1.24.9", "0.99.0"})
  void saysWhatToInstallWhenGoIsTooOld(String version) throws IOException {
    go("go" + version, "exit 1");

    assertThat(fetch(Tool.HELM)).isEmpty();
    assertThat(reasons.get(1)).contains("needs Go 1.25.0 or newer", "is " + version);
  }

  @Test
  void saysWhenThePinsAreMissing() throws IOException {
    go("go1.26.8", "exit 1");
    Files.delete(folder.resolve("tools/helm/go.mod"));

    assertThat(fetch(Tool.HELM)).isEmpty();
    assertThat(reasons.get(1)).endsWith("tools/helm is missing");
  }

  @Test
  void showsTheEndOfWhatGoSaid() throws IOException {
    go("go1.25.0", "echo 'go: downloading a v1'; echo 'undefined: foo' >&2; exit 1");

    assertThatThrownBy(() -> fetch(Tool.HELM))
        .isInstanceOf(PartsException.class)
        .hasMessageContaining("undefined: foo")
        .hasMessageContaining("run it again to go on from there")
        .hasMessageNotContaining("downloading");
  }

  @Test
  void recognisesAFullDisk() throws IOException {
    go("go1.26.8", "echo 'write /tmp/x: no space left on device'; exit 1");

    assertThatThrownBy(() -> fetch(Tool.HELM))
        .hasMessageContaining("The disk is full")
        .hasMessageContaining("about 4 GB");
  }

  @ParameterizedTest
  @EnumSource(Tool.class)
  void isPinnedInItsGoModuleWithTheSameVersionAndChecksums(Tool tool) throws IOException {
    go(
        "go1.26.8",
        "pwd > '" + folder + "/built'; echo \"$8\" >> '" + folder + "/built'; touch \"$7\"");

    assertThat(script(TOOLS, "http://127.0.0.1:1").run(tool, target(), reasons)).isPresent();

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

  private void go(String version, String build) throws IOException {
    Scripts.of(
        folder.resolve("go"),
        "if [ \"$1\" = version ]; then echo 'go version " + version + "'; exit; fi\n" + build);
  }

  private Optional<String> fetch(Tool tool) throws IOException {
    return script("http://127.0.0.1:" + server.getAddress().getPort()).run(tool, target(), reasons);
  }

  private FetchScript script(String releases) {
    return script(folder.resolve("tools"), releases);
  }

  private FetchScript script(Path tools, String releases) {
    return new FetchScript(
        tools,
        Map.of("SLUICE_RELEASES", releases, "SLUICE_GO", folder.resolve("go").toString()),
        Progress.silent());
  }

  private Path target() throws IOException {
    return Files.createDirectories(folder.resolve("target")).resolve("kubectl.partial");
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
