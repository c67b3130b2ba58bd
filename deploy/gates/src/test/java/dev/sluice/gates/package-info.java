/** What all modules must satisfy together. */
package dev.sluice.gates;
