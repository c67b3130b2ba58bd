package dev.sluice.local.node.container;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.volume.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Flink's image as a container's root: {@code /opt/flink} with links to the shared home. */
final class FlinkLayout {
  /** Where Flink's image has its home. */
  static final String HOME = "/opt/flink";

  private FlinkLayout() {}

  /**
   * Makes {@code ROOT/opt/flink}: own folders, linked files, so that mounts never touch the home.
   */
  static void lay(FlinkImage image, Path root) throws IOException {
    Path flink = root.resolve(HOME.substring(1));
    Trees.mirror(image.home(), flink);
    for (String folder : new String[] {"conf", "log", "usrlib"}) {
      Files.createDirectories(flink.resolve(folder));
    }
    for (Path jar : image.usrlib()) {
      Trees.link(flink.resolve("usrlib").resolve(jar.getFileName().toString()), jar);
    }
  }

  /** What Flink's scripts find in their environment. */
  static Map<String, String> env(FlinkImage image, Path root, String path) {
    Path flink = root.resolve(HOME.substring(1));
    Map<String, String> env = new LinkedHashMap<>();
    env.put("PATH", image.shims() + ":" + path);
    env.put("FLINK_HOME", image.home().toString());
    env.put("FLINK_ROOT", flink.toString());
    env.put("FLINK_CONF_DIR", flink.resolve("conf").toString());
    return env;
  }
}
