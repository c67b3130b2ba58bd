package dev.sluice.gates;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * A replay must decide what the first run decided. So workflow code knows the world only by what
 * its activities return, and time, chance and waiting only through {@code Workflow}.
 */
@AnalyzeClasses(packages = "dev.sluice.workflows", importOptions = DoNotIncludeTests.class)
class WorkflowPurityTest {
  private static final DescribedPredicate<JavaClass> IO =
      resideInAnyPackage(
              "java.io..",
              "java.net..",
              "java.nio.file..",
              "java.nio.channels..",
              "java.sql..",
              "javax.net..",
              "okhttp3..",
              "io.fabric8.kubernetes.client.dsl..",
              "dev.sluice.activities..")
          .and(
              describe(
                  "not only a marker", type -> !type.isEquivalentTo(java.io.Serializable.class)));

  private static final Set<String> THREADS_AND_CHANCE =
      Set.of(
          "java.lang.Thread",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.security.SecureRandom",
          "java.util.Timer",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.CountDownLatch",
          "java.util.concurrent.Executors",
          "java.util.concurrent.ExecutorService",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.Semaphore",
          "java.util.concurrent.ThreadLocalRandom");

  private static final Set<String> CLOCKS_AND_CHANCE =
      Set.of(
          "java.lang.Math.random",
          "java.lang.Object.wait",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getProperty",
          "java.lang.System.getenv",
          "java.lang.System.nanoTime",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.systemUTC",
          "java.time.Clock.system",
          "java.time.Clock.tickMillis",
          "java.time.Clock.tickSeconds",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.Collections.shuffle",
          "java.util.Date.<init>",
          "java.util.UUID.randomUUID");

  @ArchTest
  static final ArchRule WORKFLOWS_DO_NO_IO =
      noClasses().should().dependOnClassesThat(IO).because("that is for activities");

  @ArchTest
  static final ArchRule WORKFLOWS_START_NO_THREAD_AND_ROLL_NO_DICE =
      noClasses()
          .should()
          .dependOnClassesThat(
              describe(
                  "threads or random numbers", type -> THREADS_AND_CHANCE.contains(type.getName())))
          .because("Workflow.sleep, Async, Promise and Workflow.newRandom are replayed alike");

  @ArchTest
  static final ArchRule WORKFLOWS_READ_NO_CLOCK =
      noClasses()
          .should()
          .callCodeUnitWhere(
              describe(
                  "reads a clock, the environment or chance",
                  call -> CLOCKS_AND_CHANCE.contains(nameOf(call))))
          .because("Workflow.currentTimeMillis and Workflow.randomUUID are replayed alike");

  private static String nameOf(JavaCall<?> call) {
    CodeUnitCallTarget target = call.getTarget();
    return target.getOwner().getName() + "." + target.getName();
  }
}
