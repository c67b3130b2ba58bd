/**
 * The local node: scheduler and kubelet for pods that are processes of this machine, against a real
 * API server.
 */
@NullMarked
package dev.sluice.local.node;

import org.jspecify.annotations.NullMarked;
