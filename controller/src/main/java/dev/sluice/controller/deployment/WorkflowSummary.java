package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a run introduces itself in Temporal's UI. Fields that changed are masked already. */
final class WorkflowSummary {

  /** Longest list of changed fields, in lines. */
  private static final int MOST = 30;

  private WorkflowSummary() {}

  /** One line: {@code upgrade default/orders 6 -> 7}. */
  static String summary(DeploymentSnapshot situation, OperationType type) {
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + situation.ref().display();
    FrozenSpec frozen = situation.frozen();
    return switch (type) {
      case UPGRADE ->
          title
              + (frozen == null || frozen.generation() == 0 ? " " : " " + frozen.generation() + " ")
              + "-> "
              + situation.generation();
      case DELETE -> title;
      default -> title + " " + situation.generation();
    };
  }

  /** Markdown. */
  static String details(
      DeploymentSnapshot situation, OperationType type, @Nullable Request answering) {
    StringBuilder text = new StringBuilder();
    text.append("**")
        .append(type.wire())
        .append("** of FlinkDeployment `")
        .append(situation.ref().display())
        .append("`, generation ")
        .append(situation.generation())
        .append('\n');
    if (answering != null) {
      text.append("\nAsked for with the annotation `")
          .append(answering.annotation())
          .append("`: ")
          .append(answering.text())
          .append('\n');
    }
    if (type == OperationType.UPGRADE && !situation.changes().isEmpty()) {
      text.append("\nChanged fields:\n\n");
      situation.changes().stream()
          .limit(MOST)
          .forEach(c -> text.append("* ").append(c).append('\n'));
      if (situation.changes().size() > MOST) {
        text.append("* and ").append(situation.changes().size() - MOST).append(" more\n");
      }
    }
    return text.toString();
  }
}
