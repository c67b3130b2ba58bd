/** What is seen of a cluster: its pods through informers, its jobs by asking Flink. */
@NullMarked
package dev.sluice.controller.observation;

import org.jspecify.annotations.NullMarked;
