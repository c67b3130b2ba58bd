package dev.sluice.local.flink;

import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sample job's jar, as every Flink image here carries it: {@code
 * /opt/flink/usrlib/counter-job.jar}. Kept in the cache by its content, so that a rebuild does not
 * pull it away under a running job.
 */
final class SampleJob {

  /** Its file name in usrlib. */
  static final String JAR = "counter-job.jar";

  private static final String MAIN_CLASS = "/dev/sluice/sample/CounterJob.class";

  private final Path root;
  private final @Nullable Path built;

  /**
   * @param built the jar that the build made; null when there is none
   */
  SampleJob(CacheDirectory cache, @Nullable Path built) {
    this.root = cache.root().resolve("flink").resolve("sample-job");
    this.built = built;
  }

  /**
   * The jar that {@code SLUICE_SAMPLE_JOB} names, else the one on this program's class path; null
   * when the class path holds the job's classes only as a folder.
   */
  static @Nullable Path built(Map<String, String> environment) {
    String said = environment.getOrDefault("SLUICE_SAMPLE_JOB", "");
    if (!said.isBlank()) {
      return Path.of(said);
    }
    URL main = SampleJob.class.getResource(MAIN_CLASS);
    String location = main == null ? "" : main.toString();
    return location.startsWith("jar:")
        ? Path.of(URI.create(location.substring("jar:".length(), location.indexOf("!/"))))
        : null;
  }

  /**
   * The jar, under its name in usrlib.
   *
   * @throws FlinkHomeException when it was not built
   */
  Path jar() throws IOException {
    if (built == null || !Files.isRegularFile(built)) {
      throw new FlinkHomeException(
          "The sample job is not built"
              + (built == null ? "" : ": " + built + " is missing")
              + ". Run 'mvn package' (or name a jar with SLUICE_SAMPLE_JOB).",
          null);
    }
    Path jar = root.resolve(Resources.digest(Files.readAllBytes(built))).resolve(JAR);
    if (!Files.isRegularFile(jar)) {
      Files.createDirectories(jar.getParent());
      Path draft = Files.createTempFile(jar.getParent(), ".", ".jar");
      Files.copy(built, draft, StandardCopyOption.REPLACE_EXISTING);
      Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
    }
    return jar;
  }
}
