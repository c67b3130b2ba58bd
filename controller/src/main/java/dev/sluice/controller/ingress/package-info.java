/** The Ingress in front of a cluster, which is changed in place: no operation, no restart. */
@NullMarked
package dev.sluice.controller.ingress;

import org.jspecify.annotations.NullMarked;
