package dev.sluice.workflows.environment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What happened to Kubernetes, Flink and the status, in order: the same however an operation is cut
 * into steps. Jobs are numbered in the order in which they appear.
 */
public final class Trace {

  static final String MARK = "> ";
  static final String GIVEN = "given";

  private static final Pattern JOB = Pattern.compile("job [0-9a-f]{32}\\b");

  private Trace() {}

  /** What happened since all was {@link Environment#given}. */
  public static List<String> of(Environment environment) {
    Map<String, String> jobs = new LinkedHashMap<>();
    List<String> effects = new ArrayList<>();
    for (String line : environment.trace()) {
      String[] parts = line.split(" " + MARK, 2);
      if (parts.length == 1) {
        continue;
      }
      String effect =
          JOB.matcher(parts[1])
              .replaceAll(it -> jobs.computeIfAbsent(it.group(), id -> "job " + (jobs.size() + 1)));
      if (effect.equals(GIVEN)) {
        effects.clear();
      } else {
        effects.add(effect);
      }
    }
    return effects;
  }

  /** What became of the job that began last. */
  public static String end(Environment environment) {
    FlinkJob job = environment.invariants().last;
    if (!environment.resource().exists()) {
      return "the resource is gone";
    }
    return job == null || !job.live() ? "no job runs" : "the last job is " + job.state();
  }

  /** The facts in the status that decide what an operation does next. */
  static List<String> status(ResourceModel resource) {
    List<String> facts = new ArrayList<>();
    RecoveryStatus recovery = resource.recovery();
    if (recovery != null) {
      facts.add("recovery %d, %s".formatted(recovery.attempts(), recovery.cause().wire()));
    }
    Spec frozen = resource.frozen();
    if (frozen != null) {
      String phase =
          switch (resource.phase()) {
            case UPGRADING -> "upgrades to generation %d";
            case ROLLING_BACK -> "rolls back to generation %d";
            case IDLE -> "generation %d is deployed";
          };
      facts.add(phase.formatted(frozen.generation()));
    }
    RestorePoint recorded = resource.recorded();
    if (recorded != null) {
      facts.add("recorded: " + of(recorded.state()));
    }
    OperationReport operation = resource.operation();
    if (operation != null
        && operation.state() != OperationState.RUNNING
        && operation.state() != OperationState.SUCCEEDED) {
      String reason = operation.reason() == null ? "" : ", " + operation.reason();
      facts.add("%s is %s%s".formatted(operation.run().operation(), operation.state(), reason));
    }
    return facts.stream().map(fact -> "status: " + fact).toList();
  }

  static String of(StateRef state) {
    String path = state.pathOrNull();
    if (state instanceof StateRef.HaMetadata metadata) {
      return "metadata of job " + metadata.jobId();
    }
    return path == null
        ? "no state"
        : path.replaceFirst("s3://(\\w+)s/.*?([0-9a-f]{32}|another).*", "$1 of job $2");
  }

  static String of(@Nullable Snapshot snapshot) {
    return snapshot == null ? "no state" : of(snapshot.ref());
  }
}
