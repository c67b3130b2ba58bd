/**
 * The life of a pod: what is observed ({@link dev.sluice.local.node.pod.PodView}), the next action
 * ({@link dev.sluice.local.node.pod.PodDecision}), the status ({@link
 * dev.sluice.local.node.pod.PodStatuses}), all three pure, and the worker that executes it ({@link
 * dev.sluice.local.node.pod.PodWorker}).
 */
@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
