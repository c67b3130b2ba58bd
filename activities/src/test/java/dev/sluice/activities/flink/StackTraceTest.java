package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces as Flink 1.20.5 and 2.2.1 print them, with fewer frames. */
class StackTraceTest {

  private static String trace(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void theFirstFramesOfTheRootCauseSayWhereItWasThrown() {
    String trace =
        trace(
            "org.apache.flink.runtime.JobException: Recovery is suppressed",
            "\tat org.apache.flink.A.a(A.java:1)",
            "Caused by: java.lang.IllegalStateException: boom",
            "\tat com.example.One.one(One.java:1)",
            "\tat com.example.Two.two(Two.java:2)",
            "\tat com.example.Three.three(Three.java:3)",
            "\tat com.example.Four.four(Four.java:4)",
            "\tat com.example.Five.five(Five.java:5)",
            "\tat com.example.Six.six(Six.java:6)",
            "\t... 7 more");

    assertThat(StackTrace.frames(trace))
        .hasSize(5)
        .first()
        .isEqualTo("at com.example.One.one(One.java:1)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the root cause behind a wrapper
        "j.CompletionException: o.CheckpointException: An IO-problem.;Caused by: o.CheckpointException: An IO-problem.;Caused by: o.UnsupportedException: No scheme 's3'. | CheckpointException: An IO-problem. Caused by UnsupportedException: No scheme 's3'.",
        "j.CompletionException: o.NotFoundException: no job;Caused by: o.NotFoundException: no job | NotFoundException: no job",
        // Flink's reason beside the user's exception
        "o.JobException: Recovery is suppressed;Caused by: com.acme.OrderException: no such order | JobException: Recovery is suppressed Caused by OrderException: no such order",
        // one that only quotes its cause
        "java.lang.RuntimeException: java.io.IOException: disk full;Caused by: java.io.IOException: disk full | IOException: disk full",
        "java.lang.IllegalStateException: first~second | IllegalStateException: first second",
        "java.lang.NullPointerException | NullPointerException",
        "com.acme.Orders$Gone: no | Orders.Gone: no",
        "Job could not be found. | Error: Job could not be found.",
        "'' | 'Error'",
        "java.io.IOException: cannot open s3://AKIA:hunter2@bucket/x | IOException: cannot open s3://***@bucket/x"
      })
  void namesTheFirstErrorThatSaysSomethingAndItsRootCause(String headers, String summary) {
    String trace =
        Stream.of(headers.replace('~', '\n').split(";"))
            .map(header -> header + "\n\tat x.Y.z(Y.java:1)\n")
            .collect(Collectors.joining());

    assertThat(StackTrace.shorten(trace).summary()).isEqualTo(summary);
  }

  @Test
  void isOneBoundedLine() {
    String tooLong = "x".repeat(5_000);
    FlinkCause cause =
        StackTrace.shorten(
            trace(
                "a.B: " + tooLong,
                "\tat x.Y.z(Y.java:1)",
                "Caused by: c.D: y" + tooLong,
                "\tat x"));

    assertThat(cause.summary()).hasSizeLessThan(700).doesNotContain("\n");
  }
}
