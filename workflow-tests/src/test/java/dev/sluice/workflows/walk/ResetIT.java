package dev.sluice.workflows.walk;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * On a real Temporal: a small part of the cases, because each takes its time. {@code
 * -Dsluice.reset.every=N} takes every Nth. The rules are tried side by side: a case waits most of
 * the time.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ResetIT extends ResetRules {

  private static final int AT_ONCE = 64;

  private @Nullable ResettableServer server;

  @Override
  int every() {
    return Integer.getInteger("sluice.reset.every", 193);
  }

  @Override
  ResetCases begin() {
    ResettableServer started = new ResettableServer(Path.of("target", "temporal-of-resets.log"));
    server = started;
    return new ResetCases(ref -> started, new Drivers(AT_ONCE));
  }

  @AfterAll
  void close() {
    if (server != null) {
      server.close();
    }
  }
}
