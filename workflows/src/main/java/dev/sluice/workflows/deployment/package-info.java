/**
 * The runbook in procedures that operations compose: observe, plan, freeze, suspend, record, tear
 * down, start, verify, mark stable, and the ways back. They know no kind.
 */
@NullMarked
package dev.sluice.workflows.deployment;

import org.jspecify.annotations.NullMarked;
