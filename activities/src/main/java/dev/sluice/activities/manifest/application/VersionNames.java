package dev.sluice.activities.manifest.application;

import dev.sluice.api.application.Colour;
import dev.sluice.workflows.application.VersionRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What the objects of an application are called: as by the operator of Lyft. Pure. */
public final class VersionNames {

  private static final int SELECTOR = 8;

  private VersionNames() {}

  /** {@code <application>-<hash>}: the cluster that is made for that version, and its Service. */
  public static String cluster(String application, String hash) {
    return application + "-" + hash;
  }

  /** The Deployment of its JobManager. */
  public static String jobManager(VersionRef version) {
    return deployment(version) + "-jm";
  }

  /** The Deployment of its TaskManagers. */
  public static String taskManagers(VersionRef version) {
    return deployment(version) + "-tm";
  }

  /** The Service of the application, and its Ingress; of each colour one. */
  public static String generic(String application, @Nullable Colour colour) {
    return colour == null ? application : application + "-" + colour.wire();
  }

  /**
   * Tells the pods of one Deployment from all others of the application. The same Deployment has
   * always the same one, so that a Service that selects by it still does when it was made again.
   *
   * @param uid of the application
   * @param deployment its name
   */
  static String podSelector(String uid, String deployment) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((uid + "/" + deployment).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, SELECTOR);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static String deployment(VersionRef version) {
    return version.colour() == null
        ? version.cluster()
        : version.cluster() + "-" + version.colour().wire();
  }
}
