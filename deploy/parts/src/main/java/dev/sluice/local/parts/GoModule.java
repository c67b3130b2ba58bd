package dev.sluice.local.parts;

/**
 * How a binary is built from the pinned Go modules under {@code deploy/local/tools}.
 *
 * @param folder the module's folder below {@code deploy/local/tools}: its go.mod and go.sum pin
 *     every source file
 * @param mainPackage import path of the main package
 * @param stampVersion {@code -X} linker flags that make the binary print its version
 */
record GoModule(String folder, String mainPackage, String stampVersion) {}
