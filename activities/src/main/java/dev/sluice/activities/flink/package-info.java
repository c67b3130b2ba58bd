/** What Sluice asks of Flink: a typed, asynchronous client of the JobManager's REST API. */
@NullMarked
package dev.sluice.activities.flink;

import org.jspecify.annotations.NullMarked;
