package dev.sluice.worker;

import dev.sluice.workflows.operation.OperationAttributes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc.OperatorServiceBlockingStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that the search attributes of the lanes exist in the Temporal namespace. Where the
 * server keeps that to its administrators (Temporal Cloud does), the log says what to create.
 */
final class SearchAttributeRegistration {

  private static final Logger LOG = LoggerFactory.getLogger(SearchAttributeRegistration.class);
  private static final Set<Status.Code> NOT_ALLOWED =
      EnumSet.of(
          Status.Code.UNIMPLEMENTED, Status.Code.PERMISSION_DENIED, Status.Code.UNAUTHENTICATED);

  private final WorkflowServiceStubs temporal;
  private final String namespace;
  private final Duration timeout;

  SearchAttributeRegistration(WorkflowServiceStubs temporal, String namespace, Duration timeout) {
    this.temporal = temporal;
    this.namespace = namespace;
    this.timeout = timeout;
  }

  /**
   * Creates what is missing.
   *
   * @throws StatusRuntimeException when Temporal does not answer
   */
  void ensure() {
    for (SearchAttributeKey<String> key : OperationAttributes.all()) {
      ensure(key.getName());
    }
  }

  // one by one: the server refuses all of them when one exists
  private void ensure(String name) {
    OperatorServiceBlockingStub operator =
        OperatorServiceGrpc.newBlockingStub(temporal.getRawChannel())
            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    try {
      operator.addSearchAttributes(
          AddSearchAttributesRequest.newBuilder()
              .setNamespace(namespace)
              .putSearchAttributes(name, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD)
              .build());
      LOG.debug("search attribute {} is registered in Temporal namespace {}", name, namespace);
    } catch (StatusRuntimeException refused) {
      Status.Code code = refused.getStatus().getCode();
      if (NOT_ALLOWED.contains(code)) {
        LOG.warn(
            "may not create search attribute {} in Temporal namespace {} ({}); if it is missing,"
                + " workflows cannot start: create it with type Keyword",
            name,
            namespace,
            code);
      } else if (code != Status.Code.ALREADY_EXISTS) {
        throw refused;
      }
    }
  }
}
