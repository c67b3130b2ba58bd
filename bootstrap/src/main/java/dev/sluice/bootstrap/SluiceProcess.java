package dev.sluice.bootstrap;

import java.security.Security;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a main method as every Sluice process does: settings first, then logging, then the rest; a
 * wrong configuration is told in plain words and ends the process with {@link
 * ExitCode#CONFIGURATION} before anything is started.
 */
public final class SluiceProcess {

  private static final String HIT_SECONDS = "networkaddress.cache.ttl";
  private static final String MISS_SECONDS = "networkaddress.cache.negative.ttl";

  private SluiceProcess() {}

  /** What a process does once its settings are read. It returns when it has started. */
  @FunctionalInterface
  public interface Body {
    /**
     * Reads its own settings, calls {@link Settings#check()}, starts, and registers what must be
     * stopped with the lifecycle.
     */
    void start(
        Settings settings,
        ProcessSettings common,
        Map<String, String> env,
        ProcessLifecycle lifecycle)
        throws Exception;
  }

  /** Call it from {@code main}; does not return. */
  public static void run(Body body) throws InterruptedException {
    rememberNamesBriefly();
    Map<String, String> environment = System.getenv();
    ProcessLifecycle lifecycle;
    Settings settings;
    ProcessSettings common;
    try {
      settings = new Settings(environment);
      common = ProcessSettings.from(settings);
      Logging.configure(common.logFormat(), common.logLevel());
      lifecycle = ProcessLifecycle.install(common.drainTimeout());
    } catch (ConfigurationException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(ExitCode.CONFIGURATION.number());
      return;
    }
    try {
      body.start(settings, common, environment, lifecycle);
    } catch (ConfigurationException wrong) {
      System.err.println(wrong.getMessage());
      lifecycle.exit(ExitCode.CONFIGURATION);
    } catch (java.net.BindException taken) {
      log()
          .error(
              "cannot listen on {}:{} ({}); free it or set SLUICE_HTTP_ADDRESS and SLUICE_HTTP_PORT",
              common.httpAddress(),
              common.httpPort(),
              taken.getMessage());
      lifecycle.exit(ExitCode.UNAVAILABLE);
    } catch (Throwable failed) {
      // an Error, too: threads that run already would keep half a process
      log().error("could not start", failed);
      lifecycle.exit(ExitCode.INTERNAL);
    }
    Thread.currentThread().join(); // the shutdown hook halts
  }

  /**
   * A Service that is being made is looked for before it exists. Java keeps such a miss for 10 s
   * and a hit for 30 s (networkaddress.cache.* of java.security), longer than a cluster takes to
   * start. A hit is kept for as long as {@code -Djava.security.properties} says, if it does.
   */
  static void rememberNamesBriefly() {
    String configured = Security.getProperty(HIT_SECONDS);
    if (configured == null || configured.isBlank()) {
      Security.setProperty(HIT_SECONDS, "5");
    }
    Security.setProperty(MISS_SECONDS, "0");
  }

  // not a constant: nothing may log before the format is known
  private static Logger log() {
    return LoggerFactory.getLogger(SluiceProcess.class);
  }
}
