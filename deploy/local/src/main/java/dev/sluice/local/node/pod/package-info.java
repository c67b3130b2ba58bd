/**
 * The life of a pod: what is seen of it ({@link dev.sluice.local.node.pod.PodView}), what is to be
 * done about it ({@link dev.sluice.local.node.pod.PodDecision}), what its status says ({@link
 * dev.sluice.local.node.pod.PodStatuses}), all three without effects, and who does it ({@link
 * dev.sluice.local.node.pod.PodWorker}).
 */
@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
