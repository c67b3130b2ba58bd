/** Real parts for integration tests. A test never goes without: what is missing is provided. */
@NullMarked
package dev.sluice.testing;

import org.jspecify.annotations.NullMarked;
