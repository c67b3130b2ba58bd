package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.MountedVolume;
import io.fabric8.kubernetes.api.model.Container;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The job's jar in standalone mode. Flink's entry point has it on the class path of the job, and
 * looks for the main class there: by its name, or where there is none in all that is in {@code
 * /opt/flink/usrlib} and in {@code pipeline.classpaths}, if the image has that directory at all.
 *
 * @param url on the class path; null for a job whose classes are in the image
 * @param hasMain the main class is named
 */
record UserJar(@Nullable String url, boolean hasMain) {
  private static final String DIRECTORY = "/opt/flink/usrlib";
  private static final String IN_IMAGE = "local:";
  private static final String FILE = "file:";

  static UserJar of(ClusterTarget target) {
    String jar = target.job().jarURI();
    String main = target.job().entryClass();
    return new UserJar(
        jar == null || jar.isBlank() ? null : url(jar.trim()), main != null && !main.isBlank());
  }

  /** Native mode's {@code local://} is no URL that Java knows. */
  private static String url(String jar) {
    return jar.startsWith(IN_IMAGE) ? FILE + jar.substring(IN_IMAGE.length()) : jar;
  }

  /** What {@code pipeline.classpaths} needs; a jar that is found twice has two main classes. */
  List<String> classpath() {
    return url == null || (isInDirectory() && !hasMain) ? List.of() : List.of(url);
  }

  /**
   * The directory, empty, where the main class is to be found and the image may lack it. It would
   * hide what is in the image's own one (Apache's operator always has it).
   */
  Optional<MountedVolume> volume(Container template) {
    boolean mounted =
        template.getVolumeMounts().stream().anyMatch(it -> DIRECTORY.equals(it.getMountPath()));
    return url == null || hasMain || isInDirectory() || mounted
        ? Optional.empty()
        : Optional.of(MountedVolume.emptyDir("user-lib-dir", DIRECTORY));
  }

  private boolean isInDirectory() {
    return url != null && url.replaceFirst("^file:/*", "/").startsWith(DIRECTORY + "/");
  }
}
