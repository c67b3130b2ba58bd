/**
 * Runs the workflows on Temporal's test server against the model of {@code environment}: each fault
 * and each request at each moment of each effect of each scenario, and random walks.
 */
package dev.sluice.workflows.walk;
