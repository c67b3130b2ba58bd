package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.ExecutableScript;
import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A container as the node lays it out, with a {@code java} that prints its arguments, one per line,
 * and answers for BashJavaUtils.
 */
final class FakePod {

  static final String IP = "127.0.1.77";

  private final Path folder;
  private final Path shims;
  private final Map<String, String> env = new HashMap<>();

  FakePod(Path folder) throws IOException {
    this.folder = folder;
    this.shims = new ImageFiles(new CacheDirectory(folder.resolve("cache")), null).scripts();
    for (String made : List.of("home/lib", "root/lib", "root/conf", "java/bin", "tmp")) {
      Files.createDirectories(folder.resolve(made));
    }
    Files.writeString(folder.resolve("home/classpath"), "/home/lib/flink.jar");
    configure("rest.port: 8081");
    java(
        """
        echo '2026-01-01 INFO Loading configuration'
        echo 'BASH_JAVA_UTILS_EXEC_RESULT:-Xmx48m -Xms48m'
        echo 'BASH_JAVA_UTILS_EXEC_RESULT:-D a.memory=1b -D b.memory=2b'
        """);
    env.put("FLINK_HOME", folder.resolve("home").toString());
    env.put("FLINK_ROOT", root().toString());
    env.put("FLINK_CONF_DIR", root().resolve("conf").toString());
    env.put("POD_IP", IP);
    env.put("TMPDIR", folder.resolve("tmp").toString());
    env.put("SLUICE_HOSTS_FILE", folder.resolve("hosts").toString());
    env.put("JAVA_HOME", folder.resolve("java").toString());
    env.put("SLUICE_MEMORY_CACHE", folder.resolve("memory").toString());
    env.put("SLUICE_CLASS_ARCHIVE", folder.resolve("classes/java.jsa").toString());
    env.put("HOSTNAME", "pod-1");
    env.put("PATH", shims + ":" + System.getenv("PATH"));
  }

  Path root() {
    return folder.resolve("root");
  }

  Path shims() {
    return shims;
  }

  FakePod configure(String yaml) throws IOException {
    Files.writeString(root().resolve("conf/config.yaml"), yaml);
    return this;
  }

  FakePod env(String name, String value) {
    env.put(name, value);
    return this;
  }

  /** What the fake Java does when asked for memory settings. */
  void java(String memorySettings) throws IOException {
    Path java = folder.resolve("java/bin/java");
    ExecutableScript.write(
        java,
        """
        #!/usr/bin/env bash
        case "$*" in *BashJavaUtils*)
          echo "$*" >> '%s'
          %s
          exit ;;
        esac
        printf '%%s\\n' "$@"
        """
            .formatted(folder.resolve("asked"), memorySettings));
  }

  /** How often Flink was asked to work out memory settings. */
  int timesAsked() throws IOException {
    Path asked = folder.resolve("asked");
    return Files.exists(asked) ? Files.readAllLines(asked).size() : 0;
  }

  /** The arguments that Java was started with. */
  List<String> run(String... args) throws Exception {
    Result result = tryToRun(args);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output().lines().toList();
  }

  record Result(int exitCode, String output) {}

  Result tryToRun(String... args) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(shims.resolve("docker-entrypoint.sh").toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(env);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
