package dev.sluice.gates;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A package is one idea: two that need each other are one, or hide a third. */
@AnalyzeClasses(
    packages = {
      "dev.sluice.api",
      "dev.sluice.workflows",
      "dev.sluice.activities",
      "dev.sluice.controller"
    },
    importOptions = DoNotIncludeTests.class)
class PackageCyclesTest {

  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("dev.sluice.(*).(*)..").should().beFreeOfCycles();
}
