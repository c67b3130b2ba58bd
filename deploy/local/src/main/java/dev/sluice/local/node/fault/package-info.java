/**
 * Faults on purpose, for tests and demonstrations. They are a file in the node's folder, so that
 * they outlive the node and need no port: {@link dev.sluice.local.node.fault.NodeFaults} writes it,
 * the node reads it at each change.
 */
@NullMarked
package dev.sluice.local.node.fault;

import org.jspecify.annotations.NullMarked;
