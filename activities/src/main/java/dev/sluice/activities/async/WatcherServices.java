package dev.sluice.activities.async;

import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/**
 * What all waits of a watcher share.
 *
 * @param loop its thread
 * @param calls makes calls to Temporal
 * @param reporter told about long waits
 * @param reports runs the reporter, which may block
 * @param random from 0 to 1, so that waits which began together do not beat together
 */
record WatcherServices(
    Loop loop, Calls calls, WaitReporter reporter, Executor reports, DoubleSupplier random) {}
