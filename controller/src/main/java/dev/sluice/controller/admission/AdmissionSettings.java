package dev.sluice.controller.admission;

import dev.sluice.bootstrap.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the admission webhook is configured with.
 *
 * @param certificate {@code SLUICE_WEBHOOK_CERTIFICATE}: file with its certificate, PEM
 * @param key {@code SLUICE_WEBHOOK_KEY}: file with the key, PEM
 * @param reload {@code SLUICE_WEBHOOK_RELOAD}, 5 s: how often the files are looked at
 * @param address where it listens ({@code SLUICE_WEBHOOK_ADDRESS}; without it the pod's address
 *     {@code POD_IP}, else 127.0.0.1; never every interface)
 * @param port {@code SLUICE_WEBHOOK_PORT}, 9443; 0 takes any free one
 * @param ownUsers {@code SLUICE_WEBHOOK_OWN_USERS}: by whom Sluice itself writes; without it the
 *     service accounts of controller and worker in the pod's namespace
 */
public record AdmissionSettings(
    Path certificate, Path key, Duration reload, String address, int port, List<String> ownUsers) {

  static final String CERTIFICATE = "SLUICE_WEBHOOK_CERTIFICATE";
  static final String KEY = "SLUICE_WEBHOOK_KEY";

  private static final int USUAL_PORT = 9443;
  private static final int LAST_PORT = 65_535;

  /**
   * Reads them; what is wrong shows at {@link Settings#check()}. Empty where no certificate is
   * given, so that there is no webhook.
   */
  public static Optional<AdmissionSettings> from(Settings settings) {
    Path certificate = file(settings, CERTIFICATE);
    Path key = file(settings, KEY);
    Duration reload =
        settings.duration(
            "SLUICE_WEBHOOK_RELOAD",
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofHours(1));
    int port = settings.integer("SLUICE_WEBHOOK_PORT", USUAL_PORT, 0, LAST_PORT);
    String address = settings.text("SLUICE_WEBHOOK_ADDRESS", settings.text("POD_IP", "127.0.0.1"));
    List<String> users = settings.list("SLUICE_WEBHOOK_OWN_USERS");
    if (certificate == null && key == null) {
      return Optional.empty();
    }
    if (certificate == null || key == null) {
      settings.problem(certificate == null ? CERTIFICATE : KEY, "a file, beside the other one");
      return Optional.empty();
    }
    return Optional.of(
        new AdmissionSettings(
            certificate,
            key,
            reload,
            address,
            port,
            users.isEmpty() ? serviceAccounts(settings.text("POD_NAMESPACE", "default")) : users));
  }

  private static @Nullable Path file(Settings settings, String key) {
    String path = settings.optionalText(key);
    return path == null ? null : Path.of(path);
  }

  private static List<String> serviceAccounts(String namespace) {
    String prefix = "system:serviceaccount:" + namespace + ":sluice-";
    return List.of(prefix + "controller", prefix + "worker");
  }
}
