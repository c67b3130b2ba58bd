/** FlinkSessionJob: types, manifests and rules. */
package dev.sluice.api.sessionjob;
