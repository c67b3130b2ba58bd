/**
 * The contracts between workflows and activities, with their requests and results. Every request
 * names the resource that it is for, so that a worker can refuse work for another Kubernetes
 * cluster.
 */
@NullMarked
package dev.sluice.workflows.activity;

import org.jspecify.annotations.NullMarked;
