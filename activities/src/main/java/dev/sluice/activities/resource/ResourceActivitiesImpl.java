package dev.sluice.activities.resource;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.RestEndpoint;
import dev.sluice.activities.cluster.RunningSpec;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.job.Statistics;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import dev.sluice.workflows.resource.ObserveRequest;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Wires {@link ResourceActivities} to what carries them out. */
public final class ResourceActivitiesImpl implements ResourceActivities {

  private final Resources resources;
  private final ConflictRetry fresh;
  private final WorkflowStatusWriter writer;
  private final ResourceEvents events;
  private final ClusterReader reader;
  private final ClusterCache view;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final Clock clock;

  public ResourceActivitiesImpl(
      KubernetesClient client, ClusterCache view, FlinkRest flink, Watcher watcher, Clock clock) {
    this.resources = new Resources(client);
    this.fresh = new ConflictRetry(resources);
    this.writer = new WorkflowStatusWriter(client);
    this.events = new ResourceEvents(client, clock);
    this.reader = new ClusterReader(client);
    this.view = view;
    this.flink = flink;
    this.watcher = watcher;
    this.clock = clock;
  }

  @Override
  public Observation observe(ObserveRequest request) {
    ResourceRef ref = request.resource();
    FlinkDeployment resource = read(ref);
    Deployment deployment = reader.running(ref).orElse(null);
    if (deployment == null) {
      return Observations.of(resource, null, view.pods(RestEndpoint.cluster(ref)), JobSeen.UNKNOWN);
    }
    ActivityExecutionContext activity = Activity.getExecutionContext();
    long end = activity.getInfo().getScheduledTimestamp() + request.patienceMs();
    ObserveWait wait = observing(ref, resource, deployment, Instant.ofEpochMilli(end));
    return watcher.watch(
        activity,
        Wait.of(
            ref.display(),
            "the job of " + ref.display() + " to settle",
            Deadline.limit(activity, end),
            wait::look));
  }

  private ObserveWait observing(
      ResourceRef ref, FlinkDeployment resource, Deployment deployment, Instant end) {
    FlinkDeploymentSpec spec = RunningSpec.of(resource.getStatus(), deployment).orElse(null);
    Endpoint endpoint = RestEndpoint.of(ref, spec);
    List<String> jobIds = jobIds(resource, deployment);
    return new ObserveWait(
        end,
        () -> JobProbe.at(flink, endpoint, jobIds),
        job -> Observations.of(resource, deployment, pods(ref), job),
        new SettleTimer(
            clock,
            Statistics.age(
                spec == null
                    ? dev.sluice.api.common.FlinkConfiguration.empty()
                    : spec.configuration())),
        clock);
  }

  private List<Pod> pods(ResourceRef ref) {
    return view.pods(RestEndpoint.cluster(ref));
  }

  private static List<String> jobIds(FlinkDeployment resource, Deployment deployment) {
    JobStatus job = resource.getStatus().jobStatus();
    return Stream.of(RunningSpec.jobId(deployment), job == null ? null : job.jobId())
        .flatMap(Stream::ofNullable)
        .distinct()
        .toList();
  }

  @Override
  public FrozenTarget freezeTarget(FreezeRequest request) {
    return onFreshRead(request.resource(), resource -> freeze(request, resource));
  }

  private FrozenTarget freeze(FreezeRequest request, FlinkDeployment resource) {
    FrozenSpec before = resource.getStatus().lastReconciled();
    List<Violation> violations = SpecValidation.validate(resource, before);
    if (!violations.isEmpty()) {
      return FrozenTargets.invalid(
          violations.stream().map(Violation::toString).collect(Collectors.joining("; ")), before);
    }
    long generation = Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L);
    return frozen(
        writer.write(
            request.resource(),
            resource,
            now ->
                TargetChange.freeze(
                    now, resource.getSpec(), generation, request, clock.instant())));
  }

  private static FrozenTarget frozen(OwnedStatus written) {
    FrozenSpec target = written.frozen();
    return target == null
        ? FrozenTargets.invalid("nothing is frozen", null)
        : FrozenTargets.of(target);
  }

  @Override
  public void recordState(RecordStateRequest request) {
    onFreshRead(
        request.resource(),
        resource ->
            writer.write(
                request.resource(),
                resource,
                now -> TargetChange.record(now, request, clock.instant())));
  }

  @Override
  public void markStable(OperationReport report) {
    write(report, now -> TargetChange.stable(now, report, clock.instant()));
  }

  @Override
  public FrozenTarget freezeStable(OperationReport report) {
    return onFreshRead(
        report.resource(),
        resource -> {
          if (resource.getStatus().lastStable() == null) {
            return FrozenTargets.invalid(
                "no spec of " + report.resource().display() + " was ever stable",
                resource.getStatus().lastReconciled());
          }
          return frozen(
              writeAndTell(
                  resource,
                  report,
                  now -> TargetChange.freezeStable(now, report, clock.instant())));
        });
  }

  @Override
  public void report(OperationReport report) {
    write(report, now -> TargetChange.report(now, report, clock.instant()));
  }

  private void write(OperationReport report, UnaryOperator<OwnedStatus> change) {
    onFreshRead(report.resource(), resource -> writeAndTell(resource, report, change));
  }

  private OwnedStatus writeAndTell(
      FlinkDeployment resource, OperationReport report, UnaryOperator<OwnedStatus> change) {
    OwnedStatus written = writer.write(report.resource(), resource, change);
    String event = report.event();
    if (event != null) {
      events.tell(report, event, since(written.operation()));
    }
    return written;
  }

  /** The same for a repeated call, because nothing is written then. */
  private static String since(@Nullable OperationStatus operation) {
    return operation == null ? "" : operation.attempt() + "@" + operation.since();
  }

  private <T> T onFreshRead(ResourceRef ref, Function<FlinkDeployment, T> step) {
    return KubernetesFailure.told(
        "write the status of " + ref.display(), () -> fresh.then(ref, step));
  }

  private FlinkDeployment read(ResourceRef ref) {
    return KubernetesFailure.told("read " + ref.display(), () -> resources.get(ref));
  }
}
