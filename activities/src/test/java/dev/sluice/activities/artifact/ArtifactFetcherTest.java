package dev.sluice.activities.artifact;

import static dev.sluice.activities.artifact.JarServer.JAR;
import static dev.sluice.activities.artifact.JarServer.jar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.artifact.AddressRules.Network;
import dev.sluice.activities.artifact.ArtifactOptions.Limits;
import dev.sluice.activities.artifact.ArtifactOptions.Sources;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okio.Buffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches from a server on this machine, which is allowed where the test is not about that. */
class ArtifactFetcherTest {

  private static final String SHA = "sha256=" + new Buffer().write(JAR).sha256().hex();
  private static final int MOST = 1 << 20;

  @TempDir Path folder;
  private final JarServer jars = JarServer.http();
  private final List<ArtifactFetcher> fetchers = new ArrayList<>();
  private Limits limits = new Limits(MOST, Duration.ofMinutes(2), 3, 2);
  private Sources sources =
      new Sources(true, new AddressRules(List.of(Network.parse("127.0.0.1"))), List.of(), null);
  private Dns dns = JarServer.LOOPBACK;

  @BeforeEach
  void loopbackIsIpv4() {
    assertThat(InetAddress.getLoopbackAddress().getHostAddress()).isEqualTo("127.0.0.1");
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    fetchers.forEach(ArtifactFetcher::close);
    jars.close();
    try (Stream<Path> files = Files.walk(folder.resolve("tmp"))) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  private ArtifactFetcher fetcher() {
    ArtifactFetcher fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(limits, sources, folder.resolve("tmp")), dns, new OkHttpClient());
    fetchers.add(fetcher);
    return fetcher;
  }

  private FetchedArtifact fetch(String uri) {
    return fetch(uri, Map.of());
  }

  private FetchedArtifact fetch(String uri, Map<String, String> configuration) {
    return fetcher().fetch(ArtifactUri.parse(uri), configuration);
  }

