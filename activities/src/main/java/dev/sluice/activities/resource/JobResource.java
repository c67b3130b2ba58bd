package dev.sluice.activities.resource;

import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.api.common.JobResourceStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * A resource whose job Sluice runs, of any kind, with all that its status says: as it was read.
 *
 * @param type how the API server knows its kind
 */
public record JobResource(ResourceType type, ObjectMeta metadata, JobResourceStatus status) {

  public static JobResource of(HasMetadata resource, JobResourceStatus status) {
    return new JobResource(ResourceType.of(resource), resource.getMetadata(), status);
  }

  /** {@code FlinkDeployment default/orders}. */
  public String display() {
    return "%s %s/%s".formatted(type.kind(), metadata.getNamespace(), metadata.getName());
  }
}
