package dev.sluice.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** More kinds follow: what they share must not know the first one. */
@AnalyzeClasses(packages = "dev.sluice.controller", importOptions = DoNotIncludeTests.class)
class SharedPackagesTest {

  @ArchTest
  static final ArchRule SHARED_PACKAGES_KNOW_NO_KIND =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.sluice.controller.common..",
              "dev.sluice.controller.observation..",
              "dev.sluice.controller.operation..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.sluice.api.deployment..", "dev.sluice.controller.deployment..");
}
