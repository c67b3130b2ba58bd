/**
 * Containers as processes of this machine: started so that they outlive the node, and read back
 * from files, so that a node that starts again sees them as the one before did.
 */
@NullMarked
package dev.sluice.local.node.process;

import org.jspecify.annotations.NullMarked;
