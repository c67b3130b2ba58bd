package dev.sluice.api.common;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;

/**
 * A resource whose job Sluice runs. Its spec and status are never null.
 *
 * <p>The generator sorts columns by JSON path; the brackets in the path of Ready put it last.
 *
 * @param <S> spec
 * @param <T> status
 */
@AdditionalPrinterColumn(
    name = "Job Status",
    jsonPath = ".status.jobStatus.state",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "State of the job in Flink")
@AdditionalPrinterColumn(
    name = "Lifecycle State",
    jsonPath = ".status.lifecycleState",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "One word for the whole resource")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status['conditions'][?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "Whether the newest spec is deployed and its job runs")
@AdditionalPrinterColumn(
    name = "Operation",
    jsonPath = ".status.operation.type",
    type = AdditionalPrinterColumn.Type.STRING,
    getDescription = "The operation in flight, or the last one")
@AdditionalPrinterColumn(
    name = "Operation State",
    jsonPath = ".status.operation.state",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "How far the operation has come")
@AdditionalPrinterColumn(
    name = "Step",
    jsonPath = ".status.operation.step",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1,
    getDescription = "The step the operation is at, or ended at")
public abstract class OperatedResource<S, T extends JobResourceStatus>
    extends SluiceResource<S, T> {
  private static final long serialVersionUID = 1L;
}
