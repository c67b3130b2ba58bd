package dev.sluice.workflows.resource;

/**
 * @param resource what to look at
 * @param patienceMs how long to wait while the job's state cannot be told, in ms; 0 to answer at
 *     once
 */
public record ObserveRequest(ResourceRef resource, long patienceMs) {}
