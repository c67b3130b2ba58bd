/**
 * A model of one resource with its Kubernetes objects, its Flink cluster and its jobs, behind the
 * activities of the workflows. It checks the safety rules after every effect. Time is a count of
 * ticks, so that a case is the same each time it runs.
 */
package dev.sluice.workflows.environment;
