/** What makes a resource invalid, beyond what its schema can say. Pure. */
@NullMarked
package dev.sluice.api.validation;

import org.jspecify.annotations.NullMarked;
