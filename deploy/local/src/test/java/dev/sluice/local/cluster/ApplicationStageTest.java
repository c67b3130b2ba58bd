package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationStageTest {

  @TempDir Path home;
  private final Application old = new Application("worker", "WorkerMain", List.of(), "old");
  private final Application current = new Application("worker", "WorkerMain", List.of(), "new");

  @Test
  void areTheNewestOnly() throws IOException {
    lay(old);

    lay(current);

    assertThat(old.folder(home)).doesNotExist();
    assertThat(current.folder(home)).exists();
  }

  @Test
  void areKeptWhileSomethingRunsFromThem() throws IOException {
    lay(old);
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "sleep 600; : " + old.folder(home) + "/*");
    builder.environment().put(NodeSettings.CLUSTER_MARK, home.toString());
    Process running = builder.start();
    try {
      await().until(() -> new MarkedProcesses(home).anyRuns(old.folder(home) + "/"));

      lay(current);

      assertThat(old.folder(home)).exists();
    } finally {
      new MarkedProcesses(home).all().forEach(ProcessIdentity::kill);
      running.destroyForcibly();
    }
  }

  @Test
  void leaveNothingHalfCopied() throws IOException {
    Path half = Files.createDirectories(Application.folders(home).resolve("partial123"));
    Files.writeString(half.resolve("okhttp.jar"), "");

    lay(current);

    assertThat(half).doesNotExist();
  }

  private void lay(Application application) throws IOException {
    Application.stage(home, List.of(application));
  }
}
