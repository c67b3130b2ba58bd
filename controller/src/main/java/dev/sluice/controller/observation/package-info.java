/** What is observed of a Flink cluster and its job: through informers, and by asking Flink. */
@NullMarked
package dev.sluice.controller.observation;

import org.jspecify.annotations.NullMarked;
