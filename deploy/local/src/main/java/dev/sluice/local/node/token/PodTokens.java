package dev.sluice.local.node.token;

import dev.sluice.local.node.container.PodFields;
import dev.sluice.local.node.container.Sources;
import dev.sluice.local.node.container.StartProblem;
import dev.sluice.local.node.volume.PlacedFile;
import dev.sluice.local.node.volume.Volumes;
import io.fabric8.kubernetes.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pod's kubeconfig and its projected tokens, renewed long before they end.
 *
 * <p>Tokens are asked for 3607 s, as a kubelet does for {@code kube-api-access} volumes: the API
 * server takes that number as the sign of a client that may not read its token again, and lets it
 * live for a year (--service-account-extend-token-expiration).
 */
public final class PodTokens {
  private static final long SECONDS = 3607;

  /** Four fifths of the life, as a kubelet does. */
  private static final Duration RENEW_AFTER = Duration.ofSeconds(SECONDS * 4 / 5);

  private final Kubeconfig cluster;

  public PodTokens(Kubeconfig cluster) {
    this.cluster = cluster;
  }

  /** Where a pod's kubeconfig lies. */
  public static Path file(Path podFolder) {
    return podFolder.resolve("kubeconfig");
  }

  /** When the pod's tokens must be renewed; empty when it has none yet. */
  public static Optional<Instant> renewAt(Path podFolder) throws IOException {
    Path file = file(podFolder);
    return Files.exists(file)
        ? Optional.of(Files.getLastModifiedTime(file).toInstant().plus(RENEW_AFTER))
        : Optional.empty();
  }

  /** Writes the kubeconfig of a pod that has none yet. */
  public void provide(PodFields fields, Sources sources, Path podFolder)
      throws StartProblem, IOException {
    if (!Files.exists(file(podFolder))) {
      write(fields, sources, podFolder);
    }
  }

  /** Writes new tokens wherever the pod has one. */
  public void renew(PodFields fields, Sources sources, Path podFolder)
      throws StartProblem, IOException {
    Volumes volumes = new Volumes(fields, sources, podFolder.resolve("volumes"));
    List<Volume> all = fields.pod().getSpec().getVolumes();
    for (Volume volume : all == null ? List.<Volume>of() : all) {
      if (Volumes.expires(volume)) {
        volumes.content(volume);
      }
    }
    write(fields, sources, podFolder);
  }

  private void write(PodFields fields, Sources sources, Path podFolder)
      throws StartProblem, IOException {
    String account = PodFields.serviceAccount(fields.pod());
    byte[] file =
        cluster.file(
            fields.pod().getMetadata().getNamespace(), account, sources.token(null, SECONDS));
    PlacedFile.write(file(podFolder), file, 0600);
  }
}
