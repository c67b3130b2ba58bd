/** The Node object and its Lease: what the control plane sees of this node. */
@NullMarked
package dev.sluice.local.node.register;

import org.jspecify.annotations.NullMarked;
