/** Waits of activities, each in the thread of its activity: heartbeats, leases, reports. */
@NullMarked
package dev.sluice.activities.async;

import org.jspecify.annotations.NullMarked;
