/** The resource FlinkSessionJob: one job on a session cluster. */
@NullMarked
package dev.sluice.api.sessionjob;

import org.jspecify.annotations.NullMarked;
