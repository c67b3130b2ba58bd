package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.jvm.Java;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {

  @TempDir Path root;
  @TempDir Path home;

  @Test
  void isAbsentBeforeTheBuild() throws IOException {
    Files.createDirectories(root.resolve("deploy/worker/target/lib"));

    assertThat(built()).isEmpty();
  }

  @Test
  void runsFromACopy() throws IOException {
    build("one");
    Application application = built().orElseThrow();

    application.stage(home);
    build("another");

    Path copy = application.folder(home);
    assertThat(copy.resolve("sluice-worker-1.0.jar")).hasContent("one");
    assertThat(copy.resolve("okhttp.jar")).exists();
    assertThat(application.command(home, 64, List.of("-Da=b")))
        .contains(Java.current().executable().toString(), "-Xmx64m")
        .endsWith("-Da=b", "-cp", copy + "/*", "dev.sluice.WorkerMain");
  }

  @Test
  void hasAnotherFingerprintAfterAnotherBuild() throws IOException {
    build("one");
    String before = built().orElseThrow().fingerprint();
    build("another");

    assertThat(built().orElseThrow().fingerprint()).isNotEqualTo(before);
  }

  private Optional<Application> built() {
    return Application.built(root, "deploy/worker", "dev.sluice.WorkerMain");
  }

  private void build(String content) throws IOException {
    Path target = root.resolve("deploy/worker/target");
    Files.createDirectories(target.resolve("lib"));
    Files.writeString(target.resolve("sluice-worker-1.0.jar"), content);
    Files.writeString(target.resolve("sluice-worker-tests.jar"), "tests");
    Files.writeString(target.resolve("lib/okhttp.jar"), "");
  }
}
