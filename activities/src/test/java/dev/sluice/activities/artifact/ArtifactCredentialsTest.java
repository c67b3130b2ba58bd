package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.artifact.AddressRules.Network;
import dev.sluice.activities.artifact.ArtifactOptions.Limits;
import dev.sluice.activities.artifact.ArtifactOptions.Sources;
import dev.sluice.activities.artifact.JarServer.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets credentials, with and without TLS. */
class ArtifactCredentialsTest {

  private static final Map<String, String> CONFIGURED =
      Map.of(HostHeaders.CONFIGURATION_KEY, "X-Token:hunter2");

  @TempDir static Path keys;
  @TempDir Path folder;
  private static Tls tls;
  private final JarServer plain = JarServer.http();
  private final JarServer secure = JarServer.https(tls);
  private boolean http = true;
  private Path headers;

  @BeforeAll
  static void certificate() {
    tls = Tls.in(keys);
  }

  @BeforeEach
  void headersOfTheWorker() throws IOException {
    headers = Files.writeString(folder.resolve("headers"), "mirror.example.com X-Mirror: m\n");
  }

  @AfterEach
  void close() {
    plain.close();
    secure.close();
  }

  private void fetch(String uri) {
    Sources sources =
        new Sources(
            http, new AddressRules(List.of(Network.parse("127.0.0.1"))), List.of(), headers);
    Limits limits = new Limits(1 << 20, Duration.ofSeconds(20), 3, 2);
    try (ArtifactFetcher fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(limits, sources, folder.resolve("tmp")),
            JarServer.LOOPBACK,
            tls.client())) {
      fetcher.fetch(ArtifactUri.parse(uri), CONFIGURED).close();
    }
  }

  private static void assertGotCredentials(RecordedRequest request) {
    assertThat(request.getHeaders().get("X-Token")).isEqualTo("hunter2");
    assertThat(request.getHeaders().get("Authorization")).isEqualTo("Basic bWU6aHVudGVyMg==");
  }

  private static void assertGotNone(RecordedRequest request) {
    assertThat(request.getHeaders().names())
        .doesNotContain("X-Token", "x-token", "Authorization", "authorization");
  }

  private static String withCredentials(String url) {
    return url.replace("://", "://me:hunter2@");
  }

  @ParameterizedTest(name = "TLS {0}, {1}: {2}")
  @CsvSource({
    "true, repo.example.com, true",
    "true, evil.example.com, false",
    "true, me:hunter2@evil.example.com, false",
    "false, repo.example.com, false"
  })
  void onlyTheServerOfTheUriGetsThemAfterARedirect(boolean encrypted, String host, boolean gets) {
    JarServer next = encrypted ? secure : plain;
    secure.redirecting(next.url(host, "/elsewhere.jar"));
    next.withTheJar();

    fetch(withCredentials(secure.url("repo.example.com", "/job.jar")));

    assertGotCredentials(secure.asked());
    RecordedRequest second = next.asked();
    if (gets) {
      assertGotCredentials(second);
    } else {
      assertGotNone(second);
    }
  }

  @Test
  void aWayThroughAnotherHostAndBackIsTheSameServerAgain() {
    plain.redirecting(secure.url("repo.example.com", "/job.jar")).withTheJar();
    secure.redirecting(plain.url("repo.example.com", "/job.jar"));

    fetch(withCredentials(plain.url("repo.example.com", "/job.jar")));

    assertGotNone(secure.asked());
    plain.asked();
    assertGotCredentials(plain.asked());
  }

  @Test
  void aWayOutOfTlsIsRefusedWhereHttpIsNotAllowed() {
    http = false;
    secure.redirecting(plain.url("repo.example.com", "/job.jar"));

    Throwable thrown =
        catchThrowable(() -> fetch(withCredentials(secure.url("repo.example.com", "/job.jar"))));

    assertThat(thrown).hasMessageContaining("is not encrypted").hasMessageNotContaining("hunter2");
    assertThat(plain.server.getRequestCount()).isZero();
  }

  @Test
  void aHostOfTheWorkersFileGetsItsHeadersAlone() {
    secure.redirecting(secure.url("mirror.example.com", "/job.jar")).withTheJar();

    fetch(secure.url("repo.example.com", "/job.jar"));

    assertThat(secure.asked().getHeaders().get("X-Mirror")).isNull();
    assertThat(secure.asked().getHeaders().get("X-Mirror")).isEqualTo("m");
  }

  @Test
  void noMessageHasCredentials() {
    secure.redirecting(secure.url("repo.example.com", "/j?sig=hunter2")).answering(403);

    Throwable thrown =
        catchThrowable(
            () -> fetch(withCredentials(secure.url("repo.example.com", "/job.jar?key=hunter2"))));

    assertThat(thrown)
        .hasMessageContainingAll("/job.jar?..., redirected to https://repo.example.com", "403")
        .hasMessageNotContaining("hunter2");
  }
}
