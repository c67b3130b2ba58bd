/** What the tests of activities share: fakes that can be told what to do, and a real API server. */
@org.jspecify.annotations.NullMarked
package dev.sluice.activities.support;
