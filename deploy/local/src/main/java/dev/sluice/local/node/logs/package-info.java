/** The kubelet's HTTPS port, as far as {@code kubectl logs} needs it. */
@NullMarked
package dev.sluice.local.node.logs;

import org.jspecify.annotations.NullMarked;
