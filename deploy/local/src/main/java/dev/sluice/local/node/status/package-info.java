/** The published status of a pod, as a function of what is seen of it. */
@NullMarked
package dev.sluice.local.node.status;

import org.jspecify.annotations.NullMarked;
