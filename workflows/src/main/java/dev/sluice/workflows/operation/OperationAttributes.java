package dev.sluice.workflows.operation;

import dev.sluice.workflows.model.ResourceRef;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import java.util.List;

/** The search attributes of every lane run; they must be registered in the Temporal namespace. */
public final class OperationAttributes {

  public static final SearchAttributeKey<String> NAMESPACE =
      SearchAttributeKey.forKeyword("FlinkNamespace");
  public static final SearchAttributeKey<String> NAME = SearchAttributeKey.forKeyword("FlinkName");
  public static final SearchAttributeKey<String> OPERATION =
      SearchAttributeKey.forKeyword("FlinkOperation");
  public static final SearchAttributeKey<String> STEP = SearchAttributeKey.forKeyword("FlinkStep");

  /** Value of {@link #STEP} while a run is parked: finds all runs that need action. */
  public static final String PARKED = "Parked";

  /** Value of {@link #STEP} while a run is blocked: it tries again by itself. */
  public static final String BLOCKED = "Blocked";

  private OperationAttributes() {}

  /** All of them, for registration. */
  public static List<SearchAttributeKey<String>> all() {
    return List.of(NAMESPACE, NAME, OPERATION, STEP);
  }

  /** The attributes that a run is started with. */
  public static SearchAttributes of(ResourceRef resource, String operation) {
    return SearchAttributes.newBuilder()
        .set(NAMESPACE, resource.namespace())
        .set(NAME, resource.name())
        .set(OPERATION, operation)
        .build();
  }
}
