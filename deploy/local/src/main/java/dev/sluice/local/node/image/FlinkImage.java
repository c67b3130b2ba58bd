package dev.sluice.local.node.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An image that is a Flink home.
 *
 * <p>The node gives each container its own root with {@code ROOT/opt/flink}: {@code lib} is a
 * folder with one link per jar of {@code home/lib}, {@code usrlib} a folder with one link per
 * {@link #usrlib} jar, any other entry of the home a link. The command is run as the pod says; a
 * first word such as {@code /docker-entrypoint.sh}, and every script called by name, is found in
 * {@link #shims} (first in PATH). The environment holds FLINK_HOME (the shared {@link #home}),
 * FLINK_ROOT ({@code ROOT/opt/flink}), FLINK_CONF_DIR, POD_IP, POD_DIR (a folder of this container
 * for files that need not outlive it), TMPDIR (inside POD_DIR), SLUICE_HOSTS_FILE, KUBECONFIG,
 * MALLOC_ARENA_MAX and HOSTNAME.
 *
 * @param home the Flink home, with {@code lib/}; shared by all pods and never written to by them
 * @param usrlib jars that the image carries in {@code /opt/flink/usrlib}
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
  public List<String> entryPoint() {
    return List.of("/docker-entrypoint.sh");
  }
}
