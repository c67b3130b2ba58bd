package dev.sluice.local.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseSourceTest {

  @TempDir Path folder;
  private final Map<String, byte[]> site = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
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

  @Test
  void installsABinaryWhoseChecksumFits() throws IOException {
    site.put("/kubectl", "the binary".getBytes(UTF_8));
    site.put("/kubectl.sha256", sha256("the binary").getBytes(UTF_8));

    Source.Attempt attempt = provide(Release.binary(url("/kubectl"), url("/kubectl.sha256")));

    assertThat(attempt).isEqualTo(new Source.Attempt.Provided(url("/kubectl")));
    assertThat(target()).isExecutable().hasContent("the binary");
  }

  @Test
  void refusesABinaryWhoseChecksumDiffers() throws IOException {
    site.put("/kubectl", "something else".getBytes(UTF_8));
    site.put("/kubectl.sha256", sha256("the binary").getBytes(UTF_8));

    Source.Attempt attempt = provide(Release.binary(url("/kubectl"), url("/kubectl.sha256")));

    assertThat(reason(attempt)).contains("has checksum", "published is " + sha256("the binary"));
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void takesTheBinaryOutOfAnArchive() throws Exception {
    byte[] archive = archive("linux-amd64/helm", "helm itself");
    site.put("/helm.tar.gz", archive);
    site.put("/sums", (sha256(archive) + "  helm.tar.gz\n").getBytes(UTF_8));

    provide(new Release(url("/helm.tar.gz"), url("/sums"), "linux-amd64/helm"));

    assertThat(target()).isExecutable().hasContent("helm itself");
  }

  @Test
  void saysWhenTheChecksumIsNotPublished() throws IOException {
    site.put("/kubectl", "the binary".getBytes(UTF_8));
    site.put("/sums", "nothing".getBytes(UTF_8));

    Source.Attempt attempt = provide(Release.binary(url("/kubectl"), url("/sums")));

    assertThat(reason(attempt)).isEqualTo(url("/sums") + " has no checksum for kubectl");
  }

  @Test
  void saysWhatTheSiteAnswers() throws IOException {
    Source.Attempt attempt = provide(Release.binary(url("/kubectl"), url("/kubectl.sha256")));

    assertThat(reason(attempt)).isEqualTo(url("/kubectl.sha256") + " answered 404");
  }

  @Test
  void asksAnUnreachableHostOnlyOnce() throws IOException {
    String dead = "http://127.0.0.1:1/kubectl";
    ReleaseSource source = source(Release.binary(dead, dead + ".sha256"));

    Source.Attempt first = source.provide(Tool.KUBECTL, target(), Progress.silent());
    Source.Attempt second = source.provide(Tool.KUBECTL, target(), Progress.silent());

    assertThat(reason(first)).startsWith("127.0.0.1 is unreachable (");
    assertThat(reason(second)).isEqualTo("127.0.0.1 is unreachable");
    assertThat(requests).hasValue(0);
  }

  private Source.Attempt provide(Release release) throws IOException {
    return source(release).provide(Tool.KUBECTL, target(), Progress.silent());
  }

  private static ReleaseSource source(Release release) {
    return new ReleaseSource(new Downloads(Duration.ofSeconds(3)), tool -> release);
  }

  private static String reason(Source.Attempt attempt) {
    assertThat(attempt).isInstanceOf(Source.Attempt.NotAvailable.class);
    return ((Source.Attempt.NotAvailable) attempt).reason();
  }

  private Path target() {
    return folder.resolve("kubectl.partial");
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private static String sha256(String text) throws IOException {
    return sha256(text.getBytes(UTF_8));
  }

  private static String sha256(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("checksum", "");
    try {
      return Checksum.of(Files.write(file, bytes));
    } finally {
      Files.delete(file);
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
