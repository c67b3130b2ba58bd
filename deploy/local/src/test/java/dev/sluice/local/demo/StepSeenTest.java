package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepSeenTest {

  private static final Instant T0 = Instant.parse("2026-01-01T10:00:00Z");

  @Test
  void aStepIsAnActivityFromItsScheduleToItsEnd() throws Exception {
    List<StepSeen> steps =
        steps(
            """
            {"eventId":"1","eventTime":"2026-01-01T10:00:00Z","eventType":"EVENT_TYPE_WORKFLOW_EXECUTION_STARTED"},
            {"eventId":"7","eventTime":"2026-01-01T10:00:00Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_SCHEDULED",
             "userMetadata":{"summary":"look around"},
             "activityTaskScheduledEventAttributes":{"activityType":{"name":"Observe"}}},
            {"eventId":"8","eventTime":"2026-01-01T10:00:01Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_STARTED",
             "activityTaskStartedEventAttributes":{"scheduledEventId":"7"}},
            {"eventId":"9","eventTime":"2026-01-01T10:00:02Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_COMPLETED",
             "activityTaskCompletedEventAttributes":{"scheduledEventId":"7","startedEventId":"8"}}
            """);

    assertThat(steps)
        .containsExactly(new StepSeen("Observe", "look around", T0, T0.plusSeconds(2), false));
  }

  @Test
  void aStepWithoutSummaryIsCalledByItsName() throws Exception {
    assertThat(steps(scheduled("7"))).extracting(StepSeen::summary).containsExactly("Observe");
  }

  @Test
  void aStepInFlightHasNoEndAndTakesTimeUntilNow() throws Exception {
    StepSeen step = steps(scheduled("7")).get(0);

    assertThat(step.ended()).isNull();
    assertThat(step.took(T0.plusSeconds(5))).isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"FAILED", "TIMED_OUT", "CANCELED"})
  void anyOtherEndIsAFailure(String end) throws Exception {
    List<StepSeen> steps =
        steps(
            scheduled("7")
                + """
                ,{"eventId":"9","eventTime":"2026-01-01T10:00:02Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_%s",
                 "attributes":{"scheduledEventId":"7"}}
                """
                    .formatted(end));

    assertThat(steps).extracting(StepSeen::failed).containsExactly(true);
  }

  @Test
  void anEndBelongsToTheStepThatScheduledIt() throws Exception {
    List<StepSeen> steps =
        steps(
            scheduled("7")
                + ","
                + scheduled("8")
                + """
                ,{"eventId":"9","eventTime":"2026-01-01T10:00:02Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_COMPLETED",
                 "activityTaskCompletedEventAttributes":{"scheduledEventId":"8"}}
                """);

    assertThat(steps).extracting(step -> step.ended() == null).containsExactly(true, false);
  }

  private static String scheduled(String id) {
    return """
        {"eventId":"%s","eventTime":"2026-01-01T10:00:00Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_SCHEDULED",
         "activityTaskScheduledEventAttributes":{"activityType":{"name":"Observe"}}}
        """
        .formatted(id);
  }

  private static List<StepSeen> steps(String events) throws JsonProcessingException {
    return StepSeen.all(new ObjectMapper().readTree("{\"history\":{\"events\":[" + events + "]}}"));
  }
}
