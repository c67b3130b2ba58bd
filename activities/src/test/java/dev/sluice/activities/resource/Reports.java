package dev.sluice.activities.resource;

import dev.sluice.activities.support.Refs;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.ResourceRef;

/** Requests of one upgrade, for tests. */
final class Reports {

  private Reports() {}

  static OperationReport of(String state, String step) {
    return of(Refs.ORDERS, "run-1", state, step, null);
  }

  static OperationReport of(ResourceRef ref, String run, String state, String step, String event) {
    return new OperationReport(
        ref, "Upgrade", "lane", run, state, step, 2, null, null, "words", event, null);
  }

  static FreezeRequest freeze(ResourceRef ref, boolean keepState) {
    return freeze(ref, keepState, "FreezeTarget");
  }

  static FreezeRequest freeze(ResourceRef ref, boolean keepState, String step) {
    return new FreezeRequest(ref, "Upgrade", "lane", "run-1", 1L, keepState, step);
  }
}