  private FetchedArtifact fetchTheJar() {
    return fetch(jars.url("repo.example.com", "/job.jar"));
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("tmp"))) {
      return files.filter(it -> it.toString().endsWith(".jar")).toList();
    }
  }

  /** How it failed, and that it left no file. */
  private ArtifactException failureOf(ThrowingCallable fetch) {
    ArtifactException failure = catchThrowableOfType(ArtifactException.class, fetch);
    try {
      assertThat(temporaryFiles()).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return failure;
  }

  private void assertLasting(ArtifactException failure, String... words) {
    assertThat(failure).hasMessageContainingAll(words);
    assertThat(failure.mayPass()).isFalse();
  }

  private void assertPassing(ArtifactException failure, String... words) {
    assertThat(failure).hasMessageContainingAll(words);
    assertThat(failure.mayPass()).isTrue();
  }

  @Test
  void aJarComesIntoAFileThatClosingDeletes() throws IOException {
    jars.withTheJar();

    FetchedArtifact artifact = fetch(jars.url("repo.example.com", "/job.jar#" + SHA));

    assertThat(artifact.file()).hasBinaryContent(JAR);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(artifact.file())))
        .isEqualTo("rw-------");
    artifact.close();
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void whatTheProcessBeforeLeftIsDeletedAndNothingElse() throws IOException {
    Path tmp = Files.createDirectories(folder.resolve("tmp"));
    Path left = Files.createFile(tmp.resolve("artifact-1.jar"));
    Path living = Files.createFile(tmp.resolve("artifact-2.jar"));
    Path other = Files.createFile(tmp.resolve("somebodys.jar"));
    Files.setLastModifiedTime(left, FileTime.fromMillis(0));
    Files.setLastModifiedTime(other, FileTime.fromMillis(0));
    ArtifactFetcher unused = fetcher();
    assertThat(left).doesNotExist();
    assertThat(living).exists();
    assertThat(other).exists();
    Files.delete(living);
    Files.delete(other);
  }

  @Test
  void theWrongChecksumIsRefused() {
    jars.withTheJar();
    String wrong = "0".repeat(64);

    assertLasting(
        failureOf(() -> fetch(jars.url("repo.example.com", "/job.jar#sha256=" + wrong))),
        "has the " + SHA.replace('=', ' '),
        "not " + wrong);
  }

  private static MockResponse.Builder answer(int status) {
    return new MockResponse.Builder().code(status);
  }

  static Stream<Arguments> answers() {
    Buffer tooLarge = new Buffer().write(JAR).write(new byte[MOST]);
    return Stream.of(
        Arguments.of(answer(404), false, "/job.jar answered 404"),
        Arguments.of(answer(500), true, "answered 500"),
        Arguments.of(answer(503), true, "answered 503"),
        Arguments.of(answer(429), true, "answered 429"),
        Arguments.of(answer(200).body("<html>Log in</html>"), false, "is no jar"),
        Arguments.of(
            answer(200)
                .body(new Buffer().write(JAR).write(new byte[100_000]))
                .onResponseBody(new SocketEffect.CloseSocket()),
            true,
            "could not be read: "),
        // one that says so is not read
        Arguments.of(
            jar().setHeader("Content-Length", MOST + 1).onResponseBody(SocketEffect.Stall.INSTANCE),
            false,
            "more than 1 MiB, the limit of the worker (SLUICE_ARTIFACT_MAX_MIB)"),
        Arguments.of(answer(200).chunkedBody(tooLarge, 65536), false, "more than 1 MiB"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("answers")
  void anAnswerThatIsNoJarMayPassOrNot(MockResponse.Builder answer, boolean passes, String words) {
    jars.answering(answer.build());

    ArtifactException failure = failureOf(() -> fetchTheJar());

    assertThat(failure).hasMessageContaining(words);
    assertThat(failure.mayPass()).isEqualTo(passes);
  }

  @Test
  void aJarOfExactlyTheLimitIsTaken() throws IOException {
    byte[] bytes = new byte[MOST];
    System.arraycopy(JAR, 0, bytes, 0, JAR.length);
    jars.answering(new MockResponse.Builder().body(new Buffer().write(bytes)).build());

    try (FetchedArtifact artifact = fetchTheJar()) {
      assertThat(artifact.file()).hasSize(MOST);
    }
  }

  @Test
  void aSlowServerHasTheTimeOfAllAndNotMore() {
    limits = new Limits(MOST, Duration.ofSeconds(1), 3, 2);
    jars.answering(
        new MockResponse.Builder()
            .body(new Buffer().write(JAR).write(new byte[500_000]))
            .throttleBody(100, 50, TimeUnit.MILLISECONDS)
            .build());

    assertPassing(
        failureOf(() -> fetchTheJar()), "did not come within 1 s (SLUICE_ARTIFACT_TIMEOUT)");
  }

  @Test
  void nobodyListeningMayPass() {
    jars.close();

    assertPassing(failureOf(() -> fetchTheJar()), "could not be read: ConnectException");
  }

  @Test
  void aRedirectIsFollowed() {
    jars.redirecting("/elsewhere.jar").withTheJar();

    fetchTheJar().close();

    jars.asked();
    assertThat(jars.asked().getTarget()).isEqualTo("/elsewhere.jar");
  }

  @Test
  void aLoopOfRedirectsEnds() {
    for (int i = 0; i < 10; i++) {
      jars.redirecting("/job.jar");
    }

    assertLasting(failureOf(() -> fetchTheJar()), "was redirected more than 3 times");
    assertThat(jars.server.getRequestCount()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a.example.com/x", "file:///etc/passwd", "//"})
  void aRedirectToAnythingElseThanAServerIsRefused(String location) {
    jars.redirecting(location);

    assertLasting(
        failureOf(() -> fetchTheJar()), "answered 302 with no http or https URL to go to");
  }

  @Test
  void aRedirectToTheMetadataServerIsRefused() {
    jars.redirecting("http://169.254.169.254/latest/meta-data/");

    assertLasting(
        failureOf(() -> fetchTheJar()),
        "redirected to http://169.254.169.254/latest/meta-data/,",
        "is on a server at 169.254.169.254, which is no address of the internet",
        "SLUICE_ARTIFACT_NETWORKS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/j",
        "http://[::ffff:169.254.169.254]/j",
        "http://2852039166/j",
        "http://[fe80::1]/j",
        "http://10.0.0.1/j"
      })
  void noSpellingOfAnAddressGetsThere(String url) {
    dns = Dns.SYSTEM;

    assertThat(failureOf(() -> fetch(url)).mayPass()).isFalse();
  }

  @Test
  void aHostIsJudgedByTheAddressThatIsConnectedTo() {
    sources = new Sources(true, new AddressRules(List.of()), List.of(), null);

    assertLasting(failureOf(() -> fetchTheJar()), "is on a server at 127.0.0.1");
    assertThat(jars.server.getRequestCount()).isZero();
  }

  @Test
  void aHostThatChangesItsAddressBetweenTwoLooksIsJudgedAgain() {
    dns =
        host ->
            host.equals("later.example.com")
                ? List.of(InetAddress.getByName("127.0.0.2"))
                : List.of(InetAddress.getLoopbackAddress());
    jars.redirecting(jars.url("later.example.com", "/job.jar")).withTheJar();

    assertLasting(failureOf(() -> fetchTheJar()), "is on a server at 127.0.0.2");
  }

  @Test
  void aHostWithoutTlsIsRefusedUnlessAllowed() {
    sources = new Sources(false, sources.addresses(), List.of(), null);

    assertLasting(failureOf(() -> fetchTheJar()), "is not encrypted", "SLUICE_ARTIFACT_HTTP=true");
    assertThat(jars.server.getRequestCount()).isZero();
  }

  @Test
  void withoutAJarThereIsAnEmptyOne() throws IOException {
    try (FetchedArtifact one = fetcher().fetch(new ArtifactUri.ClassPath(), Map.of());
        JarFile jar = new JarFile(one.file().toFile())) {
      assertThat(jar.getManifest()).isNotNull();
    }
  }

  @Test
  void aFetchThatIsInterruptedEndsAndLeavesNoFile() throws Exception {
    jars.answering(slow());
    ArtifactFetcher fetcher = fetcher();
    Thread fetch = fetching(fetcher);
    await().until(() -> !temporaryFiles().isEmpty());

    fetch.interrupt();
    fetch.join();

    assertThat(temporaryFiles()).isEmpty();
    assertThat(fetcher.open()).isZero();
  }

  @Test
  void moreThanTheLimitWaitAndThoseThatWaitMayBeInterrupted() throws Exception {
    limits = new Limits(MOST, Duration.ofMinutes(5), 3, 1);
    jars.answering(slow());
    ArtifactFetcher fetcher = fetcher();
    Thread first = fetching(fetcher);
    jars.asked();
    Thread second = fetching(fetcher);
    await().until(() -> fetcher.open() == 2);

    second.interrupt();
    second.join();
    assertThat(jars.server.getRequestCount()).isEqualTo(1);
    jars.withTheJar();
    first.interrupt();

    fetcher.fetch(theJar(), Map.of()).close();
    assertThat(jars.server.getRequestCount()).isEqualTo(2);
  }

  private static MockResponse slow() {
    return new MockResponse.Builder()
        .body(new Buffer().write(JAR).write(new byte[500_000]))
        .throttleBody(100, 50, TimeUnit.MILLISECONDS)
        .build();
  }

  private ArtifactUri theJar() {
    return ArtifactUri.parse(jars.url("repo.example.com", "/job.jar"));
  }

  /** A thread that fetches the jar, and is interrupted. */
  private Thread fetching(ArtifactFetcher fetcher) {
    Thread thread =
        new Thread(
            () ->
                assertThatThrownBy(() -> fetcher.fetch(theJar(), Map.of()))
                    .isInstanceOf(ArtifactException.class));
    thread.start();
    return thread;
  }
}
