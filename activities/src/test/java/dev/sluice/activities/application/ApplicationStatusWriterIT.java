package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.RecordVersionsRequest;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.FreezeVersionResult;
import dev.sluice.workflows.application.FreezeVersionResult.Changed;
import dev.sluice.workflows.application.FreezeVersionResult.Frozen;
import dev.sluice.workflows.application.FreezeVersionResult.Invalid;
import dev.sluice.workflows.application.VersionLimits;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The status of an application on a real API server, with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class ApplicationStatusWriterIT {

  private static final ApplicationRules RULES =
      new ApplicationRules(ApplicationValidation::validate, VersionLimits.DEFAULT);

  private final TestClock clock = new TestClock();
  private KubernetesClient client;
  private KubernetesClient worker;
  private FlinkApplicationStore store;
  private ApplicationStatusWriter writer;
  private String namespace;
  private ResourceRef ref;
  private @Nullable String dryRunProblem;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    client = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server);
    store = new FlinkApplicationStore(worker);
    writer = new ApplicationStatusWriter(worker, store, clock);
    ref = create(Applications.SPEC);
  }

  @AfterEach
  void close() {
    worker.close();
  }

  private ResourceRef create(FlinkApplicationSpec spec) {
    FlinkApplication application = new FlinkApplication();
    application.getMetadata().setNamespace(namespace);
    application.getMetadata().setName("orders");
    application.setSpec(spec);
    FlinkApplication created = client.resource(application).create();
    return new ResourceRef(
        "kubernetes", FlinkApplication.KIND, namespace, "orders", created.getMetadata().getUid());
  }

  private OperationReport report(String message, @Nullable String reason, @Nullable String event) {
    return new OperationReport(
        ref,
        new RunRef("Deploy", ref.laneId(), "run-1"),
        reason == null ? OperationState.RUNNING : OperationState.PARKED,
        "Freeze",
        1,
        reason,
        message,
        event,
        null,
        null,
        null);
  }

  private void record(ApplicationRecord plannedFor, ApplicationRecord record) {
    writer.record(
        new RecordVersionsRequest(plannedFor, record, report("orders is deployed", null, null)));
  }

  private FreezeVersionResult freeze(Kind kind, long generation, ApplicationRecord plannedFor) {
    VersionFreeze.Clusters clusters =
        new VersionFreeze.Clusters() {
          @Override
          public VersionRef name(StoredApplication application, @Nullable Colour colour) {
            ApplicationHash hash = ApplicationHash.of(application.spec());
            String name = hash.inNames(0);
            return new VersionRef(
                name, hash.full(), "orders-" + name, colour, application.generation(), null, false);
          }

          @Override
          public VersionRef nameInPlace(StoredApplication application, VersionRef deployed) {
            VersionRef named = name(application, null);
            return new VersionRef(
                named.hash(),
                named.fullHash(),
                deployed.cluster(),
                null,
                named.generation(),
                null,
                false);
          }

          @Override
          public Optional<String> problem(VersionTarget target) {
            return Optional.ofNullable(dryRunProblem);
          }
        };
    return new VersionFreeze(store, writer, clusters, RULES, clock)
        .freeze(
            new FreezeVersionRequest(report("freeze", null, null), generation, kind, plannedFor));
  }

  private FreezeVersionResult adopt(List<VersionRef> found) {
    return new LyftAdoption(writer, application -> found, RULES, clock)
        .adopt(
            new FreezeVersionRequest(
                report("adopt", null, null), 1, Kind.FIRST, store.read(ref).record()));
  }

  private FlinkApplicationStatus status() {
    return store.read(ref).status();
  }

  private static void isOutdated(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.OUTDATED));
  }

  @Test
  void theFirstVersionIsFrozenWithItsWholeSpec() {
    Frozen frozen = (Frozen) freeze(Kind.FIRST, 1, ApplicationRecord.NONE);

    StoredApplication now = store.read(ref);
    assertThat(now.record()).isEqualTo(frozen.record());
    assertThat(now.record().phase()).isEqualTo(ApplicationPhase.UPDATING);
    VersionRef target = now.record().target();
    assertThat(target.fullHash()).isEqualTo(ApplicationHash.of(now.spec()).full());
    assertThat(target.colour()).isNull();
    assertThat(now.frozen(target)).contains(now.spec());
    assertThat(now.status().updatingHash()).isEqualTo(target.hash());
    assertThat(now.status().deploymentMode()).isEqualTo(DeploymentMode.DUAL);
    assertThat(now.status().startedAt()).isNotBlank();
    assertThat(now.status().reason()).isEqualTo("freeze");
    assertThat(now.metadata().getManagedFields())
        .filteredOn(entry -> "status".equals(entry.getSubresource()))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly("sluice-workflow");
  }

  @Test
  void freezingAgainAnswersTheSame() {
    Frozen first = (Frozen) freeze(Kind.FIRST, 1, ApplicationRecord.NONE);

    assertThat(freeze(Kind.FIRST, 1, ApplicationRecord.NONE)).isEqualTo(first);
  }

  @Test
  void aNewerSpecIsNotFrozenForAnOlderPlan() {
    client
        .resources(FlinkApplication.class)
        .inNamespace(namespace)
        .withName("orders")
        .edit(
            application -> {
              application.setSpec(application.getSpec().withParallelism(9));
              return application;
            });

    assertThat(freeze(Kind.FIRST, 1, ApplicationRecord.NONE)).isEqualTo(new Changed(2));
    assertThat(status().deployment()).isNull();
  }

  @Test
  void whatKubernetesWouldRefuseIsNotFrozen() {
    dryRunProblem = "spec.volumes[0]: unknown field";

    assertThat(freeze(Kind.FIRST, 1, ApplicationRecord.NONE))
        .isEqualTo(new Invalid("spec.volumes[0]: unknown field"));
    assertThat(status().deployment()).isNull();
  }

  @Test
  void aVersionOnTheSameClusterKeepsItsName() {
    VersionRef deployed = Applications.version("aaaaaaaaaa", null, "job-1");
    ApplicationRecord running =
        ApplicationRecord.NONE.in(ApplicationPhase.RUNNING).with(deployed, null);
    record(ApplicationRecord.NONE, running);

    Frozen frozen = (Frozen) freeze(Kind.IN_PLACE, 1, running);

    assertThat(frozen.record().phase()).isEqualTo(ApplicationPhase.RESCALING);
    assertThat(frozen.record().target().cluster()).isEqualTo(deployed.cluster());
    assertThat(frozen.record().target().hash()).isNotEqualTo(deployed.hash());
  }

  @Test
  void anotherTargetKeepsTheStateThatWasTaken() {
    Start start = new Start(new StateRef.Savepoint("s3://b/savepoint-1"), "job-1", "job-2");
    ApplicationRecord submitting =
        ApplicationRecord.NONE
            .in(ApplicationPhase.SUBMITTING_JOB)
            .with(
                Applications.version("aaaaaaaaaa", null, "job-1"),
                Applications.version("bbbbbbbbbb", null, "job-2"))
            .starting(start);
    record(ApplicationRecord.NONE, submitting);

    Frozen frozen = (Frozen) freeze(Kind.DUAL, 1, submitting);

    assertThat(frozen.record().start()).isEqualTo(new Start(start.state(), "job-1", null));
    assertThat(frozen.record().target().jobId()).isNull();
    assertThat(status().savepointPath()).isEqualTo("s3://b/savepoint-1");
  }

  @Test
  void whatIsRecordedTwiceIsRecordedOnce() {
    ApplicationRecord updating = ((Frozen) freeze(Kind.FIRST, 1, ApplicationRecord.NONE)).record();
    ApplicationRecord starting = updating.in(ApplicationPhase.CLUSTER_STARTING);
    record(updating, starting);
    String version = store.read(ref).metadata().getResourceVersion();

    record(updating, starting);

    assertThat(store.read(ref).metadata().getResourceVersion()).isEqualTo(version);
    assertThat(store.read(ref).frozen(starting.target())).isPresent();
  }

  @Test
  void aRecordThatWasPlannedForAnotherOneIsRefused() {
    ApplicationRecord updating = ((Frozen) freeze(Kind.FIRST, 1, ApplicationRecord.NONE)).record();

    assertThatThrownBy(
            () ->
                record(
                    updating.in(ApplicationPhase.SUBMITTING_JOB),
                    updating.in(ApplicationPhase.RUNNING)))
        .satisfies(ApplicationStatusWriterIT::isOutdated);

    assertThat(status().phase()).isEqualTo(ApplicationPhase.UPDATING);
  }

  @Test
  void aReportChangesNothingButTheOperationAndItsError() {
    ApplicationRecord updating = ((Frozen) freeze(Kind.FIRST, 1, ApplicationRecord.NONE)).record();

    writer.report(report("no room", "ClusterNotReady", "DeployFailed"));

    assertThat(store.read(ref).record()).isEqualTo(updating);
    assertThat(status().lastSeenError().appError()).isEqualTo("no room");
    assertThat(status().lastSeenError().method()).isNotBlank();
    assertThat(status().lastSeenError().errorCode()).isEqualTo("ClusterNotReady");
    assertThat(status().lastSeenError().isFailFast()).isTrue();
    assertThat(status().lastSeenError().isRetryable()).isFalse();
    assertThat(status().lastSeenError().lastErrorUpdateTime()).isNotBlank();
    assertThat(status().operation().state()).isEqualTo(OperationState.PARKED);
    assertThat(client.v1().events().inNamespace(namespace).list().getItems())
        .extracting(Event::getReason)
        .contains("DeployFailed");

    writer.report(report("going on", null, null));
    assertThat(status().lastSeenError()).isNull();
    assertThat(status().retryCount()).isEqualTo(1);
  }

  private void runByLyftsOperator() {
    runByLyftsOperator(
        """
        {"status": {"phase": "Running", "deployHash": "1234abcd",
          "failedDeployHash": "deadbeef", "jobStatus": {"jobID": "job-of-lyft"}}}
        """);
  }

  private void runByLyftsOperator(String status) {
    FlinkApplication unused =
        client
            .resources(FlinkApplication.class)
            .inNamespace(namespace)
            .withName("orders")
            .subresource("status")
            .patch(PatchContext.of(PatchType.JSON_MERGE), status);
  }

  @Test
  void whatLyftsOperatorRunsBecomesTheDeployedVersion() {
    runByLyftsOperator();
    VersionRef found = new VersionRef("1234abcd", null, "orders-1234abcd", null, 0, null, true);

    Frozen adopted = (Frozen) adopt(List.of(found));

    StoredApplication now = store.read(ref);
    assertThat(now.record()).isEqualTo(adopted.record());
    assertThat(now.record().deployed())
        .isEqualTo(
            new VersionRef(
                "1234abcd",
                ApplicationHash.of(now.spec()).full(),
                "orders-1234abcd",
                null,
                1,
                "job-of-lyft",
                true));
    assertThat(now.record().settledGeneration()).isEqualTo(1);
    assertThat(now.status().deployHash()).isEqualTo("1234abcd");
    // it would keep the same spec from being deployed for ever
    assertThat(now.status().failedDeployHash()).isNull();
    assertThat(now.status().jobStatus().jobID()).isEqualTo("job-of-lyft");
    assertThat(adopt(List.of(found))).isEqualTo(adopted);
  }

  /** Of the other one a Deployment was deleted by hand. */
  @Test
  void theOneOfTwoVersionsThatIsWholeBecomesTheDeployedVersion() {
    runByLyftsOperator(
        """
        {"status": {"phase": "DualRunning", "deployHash": "1234abcd", "updatingHash": "5678abcd",
          "versionStatuses": [
            {"versionHash": "1234abcd", "jobStatus": {"jobID": "job-1"}},
            {"versionHash": "5678abcd", "jobStatus": {"jobID": "job-2"}}]}}
        """);
    VersionRef blue =
        new VersionRef("5678abcd", null, "orders-5678abcd", Colour.BLUE, 0, null, true);

    Frozen adopted = (Frozen) adopt(List.of(blue));

    StoredApplication now = store.read(ref);
    assertThat(now.record()).isEqualTo(adopted.record());
    assertThat(now.record().phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(now.record().deployed().jobId()).isEqualTo("job-2");
    assertThat(now.record().target()).isNull();
    assertThat(now.status().deployHash()).isEqualTo("5678abcd");
    assertThat(now.status().updatingHash()).isNull();
  }

  @Test
  void whatIsNotThereIsNotTakenOver() {
    runByLyftsOperator();

    assertThatThrownBy(() -> adopt(List.of())).satisfies(ApplicationStatusWriterIT::isOutdated);

    assertThat(status().deployment()).isNull();
  }

  @Test
  void anotherResourceOfTheSameNameIsNotWritten() {
    ResourceRef before = ref;
    client.resources(FlinkApplication.class).inNamespace(namespace).withName("orders").delete();
    ref = create(Applications.SPEC);
    ResourceRef now = ref;
    ref = before;

    assertThatThrownBy(() -> record(ApplicationRecord.NONE, ApplicationRecord.NONE))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.RESOURCE_GONE));

    assertThat(store.read(now).status().operation()).isNull();
  }
}
