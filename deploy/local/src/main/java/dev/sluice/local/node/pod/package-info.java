/**
 * The life of a pod: what is observed (PodView), the next action (PodDecision), the status
 * (PodStatuses), all three pure, and the worker that executes it (PodWorker).
 */
@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
