package dev.sluice.api.deployment;

/** What JobManagerSpec and TaskManagerSpec add to their generated schemas. */
final class PodSchema {
  /** As Kubernetes writes quantities. Text that is none could not be read back at all. */
  private static final String QUANTITIES =
      """
      {"additionalProperties": {"pattern":
        "^[+-]?([0-9]+(\\\\.[0-9]*)?|\\\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$"}}""";

  static final String PATCH =
      "{\"properties\": {\"podTemplate\": {\"type\": \"object\"},"
          + " \"resources\": {\"properties\": {\"limits\": "
          + QUANTITIES
          + ", \"requests\": "
          + QUANTITIES
          + "}}}}";

  private PodSchema() {}
}
