package dev.sluice.gates;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom: docs/architecture.md, section 2. */
@AnalyzeClasses(packages = "dev.sluice", importOptions = DoNotIncludeTests.class)
class ModuleDirectionTest {

  @ArchTest
  static final ArchRule MODULES_DEPEND_ONE_WAY =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("api")
          .definedBy("dev.sluice.api..")
          .layer("workflows")
          .definedBy("dev.sluice.workflows..")
          .layer("activities")
          .definedBy("dev.sluice.activities..")
          .layer("process")
          .definedBy("dev.sluice.bootstrap..")
          .layer("controller")
          .definedBy("dev.sluice.controller..")
          .layer("worker")
          .definedBy("dev.sluice.worker..")
          .layer("image")
          .definedBy("dev.sluice.image..")
          .whereLayer("workflows")
          .mayOnlyAccessLayers("api")
          .whereLayer("activities")
          .mayOnlyAccessLayers("api", "workflows")
          .whereLayer("api")
          .mayNotAccessAnyLayer()
          .whereLayer("process")
          .mayNotAccessAnyLayer()
          .whereLayer("controller")
          .mayOnlyBeAccessedByLayers("image")
          .whereLayer("worker")
          .mayOnlyBeAccessedByLayers("image")
          .whereLayer("image")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule THE_API_KNOWS_NO_TEMPORAL =
      noClasses()
          .that()
          .resideInAPackage("dev.sluice.api..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.temporal..")
          .because("a resource is what people want; how it comes about may change");

  @ArchTest
  static final ArchRule ONLY_THE_CONTROLLER_KNOWS_JOSDK =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.sluice.controller..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.javaoperatorsdk..");
}
