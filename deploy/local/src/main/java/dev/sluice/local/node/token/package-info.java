/** What a pod may do at the API server: tokens of its service account, and no more. */
@NullMarked
package dev.sluice.local.node.token;

import org.jspecify.annotations.NullMarked;
