/**
 * What every operation is made of: the lane (one workflow id per resource), its signals, the steps
 * of a run, what people see of it, and how it is handed over to the next operation.
 */
@NullMarked
package dev.sluice.workflows.operation;

import org.jspecify.annotations.NullMarked;
