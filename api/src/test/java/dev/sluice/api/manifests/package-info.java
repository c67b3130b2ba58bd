/** The manifests of people, good and bad, against schema and validation. */
package dev.sluice.api.manifests;
