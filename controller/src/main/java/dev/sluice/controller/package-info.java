/**
 * The process that watches resources, decides that an operation is needed, and starts or signals
 * it.
 */
@NullMarked
package dev.sluice.controller;

import org.jspecify.annotations.NullMarked;
