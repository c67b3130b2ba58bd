package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

  @Test
  void looksThroughTheWrapperAndNamesTheRootCause() {
    FlinkCause cause =
        StackTrace.shorten(
            trace(
                "java.util.concurrent.CompletionException: org.apache.flink.runtime.checkpoint."
                    + "CheckpointException: An Exception occurred while triggering the checkpoint."
                    + " IO-problem detected.",
                "\tat java.base/java.util.concurrent.CompletableFuture.f(CompletableFuture.java:3)",
                "Caused by: org.apache.flink.runtime.checkpoint.CheckpointException: An Exception"
                    + " occurred while triggering the checkpoint. IO-problem detected.",
                "\tat org.apache.flink.runtime.checkpoint.CheckpointCoordinator.g(X.java:1)",
                "\t... 7 more",
                "Caused by: org.apache.flink.core.fs.UnsupportedFileSystemSchemeException: Could"
                    + " not find a file system implementation for scheme 's3'.",
                "\tat org.apache.flink.core.fs.FileSystem.h(FileSystem.java:1)"));

    assertThat(cause.summary())
        .isEqualTo(
            "CheckpointException: An Exception occurred while triggering the checkpoint. IO-problem"
                + " detected. Caused by UnsupportedFileSystemSchemeException: Could not find a file"
                + " system implementation for scheme 's3'.");
  }

  @Test
  void saysAnErrorOnceThatIsBothWrappedAndTheCause() {
    FlinkCause cause =
        StackTrace.shorten(
            trace(
                "java.util.concurrent.CompletionException: org.apache.flink.runtime.messages."
                    + "FlinkJobNotFoundException: Could not find Flink job (ff00)",
                "\tat x.Y.z(Y.java:1)",
                "Caused by: org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not"
                    + " find Flink job (ff00)",
                "\tat x.Y.z(Y.java:1)"));

    assertThat(cause.summary())
        .isEqualTo("FlinkJobNotFoundException: Could not find Flink job (ff00)");
  }

  @Test
  void keepsFlinksReasonBesideTheUsersException() {
    FlinkCause cause =
        StackTrace.shorten(
            trace(
                "org.apache.flink.runtime.JobException: Recovery is suppressed by"
                    + " NoRestartBackoffTimeStrategy",
                "\tat x.Y.z(Y.java:1)",
                "Caused by: com.acme.OrderException: no such order",
                "\tat com.acme.Orders.map(Orders.java:1)"));

    assertThat(cause.summary())
        .isEqualTo(
            "JobException: Recovery is suppressed by NoRestartBackoffTimeStrategy"
                + " Caused by OrderException: no such order");
  }

  @Test
  void looksThroughAnExceptionThatOnlyQuotesItsCause() {
    FlinkCause cause =
        StackTrace.shorten(
            trace(
                "java.lang.RuntimeException: java.io.IOException: disk full",
                "\tat x.Y.z(Y.java:1)",
                "Caused by: java.io.IOException: disk full",
                "\tat x.Y.z(Y.java:1)"));

    assertThat(cause.summary()).isEqualTo("IOException: disk full");
  }

  @Test
  void joinsAMessageOfSeveralLines() {
    FlinkCause cause =
        StackTrace.shorten(
            trace("java.lang.IllegalStateException: first", "second", "\tat x.Y.z(Y.java:1)"));

    assertThat(cause.summary()).isEqualTo("IllegalStateException: first second");
  }

  @Test
  void namesAnExceptionWithoutAMessage() {
    FlinkCause cause =
        StackTrace.shorten(trace("java.lang.NullPointerException", "\tat x.Y.z(Y.java:1)"));

    assertThat(cause.summary()).isEqualTo("NullPointerException");
  }

  @Test
  void namesAnInnerClassLikeItsSource() {
    assertThat(StackTrace.shorten("com.acme.Orders$Gone: no").type()).isEqualTo("Orders.Gone");
  }

  @Test
  void keepsASentenceThatIsNoTrace() {
    assertThat(StackTrace.shorten("Job could not be found.").message())
        .isEqualTo("Job could not be found.");
  }

  @Test
  void survivesAnEmptyTrace() {
    assertThat(StackTrace.shorten("").message()).isEmpty();
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

  @Test
  void quotesNoCredentials() {
    FlinkCause cause =
        StackTrace.shorten("java.io.IOException: cannot open s3://AKIA:hunter2@bucket/x");

    assertThat(cause.summary()).isEqualTo("IOException: cannot open s3://***@bucket/x");
  }
}
