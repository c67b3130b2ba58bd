package dev.sluice.e2e.bench;

/**
 * One upgrade of each kind.
 *
 * @param number from 1
 * @param script what the bare steps took, in seconds
 * @param sluice from kubectl apply to Ready, in seconds
 * @param cost what controller and worker did for the latter
 */
record Round(int number, double script, double sluice, Cost cost) {}
