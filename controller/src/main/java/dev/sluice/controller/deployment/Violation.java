package dev.sluice.controller.deployment;

public record Violation(String path, String message) {}
