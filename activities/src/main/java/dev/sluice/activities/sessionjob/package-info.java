/** FlinkSessionJob for activities: its store, and how its job is started. */
@NullMarked
package dev.sluice.activities.sessionjob;

import org.jspecify.annotations.NullMarked;
