/**
 * Temporal without a network and without a wall clock: the SDK's own workflow worker, and a server
 * of one thread whose time passes only when nothing is due. Runs the same way each time.
 */
@NullMarked
package dev.sluice.workflows.simulation;

import org.jspecify.annotations.NullMarked;
