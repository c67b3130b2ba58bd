package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/** Alone: it changes what all tests of this JVM log, and where to. */
@Isolated
class LoggingTest {

  private final PrintStream standard = System.out;

  @AfterEach
  void restore() {
    System.setOut(standard);
    MDC.clear();
    Logging.configure(Logging.Format.TEXT, Level.INFO);
  }

  @Test
  void jsonLinesCarryResourceAndRun() throws Exception {
    aboutARun();

    JsonNode line = new ObjectMapper().readTree(logged(Logging.Format.JSON, "hello \"you\""));

    assertThat(line.path("formattedMessage").asText()).isEqualTo("hello \"you\"");
    assertThat(line.path("level").asText()).isEqualTo("INFO");
    assertThat(line.path("mdc").path("resource.name").asText()).isEqualTo("orders");
    assertThat(line.path("mdc").path("WorkflowId").asText()).isEqualTo("lane");
    assertThat(line.path("mdc").path("RunId").asText()).isEqualTo("run");
  }

  @Test
  void textLinesCarryResourceAndRun() {
    aboutARun();

    assertThat(logged(Logging.Format.TEXT, "hello")).endsWith("[default/orders lane run] hello\n");
  }

  @Test
  void textLinesOfAnActivityCarryTheRun() {
    MDC.put(LogKeys.WORKFLOW_ID, "lane");
    MDC.put("RunId", "run");

    assertThat(logged(Logging.Format.TEXT, "hello")).endsWith("[lane run] hello\n");
  }

  @Test
  void textLinesAboutNothingInParticularHaveNoBrackets() {
    assertThat(logged(Logging.Format.TEXT, "hello")).endsWith("test hello\n").doesNotContain("[");
  }

  @Test
  void othersLogOnlyWarnings() {
    Logging.configure(Logging.Format.TEXT, Level.DEBUG);

    assertThat(LoggerFactory.getLogger("io.temporal").isInfoEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger("dev.sluice.test").isDebugEnabled()).isTrue();
  }

  private static void aboutARun() {
    MDC.put(LogKeys.NAMESPACE, "default");
    MDC.put(LogKeys.NAME, "orders");
    MDC.put(LogKeys.WORKFLOW_ID, "lane");
    MDC.put("RunId", "run");
  }

  private static String logged(Logging.Format format, String message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    Logging.configure(format, Level.INFO);
    LoggerFactory.getLogger("dev.sluice.test").info(message);
    return out.toString(StandardCharsets.UTF_8);
  }
}
