/** The scheduler: with one node, a matter of whether rather than where. */
@NullMarked
package dev.sluice.local.node.schedule;

import org.jspecify.annotations.NullMarked;
