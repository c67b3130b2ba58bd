/** What a workflow does to the Flink cluster on Kubernetes. */
@NullMarked
package dev.sluice.workflows.cluster;

import org.jspecify.annotations.NullMarked;
