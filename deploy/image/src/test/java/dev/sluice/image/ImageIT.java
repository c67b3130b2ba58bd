package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Patience;
import dev.sluice.testing.TemporalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image that the build has made; see docs/image.md for what it is made on here. */
@Tag("slow")
@ExtendWith(ApiServer.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageIT {

  private static final Pattern NAMED_FILE =
      Pattern.compile("(certificate-authority|client-certificate|client-key): (/\\S+)");

  private Path folder;
  private ImageFile image;
  private Isolation isolation;

  @BeforeAll
  void unpack(@TempDir Path empty) throws IOException {
    folder = empty;
    image = ImageFile.unpacked(ImageFile.FIRST, folder.resolve("image"));
    isolation = Isolation.ofThisMachine();
    System.out.println("The image is run with " + isolation);
  }

  @Test
  void theSameSourcesGiveTheSameImage() throws IOException {
    assertThat(Files.mismatch(ImageFile.FIRST, ImageFile.AGAIN)).isEqualTo(-1);
  }

  @Test
  void itIsRunByAnOrdinaryUserWhomKubernetesCanTellFromRoot() {
    assertThat(image.config().path("User").asText()).isEqualTo("65532:65532");
  }

  @Test
  void nothingThatItAddsCanBeChangedByThatUser() {
    assertThat(image.entries())
        .hasSizeGreaterThan(50)
        .allSatisfy(entry -> assertThat(entry).matches("(drwxr-xr-x|-rw-r--r--) 0/0 .* app(/.*)?"));
  }

  @Test
  void itStartsJavaWithoutAShell() {
    assertThat(image.command("worker"))
        .startsWith("java", "-XX:MaxRAMPercentage=50", "-XX:+ExitOnOutOfMemoryError")
        .endsWith(Main.class.getName(), "worker");
  }

  @Test
  void itHasNoShell() throws IOException {
    try (Stream<Path> files = Files.walk(image.root())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .doesNotContain("sh", "bash", "dash", "ash", "busybox");
    }
  }

  @Test
  void itSaysWhatItIs() {
    assertThat(image.label("title")).isEqualTo("Sluice");
    assertThat(image.label("licenses")).isEqualTo("Apache-2.0");
    assertThat(List.of("description", "version", "revision", "created", "base.name"))
        .allSatisfy(label -> assertThat(image.label(label)).isNotEmpty().doesNotContain("${"));
    assertThat(image.config().path("ExposedPorts").fieldNames())
        .toIterable()
        .contains("8080/tcp", "9443/tcp");
    assertThat(image.config().path("Volumes").fieldNames()).toIterable().contains("/tmp");
  }

  @Test
  void theBillOfMaterialsNamesEachJar() throws IOException {
    Path file = image.root().resolve("app/sbom/sluice.cdx.json");
    assumeThat(file).as("the plugin makes it only where Maven is online").exists();
    JsonNode bill = new ObjectMapper().readTree(file.toFile());
    Set<String> named = new TreeSet<>();
    for (JsonNode it : bill.path("components")) {
      named.add("%s-%s.jar".formatted(it.path("name").asText(), it.path("version").asText()));
    }
    Set<String> there = new TreeSet<>();
    try (Stream<Path> jars = Files.list(image.root().resolve("app/libs"))) {
      jars.forEach(jar -> there.add(jar.getFileName().toString()));
    }

    assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(named).isEqualTo(there).contains("sluice-worker-" + image.label("version") + ".jar");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "operator"})
  void anotherArgumentIsRefusedWithWhatIsAllowed(String argument) throws Exception {
    String[] arguments = argument.isEmpty() ? new String[0] : new String[] {argument};
    try (Container container =
        Container.start(image, isolation, tmp("refused"), Map.of(), arguments)) {

      assertThat(container.exitCode()).as(container.said()).isEqualTo(2);
      assertThat(container.said()).contains(argument, "controller", "worker");
    }
  }

  @Test
  void controllerAndWorkerNeedNothingButTmp(ApiServer kubernetes) throws Exception {
    Instant before = Instant.now();
    Path forController = tmp("controller");
    Path forWorker = tmp("worker");
    try (TemporalServer temporal = TemporalServer.start(folder.resolve("temporal.log"), List.of());
        Container controller = started("controller", forController, kubernetes, temporal);
        Container worker = started("worker", forWorker, kubernetes, temporal)) {

      for (Container container : List.of(controller, worker)) {
        awaitReady(container);
        isIsolated(container);
        container.terminate();
        assertThat(container.exitCode()).as(container.said()).isZero();
        assertThat(container.said())
            .doesNotContain("Read-only", "Permission denied", "AccessDenied", "NoClassDefFound");
      }
    }

    assertThat(changedSince(before)).isEmpty();
    assertThat(left(forController)).containsExactly("kubeconfig");
    assertThat(left(forWorker)).containsExactly("kubeconfig");
  }

  private Container started(String process, Path tmp, ApiServer kubernetes, TemporalServer temporal)
      throws IOException {
    Files.writeString(tmp.resolve("kubeconfig"), selfContained(kubernetes.kubeconfig()));
    Map<String, String> variables = new TreeMap<>();
    variables.put("KUBECONFIG", isolation.seen(tmp).resolve("kubeconfig").toString());
    variables.put("TEMPORAL_ADDRESS", temporal.address());
    variables.put("SLUICE_HTTP_PORT", "0");
    // stronger than the share of the memory limit, which there is none of here
    variables.put("JDK_JAVA_OPTIONS", "-Xmx192m");
    return Container.start(image, isolation, tmp, variables, process);
  }

  /** With the content of the files that it names, which are not in the image. */
  private static String selfContained(String kubeconfig) {
    return NAMED_FILE
        .matcher(kubeconfig)
        .replaceAll(named -> named.group(1) + "-data: " + base64(Path.of(named.group(2))));
  }

  private static String base64(Path file) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitReady(Container container) {
    await()
        .atMost(Patience.times(2))
        .failFast(
            "the process has ended",
            () -> assertThat(container.isAlive()).as(container.said()).isTrue())
        .untilAsserted(
            () -> assertThat(container.answers("/readyz")).as(container.said()).isEqualTo(200));
  }

  private void isIsolated(Container container) throws IOException {
    if (isolation == Isolation.NAMESPACES) {
      assertThat(container.kernelSays("status"))
          .containsPattern("CapEff:\\s+0+\n")
          .containsPattern("CapPrm:\\s+0+\n")
          .containsPattern("NoNewPrivs:\\s+1\n");
      // unpacked into /tmp, and linked with the C library of the base
      assertThat(container.kernelSays("maps")).contains("/libio_grpc_netty_shaded_netty_transport");
    }
  }

  private Path tmp(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name).resolve("tmp"));
  }

  private List<Path> changedSince(Instant moment) throws IOException {
    List<Path> changed = new ArrayList<>();
    try (Stream<Path> files = Files.walk(image.root())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.getLastModifiedTime(file).compareTo(FileTime.from(moment)) > 0) {
          changed.add(file);
        }
      }
    }
    return changed;
  }

  private static List<String> left(Path tmp) throws IOException {
    try (Stream<Path> files = Files.walk(tmp)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> tmp.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
