/** Makes, deletes and looks at Flink clusters on Kubernetes. */
@NullMarked
package dev.sluice.activities.cluster;

import org.jspecify.annotations.NullMarked;
