package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules find what they are there for. */
class WorkflowPurityRulesTest {

  @Test
  void filesAreFound() {
    assertThat(violates(WorkflowPurityTest.WORKFLOWS_DO_NO_IO, ReadsFile.class)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(classes = {Sleeps.class, RollsDice.class, RollsSharedDice.class})
  void threadsAndDiceAreFound(Class<?> impure) {
    assertThat(violates(WorkflowPurityTest.WORKFLOWS_START_NO_THREAD_AND_ROLL_NO_DICE, impure))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ReadsInstant.class,
        ReadsClock.class,
        ReadsMillis.class,
        ReadsDate.class,
        ReadsEnvironment.class,
        MakesId.class
      })
  void clocksAreFound(Class<?> impure) {
    assertThat(violates(WorkflowPurityTest.WORKFLOWS_READ_NO_CLOCK, impure)).isTrue();
  }

  @Test
  void whatIsPureIsLeftAlone() {
    assertThat(violates(WorkflowPurityTest.WORKFLOWS_DO_NO_IO, Pure.class)).isFalse();
    assertThat(violates(WorkflowPurityTest.WORKFLOWS_READ_NO_CLOCK, Pure.class)).isFalse();
  }

  private static boolean violates(ArchRule rule, Class<?> type) {
    return rule.evaluate(new ClassFileImporter().importClasses(type)).hasViolation();
  }

  static class ReadsFile {
    boolean exists() {
      return Files.exists(Path.of("x"));
    }
  }

  static class Sleeps {
    void run() {
      Thread.onSpinWait();
    }
  }

  static class RollsDice {
    int roll() {
      return new Random(1).nextInt();
    }
  }

  static class RollsSharedDice {
    int roll() {
      return ThreadLocalRandom.current().nextInt();
    }
  }

  static class ReadsInstant {
    Instant read() {
      return Instant.now();
    }
  }

  static class ReadsClock {
    Clock read() {
      return Clock.systemUTC();
    }
  }

  static class ReadsMillis {
    long read() {
      return System.currentTimeMillis();
    }
  }

  static class ReadsDate {
    @SuppressWarnings("JavaUtilDate") // that is the point
    long read() {
      return new Date().getTime();
    }
  }

  static class ReadsEnvironment {
    String read() {
      return System.getenv("HOME");
    }
  }

  static class MakesId {
    UUID make() {
      return UUID.randomUUID();
    }
  }

  static class Pure implements Serializable {
    private static final long serialVersionUID = 1L;

    Instant later(Clock given) {
      return given.instant().plusSeconds(1);
    }
  }
}
