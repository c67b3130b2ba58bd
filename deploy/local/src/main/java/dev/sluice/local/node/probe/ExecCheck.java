package dev.sluice.local.node.probe;

import dev.sluice.local.node.container.PathMap;
import dev.sluice.local.node.process.ProcessId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a command beside a container's process, in its folder and with its environment. */
final class ExecCheck {
  private ExecCheck() {}

  static Optional<String> run(List<String> command, Target target, Duration timeout)
      throws IOException, InterruptedException {
    ProcessId process =
        target.attempt().process().orElseThrow(() -> new IOException("The process has ended"));
    Path proc = Path.of("/proc/" + process.pid());
    PathMap paths = PathMap.read(target.attempt().dir());
    ProcessBuilder builder = new ProcessBuilder(command.stream().map(paths::turn).toList());
    builder.directory(proc.resolve("cwd").toRealPath().toFile());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    String env = Files.readString(proc.resolve("environ"), StandardCharsets.UTF_8);
    for (String variable : env.split("\0")) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    Process running = builder.start();
    if (!running.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      running.destroyForcibly();
      return Optional.of("command took longer than " + timeout.toSeconds() + " s");
    }
    return running.exitValue() == 0
        ? Optional.empty()
        : Optional.of("command ended with exit code " + running.exitValue());
  }
}
