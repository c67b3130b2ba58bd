/**
 * The life of a pod: what is seen of it ({@link dev.sluice.local.node.pod.PodView}), what is to be
 * done about it ({@link dev.sluice.local.node.pod.PodDecision}, pure), and the one who does it.
 */
@NullMarked
package dev.sluice.local.node.pod;

import org.jspecify.annotations.NullMarked;
