/**
 * A whole cluster on one machine: etcd, kube-apiserver, kube-controller-manager, Temporal and the
 * local node, each a process of its own, started, watched, healed and ended.
 */
@NullMarked
package dev.sluice.local.cluster;

import org.jspecify.annotations.NullMarked;
