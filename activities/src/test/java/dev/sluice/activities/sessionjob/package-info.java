/** FlinkSessionJob against a real API server. */
package dev.sluice.activities.sessionjob;
