package dev.sluice.gates;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What classes look like. */
@AnalyzeClasses(packages = "dev.sluice", importOptions = DoNotIncludeTests.class)
class CodeStyleTest {

  @ArchTest
  static final ArchRule A_CLASS_IS_NAMED_FOR_ITS_IDEA =
      noClasses()
          .that()
          // Flink's own words
          .haveNameNotMatching(".*(Job|Task)Manager")
          .should()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager");

  /** W8, FLINK-27303, FLINK-35192: what is rendered never lies in a file that must be removed. */
  @ArchTest
  static final ArchRule NOTHING_LIES_IN_TEMPORARY_FILES =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.sluice.local..", "dev.sluice.testing..")
          .should()
          .callMethodWhere(target(nameMatching("createTemp(File|Directory)|deleteOnExit")))
          .because("manifests are made in memory");

  @ArchTest
  static final ArchRule NO_STATE_IS_STATIC =
      fields().that().areStatic().should().beFinal().because("tests and processes share nothing");
}
