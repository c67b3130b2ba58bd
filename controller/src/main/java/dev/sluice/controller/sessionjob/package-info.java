/** FlinkSessionJobs: what their session cluster is ready for, and which operation they need. */
@NullMarked
package dev.sluice.controller.sessionjob;

import org.jspecify.annotations.NullMarked;
