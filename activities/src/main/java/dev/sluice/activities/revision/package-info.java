/** The specs that a resource had before, kept as ControllerRevisions, and the way back to one. */
@NullMarked
package dev.sluice.activities.revision;

import org.jspecify.annotations.NullMarked;
