package dev.sluice.workflows.activity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.model.ResourceRef;

/** A request with what is written into {@code status.operation}. */
public interface ReportRequest extends ResourceRequest {

  /** What to write, and of which resource. */
  OperationReport report();

  @Override
  @JsonIgnore
  default ResourceRef resource() {
    return report().resource();
  }
}
