package dev.sluice.bootstrap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets logging up: everything to standard output, each line with the resource and the run. */
public final class Logging {

  // "[namespace/name workflow run] ", each where known, and nothing at all where none is
  private static final String ABOUT =
      "%replace([%replace(%X{resource.namespace}/%X{resource.name} %X{WorkflowId}"
          + " %X{RunId}){'^/? +| +$', ''}] ){'^\\[\\] $', ''}";

  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSX,UTC} %-5level %logger{0} " + ABOUT + "%msg%n";

  // the first warns of v1beta1, which is what our users write; the second tells with a stack trace
  // what /readyz tells in a line: that the API server is away
  private static final List<String> NOISY =
      List.of(
          "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
          "io.fabric8.kubernetes.client.informers.impl.cache.Reflector");

  private Logging() {}

  /** How log lines look: one line of text per record, or one JSON object per line. */
  public enum Format {
    TEXT,
    JSON
  }

  /** Applies format and level to this JVM; call it before the first line is logged. */
  public static void configure(Format format, org.slf4j.event.Level level) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setEncoder(encoder(format, context));
    console.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(console);
    NOISY.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    context.getLogger("dev.sluice").setLevel(Level.valueOf(level.name()));
  }

  private static Encoder<ILoggingEvent> encoder(Format format, LoggerContext context) {
    EncoderBase<ILoggingEvent> encoder =
        switch (format) {
          case TEXT -> text(context);
          case JSON -> json();
        };
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  private static EncoderBase<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    return encoder;
  }

  private static EncoderBase<ILoggingEvent> json() {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithArguments(false);
    encoder.setWithMessage(false);
    encoder.setWithFormattedMessage(true);
    return encoder;
  }
}
