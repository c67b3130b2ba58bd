/**
 * The life of a pod: what is seen of it (PodView), what is to be done about it (PodDecision), what
 * its status says (PodStatuses), all three without effects, and who does it (PodWorker).
 */
@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
