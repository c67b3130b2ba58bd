package dev.sluice.workflows.walk;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/**
 * On a real Temporal: a small part of the cases, because each takes its time. {@code
 * -Dsluice.reset.every=N} takes every Nth.
 */
class ResetIT extends ResetRules {

  private static final int AT_ONCE = 64;

  private @Nullable ResettableServer server;

  ResetIT() {
    super(Integer.getInteger("sluice.reset.every", 193));
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
