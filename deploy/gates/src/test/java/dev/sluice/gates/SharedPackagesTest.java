package dev.sluice.gates;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
    "dev.sluice.api",
    "dev.sluice.api.common..",
    "dev.sluice.api.condition..",
    "dev.sluice.api.validation..",
    "dev.sluice.bootstrap..",
    "dev.sluice.activities.async..",
    "dev.sluice.activities.cluster..",
    "dev.sluice.activities.event..",
    "dev.sluice.activities.flink..",
    "dev.sluice.activities.job..",
    "dev.sluice.activities.kubernetes..",
    "dev.sluice.activities.manifest.common..",
    "dev.sluice.activities.resource..",
    "dev.sluice.activities.revision..",
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

  @ArchTest
  static final ArchRule SHARED_PACKAGES_KNOW_NO_KIND =
      noClasses()
          .that()
          .resideInAnyPackage(SHARED)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.sluice..").and(not(resideInAnyPackage(SHARED))))
          .because("a kind plugs in through Controllers and Kinds");
}
