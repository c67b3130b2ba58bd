package dev.sluice.gates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What every kind of resource uses knows none of them: docs/architecture.md. */
@AnalyzeClasses(
    packages = {"dev.sluice.workflows", "dev.sluice.activities", "dev.sluice.controller"},
    importOptions = DoNotIncludeTests.class)
class SharedPackagesTest {

  private static final String[] SHARED = {
    "dev.sluice.activities.async..",
    "dev.sluice.activities.cluster..",
    "dev.sluice.activities.event..",
    "dev.sluice.activities.flink..",
    "dev.sluice.activities.job..",
    "dev.sluice.activities.kubernetes..",
    "dev.sluice.activities.manifest.common..",
    "dev.sluice.activities.resource..",
    "dev.sluice.activities.status..",
    "dev.sluice.controller.admission..",
    "dev.sluice.controller.common..",
    "dev.sluice.controller.observation..",
    "dev.sluice.controller.operation..",
    "dev.sluice.controller.reconcile..",
    "dev.sluice.controller.status..",
    "dev.sluice.workflows.activity..",
    "dev.sluice.workflows.model..",
    "dev.sluice.workflows.operation..",
    "dev.sluice.workflows.plan..",
    "dev.sluice.workflows.deployment..",
  };

  private static final String[] KINDS = {
    "dev.sluice.api.bluegreen..",
    "dev.sluice.workflows.bluegreen..",
    "dev.sluice.activities.bluegreen..",
    "dev.sluice.controller.bluegreen..",
    "dev.sluice.api.deployment..",
    "dev.sluice.activities.deployment..",
    "dev.sluice.controller.deployment..",
    "dev.sluice.api.sessionjob..",
    "dev.sluice.activities.sessionjob..",
    "dev.sluice.controller.sessionjob..",
    "dev.sluice.api.snapshot..",
    "dev.sluice.workflows.snapshot..",
    "dev.sluice.activities.snapshot..",
    "dev.sluice.controller.snapshot..",
    "dev.sluice.api.application..",
    "dev.sluice.workflows.application..",
    "dev.sluice.activities.application..",
    "dev.sluice.activities.manifest.application..",
    "dev.sluice.controller.application..",
  };

  @ArchTest
  static final ArchRule SHARED_PACKAGES_KNOW_NO_KIND =
      noClasses()
          .that()
          .resideInAnyPackage(SHARED)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(KINDS)
          .because("a kind plugs in through its ResourceStore and a row of the OperationTable");
}
