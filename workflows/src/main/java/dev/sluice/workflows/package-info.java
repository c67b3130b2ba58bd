/**
 * The durable operations: Temporal contracts, implementations, and the pure planning they share
 * with the controller.
 */
@NullMarked
package dev.sluice.workflows;

import org.jspecify.annotations.NullMarked;
