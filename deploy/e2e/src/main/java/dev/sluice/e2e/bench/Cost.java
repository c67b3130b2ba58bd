package dev.sluice.e2e.bench;

/**
 * What controller and worker did in some time.
 *
 * @param api their calls to the API server
 * @param flinkRequests their requests to all Flink clusters
 * @param passes how often the controller looked at a Flink cluster
 */
record Cost(CallCount api, long flinkRequests, long passes) {}
