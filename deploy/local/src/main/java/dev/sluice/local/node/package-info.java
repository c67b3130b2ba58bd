/**
 * The local node: scheduler and kubelet for pods that are processes of this machine, against a real
 * API server. Here is what faces the API server; {@code pod} leads a pod through its life, {@code
 * container} turns a container into files and a command, {@code process} starts it so that it
 * outlives the node, {@code probe} asks how it is, and {@code service} gives pods addresses and
 * names.
 */
@NullMarked
package dev.sluice.local.node;

import org.jspecify.annotations.NullMarked;
