package dev.sluice.activities.rescale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.cluster.ClusterSelector;
import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes objects of a cluster whose job is scaled. No pod template is ever written, so that
 * no pod starts anew; what a JobManager reads when it starts again is. Each write is for the very
 * object that was read. Blocks.
 */
final class RescaledCluster {

  private static final PatchContext CONTEXT =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager(Apply.FIELD_MANAGER)
          .build();

  private final KubernetesClient client;
  private final LiveClusters live;
  private final EffectWindow window;
  private final JobRef job;
  private final Deployment jobManager;

  private RescaledCluster(
      KubernetesClient client,
      LiveClusters live,
      EffectWindow window,
      JobRef job,
      Deployment jobManager) {
    this.client = client;
    this.live = live;
    this.window = window;
    this.job = job;
    this.jobManager = jobManager;
  }

  /** The cluster of that job; empty when there is none, or another one. */
  static Optional<RescaledCluster> find(
      KubernetesClient client,
      LiveClusters live,
      EffectWindow window,
      JobRef job,
      ResourceRef owner) {
    return live.deployment(job.cluster())
        .filter(found -> Ownership.isRunning(found, owner))
        .filter(found -> isMadeFor(found, job))
        .map(found -> new RescaledCluster(client, live, window, job, found));
  }

  private static boolean isMadeFor(HasMetadata found, JobRef job) {
    String madeFor = ClusterAnnotations.jobId(found);
    return madeFor == null || madeFor.equals(job.jobId());
  }

  /** The generation that it says it was made from; null when it does not say. */
  @Nullable Long generation() {
    return ClusterAnnotations.generation(jobManager);
  }

  /** What was required before the last stable spec was left; empty when nothing was changed. */
  Optional<RescaleNote> note(long stable) {
    return RescaleNote.of(jobManager, job.jobId(), stable);
  }

  void note(RescaleNote note) {
    annotate(jobManager, Map.of(Annotations.RESCALED_FROM, note.toJson()));
  }

  /** All was taken back. */
  void removeNote() {
    annotate(jobManager, Map.of(Annotations.RESCALED_FROM, ""));
  }

  /** In standalone mode nobody else makes TaskManagers. */
  Optional<String> lacksTaskManagers() {
    return ClusterSelector.isStandalone(jobManager) && taskManagers().isEmpty()
        ? Optional.of("there is no TaskManager Deployment")
        : Optional.empty();
  }

  /** In standalone mode there are at least as many TaskManagers then. */
  void atLeastTaskManagers(@Nullable Integer wanted) {
    taskManagers()
        .filter(found -> wanted != null && replicas(found) < wanted)
        .ifPresent(found -> scale(found, Objects.requireNonNull(wanted)));
  }

  /**
   * Makes it say that it was made from that spec. The configuration comes first. No TaskManager
   * goes: Kubernetes does not know which of them run the job.
   */
  void update(TargetSpec spec) {
    // what the job was started from stands in what is not taken from here
    ClusterManifests rendered = spec.render(job, new StateRef.Empty("not rendered"));
    rendered.configMaps().stream()
        .filter(it -> it.getMetadata().getName().equals(configurationName()))
        .forEach(this::configure);
    long generation = spec.target().generation();
    taskManagers().ifPresent(found -> madeFrom(found, generation));
    madeFrom(jobManager, generation);
  }

  private void madeFrom(Deployment deployment, long generation) {
    String text = Long.toString(generation);
    annotate(deployment, Map.of(Annotations.GENERATION, text, Annotations.APACHE_GENERATION, text));
  }

  private void configure(ConfigMap rendered) {
    ClusterRef cluster = job.cluster();
    ConfigMap there =
        KubernetesFailure.translate(
            "read ConfigMap " + configurationName(),
            () ->
                client
                    .configMaps()
                    .inNamespace(cluster.namespace())
                    .withName(configurationName())
                    .get());
    if (there == null || there.getData() == null) {
      return; // somebody has deleted it; the next cluster gets its own
    }
    Map<String, String> changed = new LinkedHashMap<>();
    there
        .getData()
        .forEach(
            (file, text) -> {
              String wanted = rendered.getData().get(file);
              String merged = wanted == null ? text : withParallelismOf(text, wanted);
              if (!merged.equals(text)) {
                changed.put(file, merged);
              }
            });
    if (changed.isEmpty()) {
      return;
    }
    ObjectNode patch = patch(there, Map.of());
    ObjectNode data = patch.putObject("data");
    changed.forEach(data::put);
    send(there, patch);
  }

  /** A file of configuration with what another one says of the parallelism. */
  static String withParallelismOf(String text, String other) {
    return Stream.concat(
            text.lines().filter(line -> !isParallelism(line)),
            other.lines().filter(RescaledCluster::isParallelism))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static boolean isParallelism(String line) {
    return line.startsWith("parallelism.default:") || line.startsWith(InPlaceScaling.OVERRIDES);
  }

  private String configurationName() {
    return ClusterManifests.configurationName(job.cluster().clusterId());
  }

  private Optional<Deployment> taskManagers() {
    return ClusterSelector.isStandalone(jobManager)
        ? live.taskManagers(job.cluster())
            .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
            .filter(found -> Ownership.isOwnedBy(found, jobManager))
        : Optional.empty();
  }

  private static int replicas(Deployment deployment) {
    Integer replicas = deployment.getSpec().getReplicas();
    return replicas == null ? 1 : replicas;
  }

  private void scale(Deployment deployment, int replicas) {
    ObjectNode patch = patch(deployment, Map.of());
    patch.putObject("spec").put("replicas", replicas);
    send(deployment, patch);
  }

  /** An empty text takes the annotation away. */
  private void annotate(Deployment deployment, Map<String, String> wanted) {
    send(deployment, patch(deployment, wanted));
  }

  private static ObjectNode patch(HasMetadata object, Map<String, String> annotations) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", object.getMetadata().getUid());
    ObjectNode written = metadata.putObject("annotations");
    annotations.forEach((key, value) -> written.put(key, value.isEmpty() ? null : value));
    return patch;
  }

  private void send(HasMetadata object, ObjectNode patch) {
    window.check();
    HasMetadata unused =
        KubernetesFailure.translate(
            "change %s %s".formatted(object.getKind(), object.getMetadata().getName()),
            () -> client.resource(object).patch(CONTEXT, patch.toString()));
  }
}
