/** Build time only: what the CRD generator needs to be told. Nothing here runs in a process. */
@NullMarked
package dev.sluice.api.crd;

import org.jspecify.annotations.NullMarked;
