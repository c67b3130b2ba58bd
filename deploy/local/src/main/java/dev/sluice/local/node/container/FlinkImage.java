package dev.sluice.local.node.container;

import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An image that is a Flink home.
 *
 * <p>The node gives each container its own root with {@code ROOT/opt/flink}: own folders, and a
 * link for each file of the home and each of its {@link #usrlib} jars, so that mounts never touch
 * the home. The command is run as the pod says; a first word such as {@code /docker-entrypoint.sh},
 * and every script called by name, is found in {@link #shims} (first in PATH). The environment
 * holds FLINK_HOME (the shared {@link #home}), FLINK_ROOT ({@code ROOT/opt/flink}), FLINK_CONF_DIR,
 * POD_IP, POD_DIR (a folder of this container for files that need not outlive it), TMPDIR (inside
 * POD_DIR), SLUICE_HOSTS_FILE, KUBECONFIG, MALLOC_ARENA_MAX and HOSTNAME.
 *
 * @param home the Flink home, with {@code lib/}; shared by all pods and never written to by them
 * @param usrlib jars that the image carries in {@code /opt/flink/usrlib}, and once more in {@code
 *     /opt/flink/flink-web-upload} for {@code POST /jars/NAME/run}
 * @param shims the folder of {@code docker-entrypoint.sh}, {@code kubernetes-jobmanager.sh} and so
 *     on
 * @param env what else the scripts need in their environment
 */
public record FlinkImage(Path home, List<Path> usrlib, Path shims, Map<String, String> env)
    implements Image {
  public FlinkImage {
    usrlib = List.copyOf(usrlib);
    env = Map.copyOf(env);
  }

  @Override
  public List<String> command() {
    return List.of("/docker-entrypoint.sh");
  }

  @Override
  public Path populate(Path root) throws IOException {
    Path flink = root.resolve("opt/flink");
    Trees.mirror(home, flink);
    for (String folder : List.of("conf", "log")) {
      Files.createDirectories(flink.resolve(folder));
    }
    for (String folder : List.of("usrlib", "flink-web-upload")) {
      Path carried = Files.createDirectories(flink.resolve(folder));
      for (Path jar : usrlib) {
        Trees.link(carried.resolve(jar.getFileName().toString()), jar);
      }
    }
    return flink;
  }

  @Override
  public Map<String, String> env(Path layout, String path) {
    Map<String, String> all = new HashMap<>(env);
    all.put("PATH", shims + ":" + path);
    all.put("FLINK_HOME", home.toString());
    all.put("FLINK_ROOT", layout.toString());
    all.put("FLINK_CONF_DIR", layout.resolve("conf").toString());
    return all;
  }

  /** {@code /docker-entrypoint.sh} lies in the image's root; here it is one of the scripts. */
  @Override
  public String program(String word) {
    Path name = Path.of(word).getFileName();
    Path shim = name == null ? shims : shims.resolve(name.toString());
    return word.startsWith("/") && Files.isRegularFile(shim) ? shim.toString() : word;
  }
}
