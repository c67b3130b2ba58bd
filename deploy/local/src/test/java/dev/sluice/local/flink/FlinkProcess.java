package dev.sluice.local.flink;

import dev.sluice.local.node.container.FlinkImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One Flink process of an image, without a node: on 127.0.0.1, in a folder of its own. For training
 * runs and tests; it ends when it is closed.
 */
final class FlinkProcess implements AutoCloseable {

  private static final int KEPT_LINES = 30;
  private static final long GRACE_SECONDS = 10;

  private final Process process;
  private final Path log;

  private final Thread atExit;

  private FlinkProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.atExit = new Thread(process::destroyForcibly, "end a Flink process with this one");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * @param folder made when missing; must hold nothing else
   * @param config Flink's configuration, each key on one line
   * @param env added to what the scripts need
   * @param command what a container's args are: {@code jobmanager}, {@code bash -c ...}
   */
  static FlinkProcess start(
      FlinkImage image,
      Path folder,
      Map<String, String> config,
      Map<String, String> env,
      List<String> command)
      throws IOException {
    Path root = folder.resolve("opt/flink");
    lay(image, root);
    Files.writeString(root.resolve("conf/config.yaml"), yaml(config));
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 localhost " + hostName() + "\n");
    List<String> shim = new ArrayList<>(List.of(image.shims() + "/docker-entrypoint.sh"));
    shim.addAll(command);
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(shim)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> all = new HashMap<>(env);
    all.putAll(image.env());
    all.put("PATH", image.shims() + ":" + builder.environment().get("PATH"));
    all.put("FLINK_HOME", image.home().toString());
    all.put("FLINK_ROOT", root.toString());
    all.put("FLINK_CONF_DIR", root.resolve("conf").toString());
    all.put("POD_IP", "127.0.0.1");
    all.put("TMPDIR", folder.resolve("tmp").toString());
    all.put("SLUICE_HOSTS_FILE", hosts.toString());
    all.put("HOSTNAME", "localhost");
    builder.environment().clear();
    builder.environment().putAll(all);
    Process process = builder.start();
    process.getOutputStream().close();
    return new FlinkProcess(process, log);
  }

  /** The end of what it printed. */
  String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - KEPT_LINES), lines.size()));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end and returns its exit code; kills it after the given time. */
  int waitFor(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  /** SIGTERM, and SIGKILL when that is not enough. */
  @Override
  public void close() {
    process.destroy();
    try {
      waitFor(GRACE_SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      // then it runs already
    }
  }

  private static void lay(FlinkImage image, Path root) throws IOException {
    for (String folder : List.of("conf", "lib", "log", "usrlib")) {
      Files.createDirectories(root.resolve(folder));
    }
    for (Path jar : image.usrlib()) {
      Files.copy(jar, root.resolve("usrlib").resolve(jar.getFileName().toString()));
    }
  }

  /** Flink looks up this machine's own name. */
  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ""; // then Flink cannot look it up either, and does without
    }
  }

  private static String yaml(Map<String, String> config) {
    StringBuilder yaml = new StringBuilder();
    config.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    return yaml.toString();
  }
}
