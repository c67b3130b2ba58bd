package dev.sluice.api.application;

/** What the types of a FlinkApplication add to their generated schemas. */
final class ApplicationSchema {
  /** As Kubernetes writes quantities. Text that is none could not be read back at all. */
  private static final String QUANTITY =
      """
      {"pattern":
        "^[+-]?([0-9]+(\\\\.[0-9]*)?|\\\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$"}""";

  private static final String QUANTITIES = "{\"additionalProperties\": " + QUANTITY + "}";

  static final String ENVIRONMENT =
      """
      {"properties": {"env": {"items": {"required": ["name"], "properties": {"valueFrom":
        {"properties": {"resourceFieldRef": {"properties": {"divisor": """
          + QUANTITY
          + "}}}}}}}}}";

  private static final String PODS =
      "\"affinity\": {\"type\": \"object\"}, \"offHeapMemoryFraction\": {\"minimum\": 0, \"maximum\": 1},"
          + " \"systemMemoryFraction\": {\"minimum\": 0, \"maximum\": 1},"
          + " \"resources\": {\"properties\": {\"limits\": "
          + QUANTITIES
          + ", \"requests\": "
          + QUANTITIES
          + "}}";

  static final String JOB_MANAGER =
      "{\"properties\": {\"replicas\": {\"minimum\": 1, \"maximum\": 100, \"default\": 1}, "
          + PODS
          + "}}";

  static final String TASK_MANAGER =
      "{\"properties\": {\"taskSlots\": {\"minimum\": 1, \"maximum\": 1024, \"default\": 16}, "
          + PODS
          + "}}";

  static final String SPEC =
      """
      {"required": ["image", "jarName", "parallelism", "entryClass"],
       "properties": {
        "image": {"pattern": "^\\\\S+$", "maxLength": 512},
        "imagePullPolicy": {"enum": ["Always", "Never", "IfNotPresent"], "default": "IfNotPresent"},
        "serviceAccountName": {
          "pattern":
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$",
          "maxLength": 253
        },
        "flinkConfig": {"type": "object"},
        "volumes": {"items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
        "jarName": {"minLength": 1, "maxLength": 512, "pattern": "^[^/\\\\s]+$"},
        "parallelism": {"minimum": 1, "maximum": 32768},
        "deploymentMode": {"default": "Dual"},
        "rpcPort": {"minimum": 1, "maximum": 65535, "default": 6123},
        "queryPort": {"minimum": 1, "maximum": 65535, "default": 6124},
        "blobPort": {"minimum": 1, "maximum": 65535, "default": 6125},
        "uiPort": {"minimum": 1, "maximum": 65535, "default": 8081},
        "metricsQueryPort": {"minimum": 1, "maximum": 65535, "default": 50101},
        "restartNonce": {"maxLength": 253},
        "deleteMode": {"default": "Savepoint"},
        "scaleMode": {"default": "NewCluster"},
        "maxCheckpointRestoreAgeSeconds": {"minimum": 1, "default": 3600},
        "tearDownVersionHash": {"maxLength": 63}
      }}""";

  private ApplicationSchema() {}
}
