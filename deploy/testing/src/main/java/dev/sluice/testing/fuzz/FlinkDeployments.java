package dev.sluice.testing.fuzz;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Cases of kind FlinkDeployment, made from the valid manifests of module {@code api}. */
public final class FlinkDeployments {
  private static final String CRD = "deploy/crds/flinkdeployments.flink.apache.org-v1.yml";
  private static final String VALID = "api/src/test/resources/manifests/valid";

  private static final List<String> CONFIGURATION =
      List.of(
          "high-availability.type",
          "high-availability",
          "high-availability.storageDir",
          "recovery.mode",
          "kubernetes.jobmanager.labels",
          "kubernetes.jobmanager.labels.app",
          "kubernetes.jobmanager.annotations",
          "kubernetes.jobmanager.annotations.example.com/a",
          "kubernetes.jobmanager.node-selector",
          "kubernetes.jobmanager.tolerations",
          "kubernetes.jobmanager.service-account",
          "kubernetes.jobmanager.entrypoint.args",
          "kubernetes.jobmanager.cpu",
          "kubernetes.jobmanager.cpu.amount",
          "kubernetes.jobmanager.cpu.limit-factor",
          "kubernetes.jobmanager.memory.limit-factor",
          "kubernetes.taskmanager.labels",
          "kubernetes.taskmanager.tolerations",
          "kubernetes.taskmanager.cpu",
          "kubernetes.rest-service.exposed.type",
          "kubernetes.rest-service.labels",
          "kubernetes.rest-service.annotations",
          "kubernetes.internal-service.labels",
          "kubernetes.container.image",
          "kubernetes.container.image.ref",
          "kubernetes.container.image.pull-policy",
          "kubernetes.container.image.pull-secrets",
          "kubernetes.secrets",
          "kubernetes.secrets.token",
          "kubernetes.env.secretKeyRef",
          "kubernetes.hadoop.conf.config-map.name",
          "kubernetes.hostnetwork.enabled",
          "kubernetes.flink.conf.dir",
          "kubernetes.flink.log.dir",
          "kubernetes.entry.path",
          "kubernetes.cluster-id",
          "kubernetes.operator.deployment.readiness.timeout",
          "kubernetes.operator.savepoint.format.type",
          "kubernetes.operator.job.savepoint-on-deletion",
          "kubernetes.operator.pod-template.merge-arrays-by-name",
          "kubernetes.operator.jm-deployment.startup.probe.enabled",
          "kubernetes.operator.unheard.of",
          "containerized.master.env.NAME",
          "containerized.master.env.",
          "containerized.taskmanager.env.NAME",
          "execution.checkpointing.interval",
          "execution.checkpointing.timeout",
          "execution.savepoint.path",
          "state.checkpoints.dir",
          "state.savepoints.dir",
          "taskmanager.numberOfTaskSlots",
          "pipeline.max-parallelism",
          "pipeline.name",
          "parallelism.default",
          "rest.port",
          "rest.bind-port",
          "jobmanager.rpc.port",
          "blob.server.port",
          "taskmanager.rpc.port",
          "jobmanager.memory.process.size",
          "jobmanager.memory.flink.size",
          "jobmanager.memory.heap.size",
          "jobmanager.memory.off-heap.size",
          "jobmanager.memory.jvm-metaspace.size",
          "jobmanager.memory.jvm-overhead.fraction",
          "jobmanager.memory.jvm-overhead.min",
          "jobmanager.memory.jvm-overhead.max",
          "jobmanager.heap.size",
          "taskmanager.memory.process.size",
          "taskmanager.memory.task.heap.size",
          "taskmanager.memory.managed.size",
          "security.ssl.rest.enabled",
          "security.ssl.rest.authentication-enabled",
          "security.ssl.enabled",
          "env.java.opts.all",
          "user.artifacts.base-dir");

  private static final List<String> POD =
      List.of(
          "metadata.name",
          "metadata.labels.app",
          "metadata.labels.component",
          "metadata.labels.team",
          "metadata.annotations.note",
          "spec.serviceAccountName",
          "spec.hostNetwork",
          "spec.nodeSelector.zone",
          "spec.tolerations[0].key",
          "spec.tolerations[0].tolerationSeconds",
          "spec.terminationGracePeriodSeconds",
          "spec.imagePullSecrets[0].name",
          "spec.volumes[0].name",
          "spec.volumes[0].secret.secretName",
          "spec.volumes[0].emptyDir.sizeLimit",
          "spec.containers[0].name",
          "spec.containers[0].image",
          "spec.containers[0].command",
          "spec.containers[0].env[0].name",
          "spec.containers[0].env[0].value",
          "spec.containers[0].env[0].valueFrom.secretKeyRef.name",
          "spec.containers[0].ports[0].containerPort",
          "spec.containers[0].ports[0].name",
          "spec.containers[0].volumeMounts[0].name",
          "spec.containers[0].volumeMounts[0].mountPath",
          "spec.containers[0].resources.requests.memory",
          "spec.containers[0].resources.limits.cpu",
          "spec.containers[0].livenessProbe.httpGet.port",
          "spec.initContainers[0].name",
          "spec.initContainers[0].image",
          "spec.unheardOf.a",
          "status.phase");

  private FlinkDeployments() {}

  /** The schema of the kind, of a checkout at that path. */
  public static CrdSchema schema(Path repository) {
    return CrdSchema.read(repository.resolve(CRD));
  }

  /** The cases of that checkout. */
  public static Stream<FuzzCase> cases(Path repository) {
    return new FuzzCases(
            schema(repository),
            valid(repository.resolve(VALID)),
            List.of(
                new FuzzCases.Free(List.of("spec", "flinkConfiguration"), CONFIGURATION, true),
                new FuzzCases.Free(List.of("spec", "flinkConfiguration"), CONFIGURATION, true),
                new FuzzCases.Free(List.of("spec", "podTemplate"), POD, false),
                new FuzzCases.Free(List.of("spec", "jobManager", "podTemplate"), POD, false),
                new FuzzCases.Free(List.of("spec", "taskManager", "podTemplate"), POD, false)))
        .stream();
  }

  private static List<ObjectNode> valid(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(file -> (ObjectNode) CrdSchema.yaml(file)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
