package dev.sluice.local.node.container;

import dev.sluice.local.node.image.FlinkImage;
import dev.sluice.local.node.volume.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Flink's image as a container's root: {@code /opt/flink} with links to the shared home. */
final class FlinkLayout {
  /** Where Flink's image has its home. */
  static final String HOME = "/opt/flink";

  private FlinkLayout() {}

  /**
   * Makes {@code ROOT/opt/flink}: own folders, linked files, so that mounts never touch the home.
   */
  static Path lay(FlinkImage image, Path root) throws IOException {
    Path flink = home(root);
    Trees.mirror(image.home(), flink);
    for (String folder : new String[] {"conf", "log", "usrlib"}) {
      Files.createDirectories(flink.resolve(folder));
    }
    for (Path jar : image.usrlib()) {
      Trees.link(flink.resolve("usrlib").resolve(jar.getFileName().toString()), jar);
    }
    return flink;
  }

  /** What Flink's scripts find in their environment. */
  static Map<String, String> env(FlinkImage image, Path root, String path) {
    return Map.of(
        "PATH", image.shims() + ":" + path,
        "FLINK_HOME", image.home().toString(),
        "FLINK_ROOT", home(root).toString(),
        "FLINK_CONF_DIR", home(root).resolve("conf").toString());
  }

  /** {@code /docker-entrypoint.sh} lies in the image's root; here it is one of the scripts. */
  static String shim(FlinkImage image, String program) {
    Path name = Path.of(program).getFileName();
    Path shim = name == null ? image.shims() : image.shims().resolve(name.toString());
    return program.startsWith("/") && Files.isRegularFile(shim) ? shim.toString() : program;
  }

  private static Path home(Path root) {
    return root.resolve(HOME.substring(1));
  }
}
