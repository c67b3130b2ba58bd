package dev.sluice.local.node;

import dev.sluice.local.jvm.SmallJvm;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node as a process of its own, as on a laptop. */
final class NodeUnderTest implements AutoCloseable {
  private static final int PORT = 22010;

  private final Path dir;
  private final Path kubeconfig;
  private @Nullable Process process;

  NodeUnderTest(Path dir, Path kubeconfig) throws IOException {
    this.dir = dir;
    this.kubeconfig = kubeconfig;
    Files.createDirectories(dir);
    Files.writeString(
        dir.resolve("images.json"),
        """
        {"images": {
          "bash": {"command": ["/bin/bash"], "env": {"FROM_IMAGE": "yes", "BOTH": "image"}},
          "answers": {"command": ["%s", "-Xmx24m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)", "-cp", "%s",
            "dev.sluice.local.node.AnswersMain"]}
        }}
        """
            .formatted(java(), Path.of("target/test-classes").toAbsolutePath()));
  }

  /** The node's folder. */
  Path home() {
    return dir.resolve("home");
  }

  /** A file of images that cannot be pulled, one in a line. */
  Path refusedImages() {
    return home().resolve("refused-images");
  }

  void start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java().toString());
    command.addAll(SmallJvm.flags(64));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NodeMain.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    builder.environment().put("SLUICE_NODE_HOME", home().toString());
    builder.environment().put("SLUICE_NODE_PORT", Integer.toString(PORT));
    builder.environment().put("SLUICE_POD_NETWORK", "127.22.1");
    builder.environment().put("SLUICE_IMAGES", dir.resolve("images.json").toString());
    builder.environment().put("SLUICE_BACKOFF_INITIAL_MS", "500");
    builder.environment().put("SLUICE_BACKOFF_MAX_MS", "2000");
    builder.environment().put("SLUICE_CLUSTER", home().toString());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("node.log").toFile()));
    process = builder.start();
  }

  Process process() {
    if (process == null) {
      throw new IllegalStateException("The node has not been started");
    }
    return process;
  }

  void killHard() {
    process().destroyForcibly().onExit().join();
  }

  /** Ends the node, and every process of a pod that it has left. */
  @Override
  public void close() throws IOException {
    if (process != null) {
      process.destroy();
      process.onExit().join();
    }
    if (Files.isDirectory(home().resolve("pods"))) {
      endWhatIsLeft();
    }
  }

  private void endWhatIsLeft() throws IOException {
    try (var files = Files.walk(home().resolve("pods"))) {
      List<Path> pids = files.filter(file -> file.getFileName().toString().equals("pid")).toList();
      for (Path pid : pids) {
        ProcessIdentity.read(pid)
            .filter(ProcessIdentity::isAlive)
            .flatMap(id -> ProcessHandle.of(id.pid()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }
}
