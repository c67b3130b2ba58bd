/** What the reconciliations of FlinkDeployments and FlinkSessionJobs share. */
@NullMarked
package dev.sluice.controller.job;

import org.jspecify.annotations.NullMarked;
